// Scores of one list brought to a common scale, so that lists of different scales can be added.

/** Scores must be finite. */
export type Normalize = (scores: readonly number[]) => readonly number[];

/** The best score becomes 1, the worst 0; where all are equal, all are 1. */
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

/** The scores as a vector of unit length; a vector without length stays as it is. */
export function l2Norm(scores: readonly number[]): readonly number[] {
  const length = Math.hypot(...scores);
  return length === 0 ? scores : scores.map((score) => score / length);
}

/** By the names that requests use. */
export const NORMALIZERS = {
  minmax: minMax,
  l2_norm: l2Norm,
  none: (scores) => scores,
} as const satisfies Readonly<Record<string, Normalize>>;

export type Normalizer = keyof typeof NORMALIZERS;
