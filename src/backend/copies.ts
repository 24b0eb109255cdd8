// Whole indexes as files: out of a node that is written to, and into it.
import type { JsonObject } from './json.js';

/** A file of an index that is held as it was at one moment. */
export interface PinnedFile {
  readonly shard: number;
  /** In the folder of its shard. */
  readonly name: string;
  /** Names the content; empty for the manifest of a shard, which no other state shares. */
  readonly key: string;
  readonly bytes: number;
}

export interface PinnedIndex {
  readonly pin: number;
  readonly uuid: string;
  readonly shards: number;
  readonly documents: number;
  /** What a restore needs to know of the index beside its files. */
  readonly description: JsonObject;
  readonly files: readonly PinnedFile[];
}

/** An index to be made of a copy. */
export interface IndexRestore {
  readonly name: string;
  /** Of the index that was pinned. */
  readonly description: JsonObject;
  /** Settings that replace those of the copy, and names or patterns of those that are left out. */
  readonly settings: JsonObject;
  readonly ignoredSettings: readonly string[];
  /** Its aliases by the names they are to have; null: none. */
  readonly renameAlias: ((alias: string) => string) | null;
}

export interface RestoreFolder {
  readonly number: number;
  /** Holds a folder for each shard, "0" and so on. */
  readonly folder: string;
}

/** Whole indexes as files: out of this node while it is written to, and into it once every checksum was verified. */
/** A copy whose files were verified. */
export interface FilledCopy {
  readonly target: RestoreFolder;
  readonly restore: IndexRestore;
}

export interface IndexCopies {
  /** Between two writes. Must be released. */
  pin(index: string): Promise<PinnedIndex>;
  /** Part of the file at that place of the list; shorter only at its end. */
  read(pin: number, file: number, offset: number, length: number): Promise<Uint8Array>;
  release(pin: number): Promise<void>;

  /**
   * `name` with every match of the pattern replaced, in Java's spelling, and the steps that it took, of which `maxSteps` are
   * allowed. illegal_argument_exception for what is no pattern or no replacement.
   */
  rename(
    pattern: string,
    replacement: string,
    name: string,
    maxSteps: number,
  ): { readonly name: string; readonly steps: number };
  /** Rejects when the name is taken by an open index, or a setting cannot be. */
  checkRestore(restore: IndexRestore): void;
  /** Makes a folder that the files are then written to, and synced. */
  prepare(shards: number, bytes: number): Promise<RestoreFolder>;
  /** corrupt_index_exception begins with [shard/name] of the file that is not as it was. */
  verify(target: RestoreFolder, shards: number, files: readonly PinnedFile[]): Promise<void>;
  /** Makes them indexes, all or none, in the place of closed ones of their names. */
  finish(copies: readonly FilledCopy[]): Promise<void>;
  abort(target: RestoreFolder): Promise<void>;
}
