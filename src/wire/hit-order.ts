// The order of hits across shards: score (or sort keys), then index name, then insertion order, so
// that it does not depend on the number of shards or on the order of their responses.
import type { LegHits } from './hits-reader.js';
import type { PlanSortKey } from './plan-writer.js';
import { SortColumn } from './sort-column.js';

/** The list of one shard. */
export interface RankedList {
  readonly indexName: string;
  readonly hits: LegHits;
}

/** One sort key. An order without keys is by score, best first. */
export interface MergeKey {
  readonly descending: boolean;
  readonly missingFirst: boolean;
}

export function mergeOrder(sort: readonly PlanSortKey[]): readonly MergeKey[] {
  return sort.map(({ order, missing }) => ({
    descending: order === 'desc',
    missingFirst: missing === '_first',
  }));
}

/** Negative if hit `i` of `a` comes before hit `j` of `b`. */
export function compareHits(
  a: RankedList,
  i: number,
  b: RankedList,
  j: number,
  order: readonly MergeKey[],
): number {
  const first = order.length === 0 ? compareScores(a.hits, i, b.hits, j) : 0;
  if (first !== 0) return first;
  for (const [key, { descending, missingFirst }] of order.entries()) {
    const columnA = a.hits.sort[key];
    const columnB = b.hits.sort[key];
    if (columnA === undefined || columnB === undefined) continue;
    const c = compareKeys(columnA, i, columnB, j, descending, missingFirst);
    if (c !== 0) return c;
  }
  if (a.indexName !== b.indexName) return a.indexName < b.indexName ? -1 : 1;
  const seqA = a.hits.seqNos[i] ?? 0n;
  const seqB = b.hits.seqNos[j] ?? 0n;
  return seqA < seqB ? -1 : seqA > seqB ? 1 : 0;
}

function compareScores(a: LegHits, i: number, b: LegHits, j: number): number {
  return (b.scores[j] ?? 0) - (a.scores[i] ?? 0);
}

function compareKeys(
  a: SortColumn,
  i: number,
  b: SortColumn,
  j: number,
  descending: boolean,
  missingFirst: boolean,
): number {
  const nullA = a.isNull(i);
  const nullB = b.isNull(j);
  if (nullA || nullB) {
    if (nullA && nullB) return 0;
    return nullA === missingFirst ? -1 : 1;
  }
  const c = SortColumn.compare(a, i, b, j);
  return descending ? -c : c;
}
