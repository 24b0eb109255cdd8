// Linear fusion: a weighted sum of scores, each list scaled first. It is better than rrf if the
// scores are meaningful. With min-max, the last hit of each window has the score 0, as have the
// hits below the window.
import { type FusedHit, fuse, type RankedHit, type WeightedList } from './fuse.js';
import { NORMALIZERS, type Normalizer } from './normalizers.js';

export interface ScaledList<H extends RankedHit = RankedHit> extends WeightedList<H> {
  /** Undefined: minmax. */
  readonly normalizer?: Normalizer;
}

/** The sum of weight times the normalized score. `window` is that of fuse(). */
export function linear<H extends RankedHit>(
  lists: readonly ScaledList<H>[],
  window?: number,
): readonly FusedHit<H>[] {
  const scale = ({ hits, weight, normalizer = 'minmax' }: ScaledList<H>): readonly number[] => {
    const scores = hits.map((hit) => hit.score);
    return NORMALIZERS[normalizer](scores, window).map((score) => weight * score);
  };
  return fuse(lists, scale, window);
}
