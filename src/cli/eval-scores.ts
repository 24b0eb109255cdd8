// How well what was recalled fits what was expected: the usual figures, each from 0 to 1.

export interface Scores {
  /** Of the expected ids, how many are among the first k. */
  readonly recall: number;
  /** One over the rank of the first expected id; 0 where none is among the first k. */
  readonly mrr: number;
  /** Every expected id counts one over the binary logarithm of its rank plus 1, against the best order there could be. */
  readonly ndcg: number;
}

/** `expected`: at least one id. `recalled`: best first, each id once. */
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
