// Scores of one list brought to 0 .. 1, so that lists of different scales can be added.

/** The best score becomes 1, the worst 0; where all are equal, all are 1. Scores must be finite. */
export function minMax(scores: readonly number[]): readonly number[] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const score of scores) {
    low = Math.min(low, score);
    high = Math.max(high, score);
  }
  if (low === high) return scores.map(() => 1);
  // The difference of huge scores of opposite sign is no finite number, that of their halves is.
  const scale = Number.isFinite(high - low) ? 1 : 0.5;
  return scores.map((score) => (score * scale - low * scale) / (high * scale - low * scale));
}
