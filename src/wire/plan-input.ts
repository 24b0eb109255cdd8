// What a search plan is made of, before it is bytes.
import type { PlanWriter } from './plan-writer.js';

/** A JSON scalar with the spelling of the caller. */
export interface Scalar {
  readonly kind: 'null' | 'boolean' | 'number' | 'string';
  readonly text: string;
}

export interface MatchOptions {
  readonly operator: 'or' | 'and';
  /** These three may be empty: the default. */
  readonly minimumShouldMatch: string;
  readonly analyzer: string;
  readonly fuzziness: string;
  readonly prefixLength: number;
  readonly maxExpansions: number;
  readonly transpositions: boolean;
  readonly zeroTerms: 'none' | 'all';
  readonly lenient: boolean;
  /** A synonym of several words matches as a phrase; else all of its words have to match. */
  readonly synonymPhrases: boolean;
  /** What a fuzzy word expands to scores a constant. */
  readonly constantWords: boolean;
}

export interface PlanSortKey {
  /** `_score`, `_doc`, `_id` or the name of a field. */
  readonly field: string;
  readonly order: 'asc' | 'desc';
  readonly mode: 'default' | 'min' | 'max' | 'sum' | 'avg' | 'median';
  readonly missing: '_last' | '_first' | Scalar;
  /** These three may be empty. */
  readonly unmappedType: string;
  readonly numericType: string;
  readonly format: string;
  /** Of `_script`: writes the script (native/core/query/functions/script.h). */
  readonly script?: WriteQuery;
}

export interface FieldAndFormat {
  readonly field: string;
  /** May be empty. */
  readonly format: string;
}

export interface FetchSpec {
  readonly source:
    | boolean
    | { readonly includes: readonly string[]; readonly excludes: readonly string[] };
  /** FETCH_* bits. */
  readonly flags: number;
  readonly docvalueFields: readonly FieldAndFormat[];
  readonly fields: readonly FieldAndFormat[];
}

export interface PlanHeader {
  /** PLAN_* bits. */
  readonly flags: number;
  /** NO_TOTAL, EXACT_TOTAL or where counting stops. */
  readonly trackTotalHits: number;
  readonly nowMs: number;
  /** 0: no limit. */
  readonly timeoutUs: number;
  readonly from: number;
  readonly size: number;
  /** Hits wanted of each leg, at least from + size. */
  readonly window: number;
  /** 0: no limit. */
  readonly terminateAfter: number;
  readonly minScore?: number;
}

/** A snapshot that an earlier phase of the request saw. */
export interface ShardSnapshot {
  readonly index: number;
  readonly shard: number;
  readonly generation: bigint;
}

/** What a knn clause asks of every shard. */
export interface KnnFields {
  readonly field: string;
  readonly vector: ArrayLike<number>;
  readonly k: number;
  /** 0: not given. */
  readonly numCandidates: number;
  /** Least similarity of a neighbour; NaN: none. */
  readonly similarity: number;
}

/** What a semantic clause asks of every shard. */
export interface SemanticFields {
  readonly field: string;
  readonly text: string;
  /** The text as remote embedders have it, each once; none where every field is embedded by the built-in one. */
  readonly vectors: readonly EmbeddedText[];
  readonly k: number;
  /** 0: not given. */
  readonly numCandidates: number;
}

export interface EmbeddedText {
  /** Identity of the embedder as mappings print it. */
  readonly embedder: string;
  readonly vector: ArrayLike<number>;
}

/** Documents that an earlier phase found in a shard, by number in the snapshot it saw, ascending, and their scores. */
export interface ShardScores {
  readonly index: number;
  readonly shard: number;
  readonly docs: ArrayLike<number>;
  readonly scores: ArrayLike<number>;
}

/** Writes one query node, header and all. */
export type WriteQuery = (writer: PlanWriter) => void;

export interface PlanInput {
  readonly header: PlanHeader;
  readonly legs: readonly WriteQuery[];
  readonly postFilter?: WriteQuery | undefined;
  readonly sort: readonly PlanSortKey[];
  readonly searchAfter: readonly Scalar[];
  readonly fetch: FetchSpec;
  /** Writes frame nodes that not every plan has. */
  readonly frames?: readonly WriteQuery[];
  /** These are searched instead of the newest. */
  readonly snapshots?: readonly ShardSnapshot[];
}
