// What each format is to the rest of autoindex: one row of the table in `index.ts`.
import type { Family } from '../journal.js';
import type { SniffResult } from '../sniff.js';
import type { ByteSource, FileRecord } from '../source.js';

export interface Reader {
  readonly family: Family;
  /** Numbers and flags are written as texts, and are told from texts by what they look like. */
  readonly plainTexts?: true;
  /** Loads its module and libraries: the time that this takes is not the file's. */
  readonly load: () => Promise<unknown>;
  /**
   * Of a file that holds several tables: their names, each of which is read by itself and is an entry with a dataset of
   * its own. `read` is then told which by `sniffed.table`. Without it the file is read as one.
   */
  readonly tables?: (source: ByteSource, sniffed: SniffResult) => Promise<readonly string[]>;
  /** Its tables are told from each other by their names, whatever their columns are called. */
  readonly apart?: true;
  /** Documents, in the order of their places. Throws BrokenFile where it cannot go on. */
  readonly read: (source: ByteSource, sniffed: SniffResult) => AsyncIterable<FileRecord>;
}
