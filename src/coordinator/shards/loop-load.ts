// The recent load of this thread: the share of its time in which its event loop was not waiting.

const SAMPLE_MS = 50;
/**
 * Above this share, work that another thread can do goes there. A single client that waits for
 * every response does not reach it.
 */
export const BUSY = 0.85;
/**
 * The same with several concurrent clients. On few cores they run in step with the thread: it
 * answers all of them, then all of them send a request while the thread waits, regardless of their
 * number.
 */
export const BUSY_IN_STEP = 0.6;

/** Whether the load is above the share `most`. It is measured at most every SAMPLE_MS. */
export function loopLoad(
  now: () => number,
  most: number,
  utilization = performance.eventLoopUtilization.bind(performance),
): () => boolean {
  let last = utilization();
  let sampled = now();
  let busy = false;
  return () => {
    const at = now();
    if (at - sampled < SAMPLE_MS) return busy;
    const current = utilization();
    busy = utilization(current, last).utilization > most;
    [last, sampled] = [current, at];
    return busy;
  };
}
