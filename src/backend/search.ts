// A search, a count and their answers; aggregations with documents in them.
import type { IndexOptions } from './documents.js';
import type { JsonObject } from './json.js';
import type { SuggestAnswer } from './suggest.js';

/** What is there at once or later. */
export type MaybePromise<T> = T | Promise<T>;

/** Whoever waits for an answer. */
export interface Waiter {
  /** Throws when he is gone. */
  check(): void;
  /** Aborted when he goes; for what waits itself. */
  signal(): AbortSignal;
  /** Counts bytes that are held for his answer; circuit_breaking_exception where there is no room for them. */
  reserve(bytes: number): void;
}

export interface SearchRequest extends IndexOptions {
  /** Index expression; empty or `_all` means every open index. */
  readonly index: string;
  /** The search body, parsed; the URL parameters are already merged into it. */
  readonly body: JsonObject;
  /** Of the indexes that the expression names only these, as it reaches them; absent: all. */
  readonly only?: readonly string[] | undefined;
  /** Values between commas: only the shards that they lie on are searched. */
  readonly routing?: string | undefined;
  /** Only these shards of every index, as far as it has them. */
  readonly shards?: readonly number[] | undefined;
  /** Aggregations are named with their types. */
  readonly typedKeys?: boolean | undefined;
  /** False: one failed shard fails the search. Default true: its failure stands beside the hits of the others. */
  readonly allowPartialResults?: boolean | undefined;
  /** Whether an answer without hits may be kept and come from what was kept; absent: as the index's settings say. */
  readonly requestCache?: boolean | undefined;
  /** A few documents by id: may be answered without another thread. */
  readonly small?: boolean | undefined;
  /** The answer may have `hitTexts`. */
  readonly hitTexts?: boolean | undefined;
  /** The same object may come as a body again: what is made of it is kept, and the answer may have `again`. */
  readonly mayRepeat?: boolean | undefined;
  readonly waiter?: Waiter | undefined;
}

export interface SearchHit {
  /** Where it was found: of hits that are explained. */
  readonly shard?: number | undefined;
  readonly index: string;
  readonly id: string;
  readonly score: number | null;
  readonly version?: bigint | undefined;
  readonly seqNo?: bigint | undefined;
  readonly primaryTerm?: number | undefined;
  readonly routing?: string | undefined;
  /** Raw JSON bytes of the (filtered) source. */
  readonly source?: Uint8Array | undefined;
  /** JSON texts as the core wrote them. */
  readonly fields?: string | undefined;
  readonly ignored?: string | undefined;
  /** Of fields that were asked for, values that the index did not take. */
  readonly ignoredValues?: string | undefined;
  readonly matchedQueries?: string | undefined;
  readonly explanation?: string | undefined;
  readonly highlight?: string | undefined;
  /** One JSON text per sort key. */
  readonly sort?: readonly string[] | undefined;
  /** Of a collapsed search: hits of its group, by the name that was asked for. */
  readonly innerHits?: {
    readonly [name: string]: Pick<SearchResult, 'total' | 'maxScore' | 'hits'>;
  };
  /** The answer shows no `_id` (stored_fields: _none_). */
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

/** Documents inside the answer of an aggregation (top_hits). */
export interface NestedHits {
  readonly nestedHits: readonly SearchHit[];
  readonly total: number;
  readonly maxScore: number | null;
}

/** Answers of aggregations: pieces of JSON text, as letters or UTF-8, with documents in it. */
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
  /** Absent when track_total_hits is false. */
  readonly total?: { readonly value: number; readonly relation: 'eq' | 'gte' } | undefined;
  readonly maxScore: number | null;
  readonly hits: readonly SearchHit[];
  /** Instead of `hits`, where the request allows it: JSON objects with commas between them, in UTF-8. */
  readonly hitTexts?: Uint8Array | undefined;
  /** When some were asked for. */
  readonly aggregations?: AggregationText | undefined;
  /** When some were asked for. */
  readonly suggest?: SuggestAnswer;
  /** What was done, when it was asked for. */
  readonly profile?: JsonObject | undefined;
  /**
   * Asks the same once more, where nothing has changed that the search was made of and the answer is there at once; undefined:
   * it has to be asked for as before. Of a request that says `mayRepeat`.
   */
  readonly again?: (() => MaybePromise<SearchResult> | undefined) | undefined;
  /** To ask for the next batch with. */
  readonly scrollId?: string;
  /** Of the point in time that was searched. */
  readonly pitId?: string;
}

export interface CountResult {
  readonly count: number;
  readonly shards: SearchResult['shards'];
}
