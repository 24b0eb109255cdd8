// Measures of how well the recalled ids match the expected ones, each from 0 to 1.

export interface Scores {
  /** The fraction of expected ids that are among the first k. */
  readonly recall: number;
  /** The reciprocal rank of the first expected id; 0 if none is among the first k. */
  readonly mrr: number;
  /**
   * The sum of 1 / log2(rank + 1) over the expected ids, divided by that of the best possible
   * order.
   */
  readonly ndcg: number;
}

/** `expected` must not be empty; `recalled` is ordered best first, without duplicates. */
export function scoresOf(
  expected: ReadonlySet<string>,
  recalled: readonly string[],
  k: number,
): Scores {
  const ranks = recalled.slice(0, k).flatMap((id, i) => (expected.has(id) ? [i + 1] : []));
  const ideal = Array.from({ length: Math.min(expected.size, k) }, (_, i) => i + 1);
  return {
    recall: ranks.length / expected.size,
    mrr: ranks[0] === undefined ? 0 : 1 / ranks[0],
    ndcg: gain(ranks) / gain(ideal),
  };
}

function gain(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + 1 / Math.log2(rank + 1), 0);
}

export function meanOf(all: readonly Scores[]): Scores {
  const mean = (of: (one: Scores) => number): number =>
    all.reduce((sum, one) => sum + of(one), 0) / all.length;
  return {
    recall: mean((one) => one.recall),
    mrr: mean((one) => one.mrr),
    ndcg: mean((one) => one.ndcg),
  };
}
