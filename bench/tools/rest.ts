// Waits until servers are idle: work after the last response (JIT compilation, garbage collection,
// merges) would otherwise be attributed to the next measurement.
import { setTimeout as sleep } from 'node:timers/promises';
import { processorMs } from '../lab/work.ts';

const IDLE_SHARE = 0.05;

/**
 * Waits until these processes together use almost no CPU for a moment; one second at most. Returns
 * at once without pids.
 */
export function untilRested(pids: readonly number[]): Promise<void> {
  return untilIdle(pids, { lookMs: 20, patienceMs: 1000 });
}

/**
 * Waits until they have been idle for a second, so that no merge overlaps a measurement; two
 * minutes at most.
 */
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
