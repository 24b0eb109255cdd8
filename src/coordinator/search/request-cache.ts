// Caches search results without hits (size 0: counts and aggregations) until their inputs may have
// changed: documents that were written or published, the settings or the mapping of an index. The
// cache is bounded by bytes and evicts the least recently used entry first. Every HTTP thread has one.

import type { JsonObject, SearchRequest, SearchResult } from '../../backend/index.js';
import { BoundedMap } from '../../base/bounded-map.js';
import { runCooperatively } from '../../base/cooperative-task.js';
import {
  awaitMaybe,
  type MaybePromise,
  runSyncFirst,
  type SyncFirstTask,
} from '../../base/maybe-promise.js';
import type { IndexEntry } from '../catalog/catalog.js';
import { jsonText } from '../catalog/json-text.js';
import { jsonLengthOf } from '../shards/json-length.js';
import { shardsOfAll, type TargetGroup } from '../shards/search-targets.js';
import type { CacheCounts } from './cache-metrics.js';

export interface RequestCacheOptions {
  /** A string that changes whenever searches of the index may find something else. */
  readonly markOf: (index: number) => string;
  /** The current entry; it is replaced at every change of its settings, aliases or mapping. */
  readonly entryOf: (index: number) => IndexEntry | undefined;
  /** The version of the configuration, whose limits affect results. */
  readonly configVersion: () => number;
  readonly maxBytes: () => number;
}

export interface RequestCacheCounts extends CacheCounts {
  readonly evictions: number;
}

type Counts = { -readonly [K in keyof RequestCacheCounts]: RequestCacheCounts[K] };

interface CachedResult {
  readonly result: SearchResult;
  /** The state of the indexes and of the configuration of which it is the result. */
  readonly state: string;
  readonly bytes: number;
  /** The counts of the first index that was searched. */
  readonly counts: Counts;
  readonly indexes: ReadonlySet<number>;
}

/** What is searched. An entry is valid while the indexes are in the state that it was made in. */
export interface CacheKey {
  readonly text: string;
  readonly groups: readonly TargetGroup[];
}

/** Words of a body whose result differs each time or contains documents. */
const UNSTEADY = /(?<![A-Za-z_])now(?![A-Za-z_])|"(?:random_score|top_hits|profile|suggest)"/;
/** Maximum number of characters of a body that is cached: a longer key costs more than it saves. */
const MAX_BODY = 65_536;
/** Maximum number of indexes with separate counts. */
const COUNTED = 10_000;
/** The key of the counts of searches over no index. */
const NO_INDEX = -1;

export class RequestCache {
  readonly #options: RequestCacheOptions;
  /** Least recently used first. */
  readonly #kept = new Map<string, CachedResult>();
  readonly #counts = new BoundedMap<number, Counts>(COUNTED);
  /** Numbers the versions of entries: a change of settings, aliases or mapping makes a new one. */
  readonly #entryIds = new WeakMap<IndexEntry, number>();
  #lastEntry = 0;
  readonly #totals = noCounts();

  constructor(options: RequestCacheOptions) {
    this.#options = options;
  }

  get totals(): RequestCacheCounts {
    return this.#totals;
  }
  /** Counters of an index, which has those of every search whose first index it is. */
  stats(index: number): JsonObject {
    const { hits, misses, evictions, bytes } = this.#counts.get(index) ?? noCounts();
    return {
      request_cache_hits: hits,
      request_cache_misses: misses,
      request_cache_evictions: evictions,
      request_cache_bytes: bytes,
    };
  }

  /** Drops the results of searches over any of the indexes. Returns `indexes`. */
  clear(indexes: readonly IndexEntry[]): readonly IndexEntry[] {
    for (const [key, kept] of this.#kept) {
      if (indexes.some(({ number }) => kept.indexes.has(number))) this.#drop(key, kept);
    }
    return indexes;
  }

  /**
   * Returns the cached result, or runs `search` and caches its result. The state is read before the
   * search, so that documents published meanwhile do not count as searched.
   */
  through(key: CacheKey, search: () => MaybePromise<SearchResult>): MaybePromise<SearchResult> {
    return runSyncFirst(this.#through(key, search));
  }

  *#through(
    { text, groups }: CacheKey,
    search: () => MaybePromise<SearchResult>,
  ): SyncFirstTask<SearchResult> {
    const started = performance.now();
    const state = `${this.#options.configVersion()} ${this.#marksOf(groups)}`;
    const kept = this.#kept.get(text);
    const found = kept?.state === state ? kept : undefined;
    const counts = this.#countsFor(groups);
    if (found !== undefined) {
      for (const sum of [this.#totals, counts]) sum.hits += 1;
      this.#kept.delete(text);
      this.#kept.set(text, found);
      return { ...found.result, tookMs: Math.round(performance.now() - started) };
    }
    const result = yield* awaitMaybe(search());
    // A search that another thread has to answer is counted there.
    for (const sum of [this.#totals, counts]) sum.misses += 1;
    if (!result.timedOut && result.shards.failed === 0) {
      const characters = yield* awaitMaybe(
        runCooperatively(jsonLengthOf(result, this.#options.maxBytes())),
      );
      this.#keep(text, characters, { result, state, counts, indexes: indexesOf(groups) });
    }
    return result;
  }

  #marksOf(groups: readonly TargetGroup[]): string {
    let marks = '';
    for (const { entries } of groups)
      for (const entry of entries) marks += `${this.#entryMark(entry)}|`;
    return marks;
  }

  /** Undefined if the results of the request are not cached. */
  keyOf(request: SearchRequest, groups: readonly TargetGroup[]): CacheKey | undefined {
    const { body, requestCache, typedKeys = false } = request;
    if (requestCache === false || body['size'] !== 0) return undefined;
    const wanted = ({ behaviour }: IndexEntry): boolean => requestCache ?? behaviour.requestCache;
    if (!groups.every(({ entries }) => entries.every(wanted))) return undefined;
    if (isLongerThan(body, MAX_BODY)) return undefined;
    const bodyText = jsonText(body);
    const parts = groups.map(({ filters, entries }) => {
      const shards = shardsOfAll(entries).map(({ index, shard }) => `${index}/${shard}`);
      return [filters.length === 0 ? '' : jsonText(filters), ...shards].join('|');
    });
    const text = `${typedKeys}\n${parts.join('\n')}\n${bodyText}`;
    return UNSTEADY.test(text) ? undefined : { text, groups };
  }

  /** Uses the entry of the catalog, because routing creates a new one for each search. */
  #entryMark(searched: IndexEntry): string {
    const entry = this.#options.entryOf(searched.number) ?? searched;
    let id = this.#entryIds.get(entry);
    if (id === undefined) {
      this.#lastEntry += 1;
      id = this.#lastEntry;
      this.#entryIds.set(entry, id);
    }
    return `${id}@${this.#options.markOf(entry.number)}`;
  }

  #keep(key: string, characters: number, answer: Omit<CachedResult, 'bytes'>): void {
    const bytes = 2 * (key.length + characters);
    const most = this.#options.maxBytes();
    if (bytes > most / 8) return;
    const known = this.#kept.get(key);
    if (known?.state === answer.state) return;
    if (known !== undefined) this.#drop(key, known);
    this.#kept.set(key, { ...answer, bytes });
    for (const sum of [this.#totals, answer.counts]) sum.bytes += bytes;
    for (const [oldest, kept] of this.#kept) {
      if (this.#totals.bytes <= most) return;
      this.#drop(oldest, kept);
      for (const sum of [this.#totals, kept.counts]) sum.evictions += 1;
    }
  }

  #drop(key: string, { bytes, counts }: CachedResult): void {
    this.#kept.delete(key);
    for (const sum of [this.#totals, counts]) sum.bytes -= bytes;
  }

  #countsFor(groups: readonly TargetGroup[]): Counts {
    const index = groups[0]?.entries[0]?.number ?? NO_INDEX;
    const known = this.#counts.get(index);
    if (known !== undefined) return known;
    const counts = noCounts();
    this.#counts.set(index, counts);
    return counts;
  }
}

function indexesOf(groups: readonly TargetGroup[]): ReadonlySet<number> {
  return new Set(groups.flatMap(({ entries }) => entries.map(({ number }) => number)));
}

/** Ends soon for a long value. */
function isLongerThan(value: unknown, characters: number): boolean {
  const counting = jsonLengthOf(value, characters);
  let step = counting.next();
  while (step.done !== true) step = counting.next();
  return step.value > characters;
}

function noCounts(): Counts {
  return { hits: 0, misses: 0, evictions: 0, bytes: 0 };
}
