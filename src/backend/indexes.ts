// Indexes and their aliases as the administration API shows and changes them.
import type { JsonObject } from './json.js';

/** One index as the administration API shows it. */
export interface IndexDescription {
  readonly name: string;
  readonly number: number;
  readonly uuid: string;
  readonly shards: number;
  readonly state: 'open' | 'close';
  readonly hidden: boolean;
  readonly creationDate: number;
  /** Nested form with string leaves, as GET _settings prints it: {index: {number_of_shards: "1", …}}. */
  readonly settings: JsonObject;
  readonly mappings: JsonObject;
  readonly aliases: { readonly [alias: string]: JsonObject };
  /**
   * Aliases whose filters are all that whoever asked may see of the index: what counts all of its documents is not for him.
   * Absent: he may use the index itself, or an alias that shows everything.
   */
  readonly filteredBy?: readonly string[];
  /** What of it is out of service, as far as it was noticed: its requests are refused. Absent or empty: nothing. */
  readonly damage?: readonly ShardDamage[];
}

export interface ShardDamage {
  /** Null: all of the index, its metadata cannot be read. */
  readonly shard: number | null;
  /** Names file, section and offset. */
  readonly reason: string;
}

/** What cannot be read of what the node keeps by name, and is out of service until it is mended. */
export interface DamagedEntry {
  /** [index], [alias], [index_template], [stored script] … or [file] for a whole list of entries. */
  readonly kind: string;
  readonly name: string;
  /** Says what to do as well. */
  readonly reason: string;
}

export interface IndexStats {
  readonly docs: number;
  readonly deleted: number;
  readonly bytes: number;
  readonly segments: number;
  /** Everything the core counts, for _stats, _segments and metrics. */
  readonly detail: JsonObject;
}

export interface ShardsAnswer {
  readonly total: number;
  readonly successful: number;
  readonly failed: number;
}

/** An index as a search of an expression reaches it. */
export interface SearchedShards {
  readonly index: string;
  /** The shards that routing leaves, its own and that of aliases, in order. */
  readonly shards: readonly number[];
  /** Of the aliases that lead to it; any of them has to match, none: every document is searched. */
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

/** A new index takes the place of the one that an alias writes to. */
export interface Rollover {
  readonly alias: string;
  /** The index that the alias wrote to when the rollover was decided on. */
  readonly from: string;
  readonly to: string;
  /** Of the new index: settings, mappings, aliases. */
  readonly body: JsonObject;
}

/** What became of an action. */
export interface AliasOutcome {
  /** That it concerned. */
  readonly indexes: readonly string[];
  /** False: there was nothing to remove. */
  readonly done: boolean;
}
