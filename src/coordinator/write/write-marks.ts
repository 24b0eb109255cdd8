// A text for each index that is another one after every write to it, so that what was counted once need not be counted
// again until something was written.
import type { ShardRef } from '../../worker/tasks.js';

/** Indexes whose numbers are kept; after more all get a new one. */
const KEPT = 10_000;

export class WriteMarks {
  readonly #marks = new Map<number, number>();
  #last = 0;
  /** Of all that are not kept. */
  #others = 0;

  wrote(shards: readonly ShardRef[]): void {
    this.#last += 1;
    for (const { index } of shards) this.#marks.set(index, this.#last);
    if (this.#marks.size <= KEPT) return;
    this.#marks.clear();
    this.#last += 1;
    this.#others = this.#last;
  }

  /** By the number of the index, which is part of it: no two indexes have the same. */
  of(index: number): string {
    return `${index}:${this.#marks.get(index) ?? this.#others}`;
  }
}
