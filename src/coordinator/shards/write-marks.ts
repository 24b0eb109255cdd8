// A string per index that changes with every write to it, so that cached results can be validated.
import type { ShardRef } from '../../worker/tasks.js';

/** Entries of the table; indexes with the same remainder share one and change together. */
export const MARK_PLACES = 16_384;

export class WriteMarks {
  readonly #table: Float64Array;
  #last = 0;

  /** `table`: of MARK_PLACES zeros. Threads may share it; one of them writes. */
  constructor(table: Float64Array = new Float64Array(MARK_PLACES)) {
    this.#table = table;
  }

  wrote(shards: readonly ShardRef[]): void {
    this.#last += 1;
    for (const { index } of shards) this.#table[index % MARK_PLACES] = this.#last;
  }

  /** Contains the number of the index, so that different indexes have different marks. */
  of(index: number): string {
    return `${index}:${this.#table[index % MARK_PLACES]}`;
  }
}
