// Merges the ranked lists of several shards into one page. The order is total: score (or sort
// keys), then index name, then insertion order, so that a page does not depend on the number of
// shards or on the order of their replies.
import { QuarryError } from '../../errors.js';
import { compareHits, type MergeKey, type RankedList } from '../../wire/hit-order.js';
import type { SortColumn } from '../../wire/sort-column.js';

export { type MergeKey, mergeOrder, type RankedList } from '../../wire/hit-order.js';

/**
 * A hit of the merged order: `list` is the position in the input, `hit` the position in that list.
 */
export interface MergedHit {
  readonly list: number;
  readonly hit: number;
}

/**
 * Throws illegal_argument_exception if a key has values of types that cannot be compared. `fields`:
 * the names of the keys.
 */
export function checkMergeable(lists: readonly RankedList[], fields: readonly string[]): void {
  for (const [key, field] of fields.entries()) {
    let seen: { readonly family: string; readonly index: string } | undefined;
    for (const { hits, indexName } of lists) {
      const column = hits.sort[key];
      if (column === undefined || isAllNull(column, hits.hits)) continue;
      if (seen !== undefined && seen.family !== column.family) {
        throw new QuarryError(
          'illegal_argument_exception',
          `Can't sort on field [${field}]; the field has incompatible sort types: ` +
            `[${seen.family}] in [${seen.index}] and [${column.family}] in [${indexName}]`,
        );
      }
      seen = { family: column.family, index: indexName };
    }
  }
}

function isAllNull(column: SortColumn, hits: number): boolean {
  for (let hit = 0; hit < hits; hit++) if (!column.isNull(hit)) return false;
  return true;
}

/** Hits [from, from + size) of the merged order; empty `order`: by score. Every list is sorted. */
export function mergeRanked(
  lists: readonly RankedList[],
  order: readonly MergeKey[],
  from: number,
  size: number,
): readonly MergedHit[] {
  if (lists.length === 1) return slice(lists[0]?.hits.hits ?? 0, from, size);
  const heap = new CursorHeap(lists, order);
  const page: MergedHit[] = [];
  for (let rank = 0; rank < from + size; rank++) {
    const next = heap.pop();
    if (next === undefined) break;
    if (rank >= from) page.push(next);
  }
  return page;
}

function slice(hits: number, from: number, size: number): readonly MergedHit[] {
  const count = Math.max(0, Math.min(size, hits - from));
  const page: MergedHit[] = [];
  for (let i = 0; i < count; i++) page.push({ list: 0, hit: from + i });
  return page;
}

/** A binary heap of one cursor for each list that has hits left; the best is on top. */
class CursorHeap {
  readonly #lists: readonly RankedList[];
  readonly #order: readonly MergeKey[];
  readonly #at: Uint32Array;
  readonly #heap: number[] = [];

  constructor(lists: readonly RankedList[], order: readonly MergeKey[]) {
    this.#lists = lists;
    this.#order = order;
    this.#at = new Uint32Array(lists.length);
    for (const [i, list] of lists.entries()) {
      if (list.hits.hits > 0) {
        this.#heap.push(i);
        this.#up(this.#heap.length - 1);
      }
    }
  }

  pop(): MergedHit | undefined {
    const list = this.#heap[0];
    if (list === undefined) return undefined;
    const hit = this.#at[list] ?? 0;
    this.#at[list] = hit + 1;
    if (hit + 1 >= (this.#lists[list]?.hits.hits ?? 0)) {
      const last = this.#heap.pop();
      if (last !== undefined && this.#heap.length > 0) this.#heap[0] = last;
    }
    this.#down(0);
    return { list, hit };
  }

  #up(from: number): void {
    for (let i = from; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (!this.#before(i, parent)) return;
      this.#swap(i, parent);
      i = parent;
    }
  }

  #down(from: number): void {
    for (let i = from; ; ) {
      const left = 2 * i + 1;
      let best = i;
      if (left < this.#heap.length && this.#before(left, best)) best = left;
      if (left + 1 < this.#heap.length && this.#before(left + 1, best)) best = left + 1;
      if (best === i) return;
      this.#swap(i, best);
      i = best;
    }
  }

  #swap(i: number, j: number): void {
    const at = this.#heap[i] ?? 0;
    this.#heap[i] = this.#heap[j] ?? 0;
    this.#heap[j] = at;
  }

  #before(i: number, j: number): boolean {
    const a = this.#heap[i] ?? 0;
    const b = this.#heap[j] ?? 0;
    const listA = this.#lists[a];
    const listB = this.#lists[b];
    if (listA === undefined || listB === undefined) return false;
    return compareHits(listA, this.#at[a] ?? 0, listB, this.#at[b] ?? 0, this.#order) < 0;
  }
}
