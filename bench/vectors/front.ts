// The time at a given recall, interpolated between the best points of an engine: log miss rate
// against log time, as in the peers' harness.
export interface Point {
  readonly recall: number;
  readonly us: number;
}

/** The Pareto-optimal points, sorted by time. */
function front(points: readonly Point[]): readonly Point[] {
  const best: Point[] = [];
  for (const point of [...points].sort((a, b) => a.us - b.us)) {
    if (point.recall > (best.at(-1)?.recall ?? -1)) best.push(point);
  }
  return best;
}

const logMiss = (recall: number): number => Math.log(Math.max(1 - recall, 5e-5));

/** Microseconds at `recall`; undefined if no point reaches it. */
export function timeAt(points: readonly Point[], recall: number): number | undefined {
  const best = front(points);
  const at = best.findIndex((point) => point.recall >= recall);
  const above = best[at];
  const below = best[at - 1];
  if (above === undefined || below === undefined) return above?.us;
  const share =
    (logMiss(recall) - logMiss(below.recall)) / (logMiss(above.recall) - logMiss(below.recall));
  return Math.exp(Math.log(below.us) + share * Math.log(above.us / below.us));
}
