// Relevance and recency in one score, over a pool of candidates: both brought to 0 .. 1 first.
import { minMax } from './normalizers.js';

export interface AgedScore {
  /** The sum of its parts. */
  readonly score: number;
  readonly relevance: number;
  readonly recency: number;
}

/**
 * (1 - weight) * relevance + weight * recency, both by min-max over the pool; a list of equal values counts 1. Weight 0
 * keeps the order of the scores, 1 is that of the times. Scores and times must be finite, one of each for a candidate.
 */
export function withRecency(
  scores: readonly number[],
  times: readonly number[],
  weight: number,
): readonly AgedScore[] {
  const recent = minMax(times);
  return minMax(scores).map((score, i) => {
    const relevance = (1 - weight) * score;
    const recency = weight * (recent[i] ?? 0);
    return { score: relevance + recency, relevance, recency };
  });
}
