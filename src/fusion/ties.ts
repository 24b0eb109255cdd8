// Finds and breaks ties that only the ids of documents decide, so that only these documents need
// their ids to be read.
import { compareFused, type FusedHit, type RankedHit } from './fuse.js';

/** A range of positions; `to` is excluded. */
export interface Tie {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the runs of documents that differ only in their ids and start before `end`. `fused` is
 * sorted.
 */
export function tiesOf(fused: readonly FusedHit[], end: number): readonly Tie[] {
  const ties: Tie[] = [];
  for (let from = 0; from < Math.min(end, fused.length); ) {
    let to = from + 1;
    while (to < fused.length && alike(fused[from], fused[to])) to++;
    if (to - from > 1) ties.push({ from, to });
    from = to;
  }
  return ties;
}

function alike(a: FusedHit | undefined, b: FusedHit | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.score === b.score &&
    a.bestRank === b.bestRank &&
    a.hit.index === b.hit.index
  );
}

/**
 * Returns the documents with each tie sorted by `idOf`, which is called only for members of ties.
 */
export function breakTies<H extends RankedHit>(
  fused: readonly FusedHit<H>[],
  ties: readonly Tie[],
  idOf: (hit: H) => string,
): readonly FusedHit<H>[] {
  const ordered = [...fused];
  for (const { from, to } of ties) {
    const named = fused
      .slice(from, to)
      .map((one) => ({ one, key: { ...one, hit: { ...one.hit, id: idOf(one.hit) } } }))
      .sort((a, b) => compareFused(a.key, b.key));
    for (const [i, { one }] of named.entries()) ordered[from + i] = one;
  }
  return ordered;
}
