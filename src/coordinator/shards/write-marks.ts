// A string per index that changes with every write to it, so that cached results can be validated.
import type { ShardRef } from '../../worker/tasks.js';

/** Indexes with a mark of their own; beyond this number all marks are reset to a new value. */
const KEPT = 10_000;

export class WriteMarks {
  readonly #marks = new Map<number, number>();
  #last = 0;
  /** The mark of all other indexes. */
  #others = 0;

  wrote(shards: readonly ShardRef[]): void {
    this.#last += 1;
    for (const { index } of shards) this.#marks.set(index, this.#last);
    if (this.#marks.size <= KEPT) return;
    this.#marks.clear();
    this.#last += 1;
    this.#others = this.#last;
  }

  /** Contains the number of the index, so that different indexes have different marks. */
  of(index: number): string {
    return `${index}:${this.#marks.get(index) ?? this.#others}`;
  }
}
