// Whether servers rest: what one does behind its last answer (compiling itself, collecting garbage, merging) would be taken for the
// slowness of the next that is asked.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 20;
const IDLE_SHARE = 0.05;
const PATIENCE_MS = 1000;

/** Until these processes together have used next to no processor for a moment; one second at most. Without pids, at once. */
export async function untilRested(pids: readonly number[]): Promise<void> {
  if (pids.length === 0) return;
  const until = performance.now() + PATIENCE_MS;
  let before = usedMs(pids);
  while (performance.now() < until) {
    const begun = performance.now();
    await sleep(LOOK_MS);
    const now = usedMs(pids);
    if (now - before <= IDLE_SHARE * (performance.now() - begun)) return;
    before = now;
  }
}

/** Milliseconds of processor that all their threads have had. */
function usedMs(pids: readonly number[]): number {
  let nanoseconds = 0;
  for (const pid of pids)
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      try {
        const [ran] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
        nanoseconds += Number(ran);
      } catch {
        // it has just ended
      }
    }
  return nanoseconds / 1e6;
}
