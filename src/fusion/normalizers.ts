// Scales the scores of one list, so that lists of different scales can be added.

/**
 * Scores must be finite, best first. The first `window` scores determine the scale; by default all
 * do.
 */
export type Normalize = (scores: readonly number[], window?: number) => readonly number[];

/**
 * The best score becomes 1, the worst of the window and all lower ones 0. If the scores of the
 * window are equal, they are 1.
 */
export function minMax(scores: readonly number[], window?: number): readonly number[] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const score of scores.slice(0, window)) {
    low = Math.min(low, score);
    high = Math.max(high, score);
  }
  if (low === high) return scores.map((score) => (score < low ? 0 : 1));
  // The difference of huge scores of opposite sign may overflow; that of their halves does not.
  const scale = Number.isFinite(high - low) ? 1 : 0.5;
  const range = high * scale - low * scale;
  return scores.map((score) => Math.max(0, (score * scale - low * scale) / range));
}

/** Divides by the Euclidean length of the window's scores. Scores of length 0 stay as they are. */
export function l2Norm(scores: readonly number[], window?: number): readonly number[] {
  const length = Math.hypot(...scores.slice(0, window));
  return length === 0 ? scores : scores.map((score) => score / length);
}

/** By their names in requests. */
export const NORMALIZERS = {
  minmax: minMax,
  l2_norm: l2Norm,
  none: (scores) => scores,
} as const satisfies Readonly<Record<string, Normalize>>;

export type Normalizer = keyof typeof NORMALIZERS;
