// Reads files by their formats, each where it belongs: here, or in the worker with limits.
import { readerOf } from './formats/index.js';
import { Isolation } from './isolation.js';
import type { Sniffed } from './sniff.js';
import type { ByteSource, FileRecord } from './source.js';

export class Readers {
  readonly #isolation: Isolation;

  constructor(isolation = new Isolation()) {
    this.#isolation = isolation;
  }

  /** Documents of the source, one reading at a time; BrokenFile where it cannot go on, or has no reader. */
  async *read(source: ByteSource, sniffed: Sniffed): AsyncIterable<FileRecord> {
    const reader = readerOf(sniffed);
    yield* (reader.isolated === true ? this.#isolation : reader).read(source, sniffed);
  }

  /** Names of what the file holds as tables; undefined for one that is read as a whole. */
  async tables(source: ByteSource, sniffed: Sniffed): Promise<readonly string[] | undefined> {
    const reader = readerOf(sniffed);
    if (reader.tables === undefined) return undefined;
    return reader.isolated === true
      ? this.#isolation.tables(source, sniffed)
      : reader.tables(source, sniffed);
  }

  close(): Promise<void> {
    return this.#isolation.close();
  }
}
