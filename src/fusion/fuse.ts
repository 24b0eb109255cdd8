// Joins ranked lists into one: what rrf and linear share. Pure: neither inputs nor anything else is changed.

export interface RankedHit {
  readonly index: string;
  readonly id: string;
  readonly score: number;
}

/** Best first, scores finite. Of a document that comes twice the first place counts. */
export interface WeightedList<H extends RankedHit = RankedHit> {
  readonly hits: readonly H[];
  /** Finite, at least 0; a list of weight 0 is as good as not given. */
  readonly weight: number;
}

/** What one list gave to a document. */
export interface Share {
  /** From 1. */
  readonly rank: number;
  /** Its part of the fused score, weight included. */
  readonly share: number;
}

export interface FusedHit<H extends RankedHit = RankedHit> {
  /** From the list where it ranks best, the earlier one among equals. */
  readonly hit: H;
  readonly score: number;
  readonly bestRank: number;
  /** One a list, undefined where the list lacks the document or weighs 0. */
  readonly shares: readonly (Share | undefined)[];
}

/** The share of each hit of a list, by position. */
export type Scoring<L> = (list: L) => readonly number[];

interface Entry<H extends RankedHit> {
  hit: H;
  bestRank: number;
  readonly shares: (Share | undefined)[];
}

/**
 * All documents of the lists, one entry for each (index, id), by the sum of their shares. The order is total: ties go
 * to the better best rank, then to the smaller index name and id. It does not depend on the order of the lists.
 */
export function fuse<H extends RankedHit, L extends WeightedList<H>>(
  lists: readonly (L & WeightedList<H>)[],
  scoring: Scoring<L>,
): readonly FusedHit<H>[] {
  const entries = new Map<string, Entry<H>>();
  for (const [at, list] of lists.entries()) {
    if (list.weight === 0) continue;
    const shares = scoring(list);
    for (const [position, hit] of list.hits.entries()) {
      const entry = entryOf(entries, hit, lists.length);
      if (entry.shares[at] !== undefined) continue;
      const rank = position + 1;
      entry.shares[at] = { rank, share: shares[position] ?? 0 };
      if (rank < entry.bestRank) {
        entry.bestRank = rank;
        entry.hit = hit;
      }
    }
  }
  return [...entries.values()]
    .map((entry) => ({ ...entry, score: sumOf(entry.shares) }))
    .sort(compareFused);
}

function entryOf<H extends RankedHit>(
  entries: Map<string, Entry<H>>,
  hit: H,
  lists: number,
): Entry<H> {
  const key = `${hit.index.length}:${hit.index}${hit.id}`;
  const known = entries.get(key);
  if (known !== undefined) return known;
  const shares = new Array<Share | undefined>(lists).fill(undefined);
  const entry = { hit, bestRank: Number.POSITIVE_INFINITY, shares };
  entries.set(key, entry);
  return entry;
}

/** Added from the smallest on, so that the order of the lists changes not even the last digit. */
function sumOf(shares: readonly (Share | undefined)[]): number {
  return shares
    .flatMap((share) => (share === undefined ? [] : [share.share]))
    .sort((a, b) => a - b)
    .reduce((sum, share) => sum + share, 0);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

export function compareFused(a: FusedHit, b: FusedHit): number {
  return (
    b.score - a.score ||
    a.bestRank - b.bestRank ||
    compareText(a.hit.index, b.hit.index) ||
    compareText(a.hit.id, b.hit.id)
  );
}
