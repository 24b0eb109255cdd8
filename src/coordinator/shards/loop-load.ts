// How busy this thread has been of late: the share of its time that its event loop was not waiting.

const SAMPLE_MS = 50;
/** Above it what can be done elsewhere is. A single client, who waits for every answer, does not get there. */
export const BUSY = 0.85;
/**
 * The same where there are several clients at once. On few cores they are in step with the thread: it answers them all, then they all
 * ask again, and while they do it waits, however many they are.
 */
export const BUSY_IN_STEP = 0.6;

/** Whether it is busy, measured anew after a while. `most`: the share above which it is. */
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
