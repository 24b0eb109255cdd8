// How busy this thread has been of late: the share of its time that its event loop was not waiting.

const SAMPLE_MS = 50;
/** Above it what can be done elsewhere is. A single client, who waits for every answer, does not get there. */
const BUSY = 0.85;

/** Whether it is busy, measured anew after a while. */
export function loopLoad(
  now: () => number,
  utilization = performance.eventLoopUtilization.bind(performance),
): () => boolean {
  let last = utilization();
  let sampled = now();
  let busy = false;
  return () => {
    const at = now();
    if (at - sampled < SAMPLE_MS) return busy;
    const current = utilization();
    busy = utilization(current, last).utilization > BUSY;
    [last, sampled] = [current, at];
    return busy;
  };
}
