// Requests and results of searches and counts, including aggregations with documents.
import type { IndexOptions } from './documents.js';
import type { JsonObject } from './json.js';
import type { SuggestAnswer } from './suggest.js';

/** A value that is available now or later. */
export type MaybePromise<T> = T | Promise<T>;

/** The client for which a request is executed. */
export interface Waiter {
  /** Throws if the client has disconnected. */
  check(): void;
  /** Aborted when the client disconnects; for operations that wait themselves. */
  signal(): AbortSignal;
  /**
   * Reserves bytes that are held for the answer; circuit_breaking_exception if the limit is
   * exceeded.
   */
  reserve(bytes: number): void;
}

export interface SearchRequest extends IndexOptions {
  /** Index expression; empty or `_all` means every open index. */
  readonly index: string;
  /** The parsed search body, merged with the URL parameters. */
  readonly body: JsonObject;
  /**
   * Restricts the search to these of the indexes that the expression resolves to; absent for all.
   */
  readonly only?: readonly string[] | undefined;
  /** Comma-separated routing values; only their shards are searched. */
  readonly routing?: string | undefined;
  /** Restricts the search to these shard numbers of every index. */
  readonly shards?: readonly number[] | undefined;
  /** Names of aggregations are prefixed with their types. */
  readonly typedKeys?: boolean | undefined;
  /**
   * If false, one failed shard fails the search. By default, failures are reported together with
   * the hits of the other shards.
   */
  readonly allowPartialResults?: boolean | undefined;
  /**
   * Whether an answer without hits may be stored in and served from the request cache; absent to
   * follow the setting of the index.
   */
  readonly requestCache?: boolean | undefined;
  /** The result may have `hitsJson`. */
  readonly hitsJson?: boolean | undefined;
  /** The response shows totals as integers: `hitsJson` may not contain any. */
  readonly totalAsInt?: boolean | undefined;
  readonly waiter?: Waiter | undefined;
}

export interface SearchHit {
  /** Shard of the hit, if it is explained. */
  readonly shard?: number | undefined;
  readonly index: string;
  readonly id: string;
  readonly score: number | null;
  readonly version?: bigint | undefined;
  readonly seqNo?: bigint | undefined;
  readonly primaryTerm?: number | undefined;
  readonly routing?: string | undefined;
  /** JSON bytes of the filtered source. */
  readonly source?: Uint8Array | undefined;
  /** JSON text as written by the core. */
  readonly fields?: string | undefined;
  readonly ignored?: string | undefined;
  /** Values of requested fields that the index ignored. */
  readonly ignoredValues?: string | undefined;
  readonly matchedQueries?: string | undefined;
  readonly explanation?: string | undefined;
  readonly highlight?: string | undefined;
  /** One JSON text per sort key. */
  readonly sort?: readonly string[] | undefined;
  /** JSON text: the place of a nested document in the document whose id it has. */
  readonly nested?: string | undefined;
  /** Hits of the same group or nested documents, by name of the `inner_hits`. */
  readonly innerHits?:
    | { readonly [name: string]: Pick<SearchResult, 'total' | 'maxScore' | 'hits'> }
    | undefined;
  /** The answer omits `_id` (stored_fields: _none_). */
  readonly withoutId?: true | undefined;
}

export interface ShardFailure {
  readonly shard: number;
  readonly index: string;
  readonly reason: {
    readonly type: string;
    readonly reason: string;
    readonly [extra: string]: unknown;
  };
}

/** Documents within the result of an aggregation (top_hits). */
export interface NestedHits {
  readonly nestedHits: readonly SearchHit[];
  readonly total: number;
  readonly maxScore: number | null;
}

/**
 * Results of aggregations: pieces of JSON text, as strings or UTF-8, and documents to be inserted
 * between them.
 */
export type AggregationText = readonly (string | Uint8Array | NestedHits)[];

export interface SearchResult {
  readonly tookMs: number;
  readonly timedOut: boolean;
  readonly terminatedEarly?: boolean | undefined;
  readonly shards: {
    readonly total: number;
    readonly successful: number;
    readonly skipped: number;
    readonly failed: number;
    readonly failures?: readonly ShardFailure[];
  };
  /** Absent if track_total_hits is false. */
  readonly total?: { readonly value: number; readonly relation: 'eq' | 'gte' } | undefined;
  readonly maxScore: number | null;
  readonly hits: readonly SearchHit[];
  /** Used instead of `hits` if the request permits it: comma-separated JSON objects in UTF-8. */
  readonly hitsJson?: Uint8Array | undefined;
  /** Present if requested. */
  readonly aggregations?: AggregationText | undefined;
  /** Present if requested. */
  readonly suggest?: SuggestAnswer;
  /** Present if a reranker failed, so that the hits are in the order without it. */
  readonly rerank?: {
    readonly inference_id: string;
    readonly applied: false;
    readonly error: { readonly type: string; readonly reason: string };
  };
  /** The profile, if requested. */
  readonly profile?: JsonObject | undefined;
  /** Id for requesting the next batch. */
  readonly scrollId?: string;
  /** Id of the point in time that was searched. */
  readonly pitId?: string;
}

/** A search whose names, body and plans have been read. */
export interface PreparedSearch {
  /**
   * Whether it may be executed again: it depends on nothing but names, mappings, settings and
   * configuration, and those have not changed.
   */
  readonly isCurrent: () => boolean;
  /** Mostly available synchronously. `waiter` is the client of this execution. */
  readonly run: (waiter: Waiter | undefined) => MaybePromise<SearchResult>;
}

export interface CountResult {
  readonly count: number;
  readonly shards: SearchResult['shards'];
}
