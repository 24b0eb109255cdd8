// Joins ranked lists into one: what rrf and linear share. Pure: neither inputs nor anything else is changed.
//
// The first hits of each list, its window, add up: a document's score is the sum of what these lists give to it. Below the
// window it counts by its best place alone, so that the first n of the whole ranking are known from the first n of each
// list, and pages of any offset are windows of one ranking: whatever is deeper than n in every list scores no more than the
// n documents before it, and ranks behind them.

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
  /** Its place is below the window: the share adds to no other, the best one counts where it is more than the sum. */
  readonly alone?: true;
}

export interface FusedHit<H extends RankedHit = RankedHit> {
  /** From the list where it ranks best, the earlier one among equals. */
  readonly hit: H;
  readonly score: number;
  readonly bestRank: number;
  /** One a list, undefined where the list lacks the document or weighs 0. */
  readonly shares: readonly (Share | undefined)[];
}

/** The share of each hit of a list, by position, never rising. */
export type Scoring<L> = (list: L) => readonly number[];

interface Entry<H extends RankedHit> {
  hit: H;
  bestRank: number;
  readonly shares: (Share | undefined)[];
}

/**
 * All documents of the lists, one entry for each (index, id), by their scores. The order is total: ties go
 * to the better best rank, then to the smaller index name and id. It does not depend on the order of the lists.
 * `window`: how many hits of each list add up.
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

/** Added from the smallest on, so that the order of the lists changes not even the last digit. */
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
