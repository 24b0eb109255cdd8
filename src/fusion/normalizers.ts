// Scores of one list brought to a common scale, so that lists of different scales can be added.

/** Scores must be finite, best first. The first `window` of them make the scale, all of them unless it is given. */
export type Normalize = (scores: readonly number[], window?: number) => readonly number[];

/** The best score becomes 1, the worst of the window 0, lower ones too; where all are equal, they are 1. */
export function minMax(scores: readonly number[], window?: number): readonly number[] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const score of scores.slice(0, window)) {
    low = Math.min(low, score);
    high = Math.max(high, score);
  }
  if (low === high) return scores.map((score) => (score < low ? 0 : 1));
  // The difference of huge scores of opposite sign is no finite number, that of their halves is.
  const scale = Number.isFinite(high - low) ? 1 : 0.5;
  const range = high * scale - low * scale;
  return scores.map((score) => Math.max(0, (score * scale - low * scale) / range));
}

/** The scores as a vector of unit length, by the length of the window; a vector without length stays as it is. */
export function l2Norm(scores: readonly number[], window?: number): readonly number[] {
  const length = Math.hypot(...scores.slice(0, window));
  return length === 0 ? scores : scores.map((score) => score / length);
}

/** By the names that requests use. */
export const NORMALIZERS = {
  minmax: minMax,
  l2_norm: l2Norm,
  none: (scores) => scores,
} as const satisfies Readonly<Record<string, Normalize>>;

export type Normalizer = keyof typeof NORMALIZERS;
