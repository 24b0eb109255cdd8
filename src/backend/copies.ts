// Indexes as files: reading a consistent copy while the index is being written to, and restoring
// one.
import type { JsonObject } from './json.js';

/** A file of an index that is pinned in one consistent state. */
export interface PinnedFile {
  readonly shard: number;
  /** Name within the folder of the shard. */
  readonly name: string;
  /** Identifies the content. Empty for the manifest of a shard, which differs in every state. */
  readonly key: string;
  readonly bytes: number;
}

export interface PinnedIndex {
  readonly pin: number;
  readonly uuid: string;
  readonly shards: number;
  readonly documents: number;
  /** The metadata that a restore needs in addition to the files. */
  readonly description: JsonObject;
  readonly files: readonly PinnedFile[];
}

/** An index to be restored from a copy. */
export interface IndexRestore {
  readonly name: string;
  /** The description of the pinned index. */
  readonly description: JsonObject;
  /** Settings that override those of the copy, and names or patterns of settings to omit. */
  readonly settings: JsonObject;
  readonly ignoredSettings: readonly string[];
  /** Maps the aliases of the copy to their new names; null restores no aliases. */
  readonly renameAlias: ((alias: string) => string) | null;
}

export interface RestoreFolder {
  readonly number: number;
  /** Contains one folder per shard, named "0", "1" and so on. */
  readonly folder: string;
}

/** A copy whose files have been verified. */
export interface FilledCopy {
  readonly target: RestoreFolder;
  readonly restore: IndexRestore;
}

export interface IndexCopies {
  /** Pins the files in a state between two writes. The pin must be released. */
  pin(index: string): Promise<PinnedIndex>;
  /**
   * Reads a part of the file with number `file` in the list. The result is shorter than `length`
   * only at the end of the file.
   */
  read(pin: number, file: number, offset: number, length: number): Promise<Uint8Array>;
  release(pin: number): Promise<void>;

  /**
   * Replaces every match of the Java regular expression `pattern` in `name`, and reports the number
   * of matching steps, limited to `maxSteps`. Throws illegal_argument_exception for an invalid
   * pattern or replacement.
   */
  rename(
    pattern: string,
    replacement: string,
    name: string,
    maxSteps: number,
  ): { readonly name: string; readonly steps: number };
  /** Throws if an open index has the name, or if a setting is invalid. */
  checkRestore(restore: IndexRestore): void;
  /** Creates the target folder, into which the caller writes and syncs the files. */
  prepare(shards: number, bytes: number): Promise<RestoreFolder>;
  /**
   * Compares the files with their descriptions. For a mismatch throws corrupt_index_exception,
   * whose reason starts with [shard/name] of the file.
   */
  verify(target: RestoreFolder, shards: number, files: readonly PinnedFile[]): Promise<void>;
  /** Turns all copies into indexes in one step, replacing closed indexes of the same names. */
  finish(copies: readonly FilledCopy[]): Promise<void>;
  abort(target: RestoreFolder): Promise<void>;
}
