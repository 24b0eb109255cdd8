// Combines relevance and recency to one score over a pool of candidates; both are first scaled to 0
// .. 1.
import { minMax } from './normalizers.js';

export interface AgedScore {
  /** The sum of relevance and recency, which include their weights. */
  readonly score: number;
  readonly relevance: number;
  readonly recency: number;
}

/**
 * Computes (1 - weight) * relevance + weight * recency, both scaled by min-max over the pool; equal
 * values are all 1. Weight 0 keeps the order of the scores, weight 1 that of the times. Scores and
 * times must be finite, one of each for every candidate.
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
