// The parts of a search plan before it is encoded.
import type { PlanWriter } from './plan-writer.js';

/** A JSON scalar in its original spelling. */
export interface Scalar {
  readonly kind: 'null' | 'boolean' | 'number' | 'string';
  readonly text: string;
}

export interface MatchOptions {
  readonly operator: 'or' | 'and';
  /** An empty string in these three members stands for the default. */
  readonly minimumShouldMatch: string;
  readonly analyzer: string;
  readonly fuzziness: string;
  readonly prefixLength: number;
  readonly maxExpansions: number;
  readonly transpositions: boolean;
  readonly zeroTerms: 'none' | 'all';
  readonly lenient: boolean;
  /** A synonym of several words matches as a phrase; otherwise all of its words have to match. */
  readonly synonymPhrases: boolean;
  /** The expansions of a fuzzy word score a constant. */
  readonly constantWords: boolean;
}

export interface PlanSortKey {
  /** `_score`, `_doc`, `_id` or the name of a field. */
  readonly field: string;
  readonly order: 'asc' | 'desc';
  readonly mode: 'default' | 'min' | 'max' | 'sum' | 'avg' | 'median';
  readonly missing: '_last' | '_first' | Scalar;
  /** These three members may be empty. */
  readonly unmappedType: string;
  readonly numericType: string;
  readonly format: string;
  /**
   * For `_script`: writes the script (native/core/query/functions/script.h); for `_geo_distance`:
   * the points and options of the distance.
   */
  readonly details?: WriteQuery;
  /** The values of nested documents: from the outermost path to that of the field. */
  readonly nested?: readonly NestedSortLevel[];
  /** Writes a query whose score is the value; the field is empty. */
  readonly query?: WriteQuery;
}

export interface NestedSortLevel {
  readonly path: string;
  /** Documents with a value that are considered; undefined: all. */
  readonly maxChildren: number | undefined;
  readonly filter: WriteQuery | undefined;
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
  /** NO_TOTAL, EXACT_TOTAL, or the count at which counting stops. */
  readonly trackTotalHits: number;
  readonly nowMs: number;
  /** 0: no limit. */
  readonly timeoutUs: number;
  readonly from: number;
  readonly size: number;
  /** The number of hits requested of each leg, at least from + size. */
  readonly window: number;
  /** 0: no limit. */
  readonly terminateAfter: number;
  readonly minScore?: number;
}

/** A snapshot that an earlier phase of the request used. */
export interface ShardSnapshot {
  readonly index: number;
  readonly shard: number;
  readonly generation: bigint;
}

/** The parameters of a knn clause for a shard. */
export interface KnnFields {
  readonly field: string;
  readonly vector: ArrayLike<number>;
  readonly k: number;
  /** 0: not given. */
  readonly numCandidates: number;
  /** The minimum similarity of a hit; NaN: none. */
  readonly similarity: number;
}

/** The parameters of a semantic clause for a shard. */
export interface SemanticFields {
  readonly field: string;
  readonly text: string;
  /**
   * The embedding of the text by each remote embedder; empty if all fields use the built-in
   * embedder.
   */
  readonly vectors: readonly EmbeddedText[];
  readonly k: number;
  /** 0: not given. */
  readonly numCandidates: number;
  /** If false, the vectors of whole texts alone rank. */
  readonly passages: boolean;
}

export interface EmbeddedText {
  /** The embedder's identity, as mappings print it. */
  readonly embedder: string;
  readonly vector: ArrayLike<number>;
}

/**
 * Documents of a shard that an earlier phase found, by ascending number in its snapshot, and their
 * scores.
 */
export interface ShardScores {
  readonly index: number;
  readonly shard: number;
  readonly docs: ArrayLike<number>;
  readonly scores: ArrayLike<number>;
}

/** Writes one query node, including its header. */
export type WriteQuery = (writer: PlanWriter) => void;

export interface PlanInput {
  readonly header: PlanHeader;
  readonly legs: readonly WriteQuery[];
  readonly postFilter?: WriteQuery | undefined;
  readonly sort: readonly PlanSortKey[];
  readonly searchAfter: readonly Scalar[];
  readonly fetch: FetchSpec;
  /** Write the optional frame nodes. */
  readonly frames?: readonly WriteQuery[];
  /** The snapshots to search instead of the newest. */
  readonly snapshots?: readonly ShardSnapshot[];
}
