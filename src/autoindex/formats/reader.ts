// The interface of a format: one entry of the table in `index.ts`.
import type { Family } from '../journal.js';
import type { SniffResult } from '../sniff.js';
import type { ByteSource, FileRecord } from '../source.js';

export interface Reader {
  readonly family: Family;
  /** Numbers and flags are stored as strings and recognized by their form. */
  readonly plainTexts?: true;
  /** Loads the module and its libraries; this time does not count for the file. */
  readonly load: () => Promise<unknown>;
  /**
   * For a file with several tables: their names. Each table is read separately and is an entry with
   * a dataset of its own; `sniffed.table` tells `read` which one to read. Without this member the
   * file is read as a whole.
   */
  readonly tables?: (source: ByteSource, sniffed: SniffResult) => Promise<readonly string[]>;
  /** Tables are distinguished by their names, whatever their columns are. */
  readonly apart?: true;
  /**
   * The documents in the order of their positions. Throws BrokenFile where reading cannot continue.
   */
  readonly read: (source: ByteSource, sniffed: SniffResult) => AsyncIterable<FileRecord>;
}
