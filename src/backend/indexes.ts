// Descriptions of indexes and aliases, and the changes that can be made to them.
import type { JsonObject } from './json.js';

/** An index as the administration API shows it. */
export interface IndexDescription {
  readonly name: string;
  readonly number: number;
  readonly uuid: string;
  readonly shards: number;
  readonly state: 'open' | 'close';
  readonly hidden: boolean;
  readonly creationDate: number;
  /**
   * Nested settings with strings as leaves, as printed by GET _settings: {index: {number_of_shards:
   * "1", …}}.
   */
  readonly settings: JsonObject;
  readonly mappings: JsonObject;
  readonly aliases: { readonly [alias: string]: JsonObject };
  /**
   * Names of filtered aliases, if the caller sees the index only through these; operations that
   * count all documents are then not permitted. Absent if the caller may use the index itself or an
   * alias without a filter.
   */
  readonly filteredBy?: readonly string[];
  /**
   * Parts of the index that were found damaged; requests to them are rejected. Absent or empty if
   * there are none.
   */
  readonly damage?: readonly ShardDamage[];
}

export interface ShardDamage {
  /** Null if the metadata of the index is damaged, and so all of it. */
  readonly shard: number | null;
  /** Names the file, section and offset. */
  readonly reason: string;
}

/** A stored entry that cannot be read and is out of service until it is repaired. */
export interface DamagedEntry {
  /**
   * [index], [alias], [index_template], [stored script] …, or [file] for a whole file of entries.
   */
  readonly kind: string;
  readonly name: string;
  /** What is wrong and how to repair it. */
  readonly reason: string;
}

export interface IndexStats {
  readonly docs: number;
  readonly deleted: number;
  readonly bytes: number;
  readonly segments: number;
  /** All counters of the core, for _stats, _segments and metrics. */
  readonly detail: JsonObject;
}

export interface ShardsAnswer {
  readonly total: number;
  readonly successful: number;
  readonly failed: number;
}

/** An index as reached by a search of an expression. */
export interface SearchedShards {
  readonly index: string;
  /** The shards selected by the routing of the request and of aliases, in ascending order. */
  readonly shards: readonly number[];
  /**
   * Filters of the aliases that lead to the index. A document must match at least one; if the list
   * is empty, all documents are searched.
   */
  readonly filters: readonly JsonObject[];
}

export type AliasAction =
  | {
      readonly add: {
        readonly index: string;
        readonly alias: string;
        readonly properties: JsonObject;
      };
    }
  | {
      readonly remove: {
        readonly index: string;
        readonly alias: string;
        readonly mustExist?: boolean;
      };
    }
  | { readonly removeIndex: { readonly index: string } };

/** Replaces the write index of an alias with a new index. */
export interface Rollover {
  readonly alias: string;
  /** The write index of the alias when the rollover was decided. */
  readonly from: string;
  readonly to: string;
  /** Settings, mappings and aliases of the new index. */
  readonly body: JsonObject;
}

/** The result of an alias action. */
export interface AliasOutcome {
  /** The affected indexes. */
  readonly indexes: readonly string[];
  /** False if there was nothing to remove. */
  readonly done: boolean;
}
