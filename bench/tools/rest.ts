// Whether servers rest: what one does behind its last answer (compiling itself, collecting garbage, merging) would be taken for the
// slowness of what is measured next.
import { setTimeout as sleep } from 'node:timers/promises';
import { processorMs } from '../lab/work.ts';

const IDLE_SHARE = 0.05;

/** Until these processes together have used next to no processor for a moment; one second at most. Without pids, at once. */
export function untilRested(pids: readonly number[]): Promise<void> {
  return untilIdle(pids, { lookMs: 20, patienceMs: 1000 });
}

/** Until they have rested for a second, so that no merge runs into a measurement; two minutes at most. */
export function untilSettled(pids: readonly number[]): Promise<void> {
  return untilIdle(pids, { lookMs: 1000, patienceMs: 120_000 });
}

async function untilIdle(
  pids: readonly number[],
  { lookMs, patienceMs }: { readonly lookMs: number; readonly patienceMs: number },
): Promise<void> {
  if (pids.length === 0) return;
  const used = (): number => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
  const until = performance.now() + patienceMs;
  for (let before = used(); performance.now() < until; ) {
    const begun = performance.now();
    await sleep(lookMs);
    const now = used();
    if (now - before <= IDLE_SHARE * (performance.now() - begun)) return;
    before = now;
  }
}
