// Aggregations of a search: reduces the partial results of its shards to one result. The documents
// of top_hits need a worker task each, if the request contains any.
import type { AggregationText, JsonObject, NestedHits, SearchHit } from '../../backend/index.js';
import { type CooperativeTask, runCooperatively } from '../../base/cooperative-task.js';
import {
  awaitMaybe,
  type MaybePromise,
  runSyncFirst,
  type SyncFirstTask,
} from '../../base/maybe-promise.js';
import type { QuarryError } from '../../errors.js';
import type { TopHit, TopHitsResult } from '../../query/aggs/agg.js';
import { Calendar, type DateTable } from '../../query/aggs/calendar.js';
import type { AggPiece } from '../../query/aggs/json.js';
import { mayBeOne, textOfOne } from '../../query/aggs/one-answer.js';
import type { AggTree } from '../../query/aggs/parse.js';
import { reduceAggs, type ShardAggs } from '../../query/aggs/reduce.js';
import { DEFAULT_MAX_BUCKETS } from '../../query/limits.js';
import { readAggParts } from '../../wire/agg-reader.js';
import type { ShardHits } from '../../wire/hits-reader.js';
import { toHit } from '../page/search-answer.js';
import { fetchPage } from '../shards/fetch.js';
import type { TaskRunner } from '../shards/pools.js';
import type { CompiledGroup } from '../shards/search-plans.js';

export interface AggregationOptions {
  readonly pool: TaskRunner;
  readonly dateTable: DateTable;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  /** Undefined for an index that has been dropped. */
  readonly nameOf: (index: number) => string | undefined;
  readonly typedKeys: boolean;
  readonly maxBuckets: number;
  /** Accounts for the memory of the response; throws circuit_breaking_exception if there is none. */
  readonly reserve: (bytes: number) => void;
  /** Compiles the search again with the fetch options of a top_hits, for each group of indexes. */
  readonly compile: (shows: JsonObject) => readonly CompiledGroup[];
}

/** Synchronous if the result is small and needs no documents. */
export function aggregate(
  tree: AggTree,
  answers: readonly ShardHits[],
  options: AggregationOptions,
): MaybePromise<AggregationText> {
  const [only] = answers;
  // textOfOne() does not count buckets: its result never has more than the default limit.
  const isCounted = options.maxBuckets < DEFAULT_MAX_BUCKETS;
  if (answers.length === 1 && only?.aggs !== undefined && !isCounted && mayBeOne(tree)) {
    const text = textOfOne(tree, readAggParts(only.aggs, tree.aggs), options.typedKeys);
    if (text !== undefined) return [text];
  }
  return runSyncFirst(aggregation(tree, answers, options));
}

function* aggregation(
  tree: AggTree,
  answers: readonly ShardHits[],
  options: AggregationOptions,
): SyncFirstTask<AggregationText> {
  const shards = yield* awaitMaybe(runCooperatively(readShards(tree, answers, options)));
  const calendar = new Calendar(options.dateTable);
  const pieces = yield* awaitMaybe(runCooperatively(reduceAggs(tree, shards, calendar, options)));
  return isText(pieces) ? pieces : yield* awaitMaybe(withHits(pieces, shards, options));
}

function isText(pieces: readonly AggPiece[]): pieces is readonly (string | Uint8Array)[] {
  return !pieces.some(isFound);
}

/** Reads the partial results in one step per shard: each may have tens of thousands of buckets. */
function* readShards(
  tree: AggTree,
  answers: readonly ShardHits[],
  { nameOf }: AggregationOptions,
): CooperativeTask<readonly AnsweredShard[]> {
  const shards: AnsweredShard[] = [];
  for (const answer of answers) {
    const indexName = nameOf(answer.index);
    if (indexName === undefined || answer.aggs === undefined) continue;
    shards.push({ indexName, parts: readAggParts(answer.aggs, tree.aggs), answer });
    yield;
  }
  return shards;
}

type AnsweredShard = ShardAggs & { readonly answer: ShardHits };

/** Fetches the documents of each top_hits of the request once, for all buckets that contain it. */
async function withHits(
  pieces: readonly AggPiece[],
  shards: readonly AnsweredShard[],
  options: AggregationOptions,
): Promise<AggregationText> {
  const byAgg = new Map<JsonObject, TopHitsResult[]>();
  for (const piece of pieces) {
    if (!isFound(piece)) continue;
    const same = byAgg.get(piece.shows);
    if (same === undefined) byAgg.set(piece.shows, [piece]);
    else same.push(piece);
  }
  const fetched = new Map<TopHitsResult, NestedHits>();
  for (const [shows, results] of byAgg) {
    const all = results.flatMap(({ hits }) => hits);
    const hitAt = await fetchHits(all, shows, shards, options);
    let at = 0;
    for (const result of results) {
      fetched.set(result, new FetchedHits(result, at, hitAt));
      at += result.hits.length;
    }
  }
  return pieces.map((piece) => (isFound(piece) ? (fetched.get(piece) ?? NO_HITS) : piece));
}

/**
 * The hits of one bucket whose documents were read within the time limit. They are created when the
 * response is written.
 */
class FetchedHits implements NestedHits {
  readonly total: number;
  readonly maxScore: number | null;
  readonly #count: number;
  readonly #from: number;
  readonly #hitAt: (at: number) => SearchHit | undefined;

  /** `from`: the position of the first of them among all fetched hits. */
  constructor(
    { total, maxScore, hits }: TopHitsResult,
    from: number,
    hitAt: (at: number) => SearchHit | undefined,
  ) {
    this.total = total;
    this.maxScore = maxScore;
    this.#count = hits.length;
    this.#from = from;
    this.#hitAt = hitAt;
  }
  get nestedHits(): readonly SearchHit[] {
    return Array.from({ length: this.#count }, (_, at) => this.#hitAt(this.#from + at)).flatMap(
      (hit) => hit ?? [],
    );
  }
}

const NO_HITS: NestedHits = { nestedHits: [], total: 0, maxScore: null };

function isFound(piece: AggPiece): piece is TopHitsResult {
  return typeof piece === 'object' && 'shows' in piece;
}

async function fetchHits(
  hits: readonly TopHit[],
  shows: JsonObject,
  shards: readonly AnsweredShard[],
  { pool, toError, compile }: AggregationOptions,
): Promise<(at: number) => SearchHit | undefined> {
  const groups = compile(shows);
  const [first] = groups;
  if (first === undefined) throw new Error('a search has no plan');
  const shown = { ...first.query, scores: true };
  const planOf = (index: number): Uint8Array =>
    groups.find(({ entries }) => entries.some(({ number }) => number === index))?.query.plan ??
    first.query.plan;
  const { documents } = await fetchPage(
    hits,
    shards.map(({ answer }) => answer),
    { pool, planOf, toError },
  );
  return (at) => {
    const document = documents[at];
    const hit = hits[at];
    if (hit === undefined) throw new Error('a bucket has fewer hits than it says');
    if (document === undefined) return undefined;
    const { shard, score, sort } = hit;
    const of = shards[shard];
    if (of === undefined) throw new Error('a hit belongs to no shard');
    const place = { indexName: of.indexName, shard: of.answer.shard, score };
    return toHit(sort.length === 0 ? place : { ...place, sort }, document, shown);
  };
}
