// Fuses ranked lists into one: the part that rrf and linear share. The functions are pure.
//
// A document's score is the sum of its shares from the first hits of each list, the window. Below
// the window it counts only by its best share, so that the first n of the whole ranking depend only
// on the first n of each list, and pages at any offset are parts of one ranking: a document deeper
// than n in every list scores no more than the n documents before it, and ranks behind them.

export interface RankedHit {
  readonly index: string;
  readonly id: string;
  readonly score: number;
}

/** Best first, scores finite. The first position of a repeated document applies. */
export interface WeightedList<H extends RankedHit = RankedHit> {
  readonly hits: readonly H[];
  /** Finite, at least 0; a list of weight 0 is ignored. */
  readonly weight: number;
}

/** The contribution of one list to a document. */
export interface Share {
  /** From 1. */
  readonly rank: number;
  /** The part of the fused score, including the list's weight. */
  readonly share: number;
  /**
   * The rank is below the window: the share is not added to others; the best such share applies if
   * it exceeds the sum.
   */
  readonly alone?: true;
}

export interface FusedHit<H extends RankedHit = RankedHit> {
  /** From the list where the document has its best rank; the earlier list for equal ranks. */
  readonly hit: H;
  readonly score: number;
  readonly bestRank: number;
  /** One share for each list; undefined if the list lacks the document or has weight 0. */
  readonly shares: readonly (Share | undefined)[];
}

/** Returns the share of each hit of a list, by position; shares never increase. */
export type Scoring<L> = (list: L) => readonly number[];

interface Entry<H extends RankedHit> {
  hit: H;
  bestRank: number;
  readonly shares: (Share | undefined)[];
}

/**
 * Returns all documents of the lists, one entry for each (index, id), sorted by score. The order is
 * total: ties go to the better best rank, then to the smaller index name and id. It does not depend
 * on the order of the lists. `window` is the number of hits of each list that are summed.
 */
export function fuse<H extends RankedHit, L extends WeightedList<H>>(
  lists: readonly (L & WeightedList<H>)[],
  scoring: Scoring<L>,
  window = Number.POSITIVE_INFINITY,
): readonly FusedHit<H>[] {
  const entries = new Map<string, Entry<H>>();
  for (const [at, list] of lists.entries()) {
    if (list.weight === 0) continue;
    const shares = scoring(list);
    for (const [position, hit] of list.hits.entries()) {
      const entry = entryOf(entries, hit, lists.length);
      if (entry.shares[at] !== undefined) continue;
      const rank = position + 1;
      const share = shares[position] ?? 0;
      entry.shares[at] = rank > window ? { rank, share, alone: true } : { rank, share };
      if (rank < entry.bestRank) {
        entry.bestRank = rank;
        entry.hit = hit;
      }
    }
  }
  return [...entries.values()]
    .map((entry) => ({ ...entry, score: scoreOf(entry.shares) }))
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

/** Adds the smallest shares first, so that the order of the lists does not change the rounding. */
function scoreOf(shares: readonly (Share | undefined)[]): number {
  const adding: number[] = [];
  let best = Number.NEGATIVE_INFINITY;
  for (const share of shares) {
    if (share === undefined) continue;
    if (share.alone === true) best = Math.max(best, share.share);
    else adding.push(share.share);
  }
  if (adding.length === 0) return best;
  const sum = adding.sort((a, b) => a - b).reduce((total, share) => total + share, 0);
  return Math.max(sum, best);
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
