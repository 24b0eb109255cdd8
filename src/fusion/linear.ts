// Linear fusion: a weighted sum of scores, each list brought to one scale first. Better than rrf where scores mean
// something. By min-max the last hit of each window counts 0, and so does what is below it.
import { type FusedHit, fuse, type RankedHit, type WeightedList } from './fuse.js';
import { NORMALIZERS, type Normalizer } from './normalizers.js';

export interface ScaledList<H extends RankedHit = RankedHit> extends WeightedList<H> {
  /** Absent: minmax. */
  readonly normalizer?: Normalizer;
}

/** Sum of weight times the score as the list's normalizer has it. `window`: as in fuse(). */
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
