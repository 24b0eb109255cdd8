// Answers without hits (size 0: counts and aggregations), kept until something that they were made of may have changed:
// documents that were written or published, the index's settings or mapping. Bounded by bytes, least recently used first.
import type { JsonObject, SearchRequest, SearchResult } from '../backend.js';
import { begin, type Soon, type Work, wait } from '../ops/soon.js';
import { inTurns } from '../ops/turns.js';
import type { IndexEntry } from './catalog.js';
import { jsonText } from './json-text.js';
import { lettersOf } from './letters.js';
import { shardsOfAll, type TargetGroup } from './search-targets.js';

export interface RequestCacheOptions {
  /** A text that is another one once searches of the index may find something else. */
  readonly markOf: (index: number) => string;
  /** As it is now; another one after every change of its settings, aliases or mapping. */
  readonly entryOf: (index: number) => IndexEntry | undefined;
  readonly maxBytes: () => number;
}

export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
  readonly evictions: number;
  readonly bytes: number;
}

type Counts = { -readonly [K in keyof CacheCounts]: CacheCounts[K] };

interface Kept {
  readonly result: SearchResult;
  readonly bytes: number;
  /** Of the first index that was searched. */
  readonly counts: Counts;
  readonly indexes: ReadonlySet<number>;
}

/** Words of a body whose answer is another one each time, or holds documents. */
const UNSTEADY = /(?<![A-Za-z_])now(?![A-Za-z_])|"(?:random_score|top_hits|profile|suggest)"/;
/** A body that is longer is not worth its key. */
const MAX_BODY = 65_536;
/** Indexes whose hits and misses are told apart. */
const COUNTED = 10_000;
/** Counts of searches over nothing. */
const NO_INDEX = -1;

export class RequestCache {
  readonly #options: RequestCacheOptions;
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>();
  readonly #counts = new Map<number, Counts>();
  /** Entries are replaced when settings, aliases or mappings change. */
  readonly #entryIds = new WeakMap<IndexEntry, number>();
  #lastEntry = 0;
  readonly #totals = noCounts();

  constructor(options: RequestCacheOptions) {
    this.#options = options;
  }

  get totals(): CacheCounts {
    return this.#totals;
  }
  /** Among the engine's counters of an index, by the first index of a search. */
  stats(index: number): JsonObject {
    const { hits, misses, evictions, bytes } = this.#counts.get(index) ?? noCounts();
    return {
      request_cache_hits: hits,
      request_cache_misses: misses,
      request_cache_evictions: evictions,
      request_cache_bytes: bytes,
    };
  }

  /** Forgets what any of the indexes had a part in; the same indexes. */
  clear(indexes: readonly IndexEntry[]): readonly IndexEntry[] {
    for (const [key, kept] of this.#kept) {
      if (indexes.some(({ number }) => kept.indexes.has(number))) this.#drop(key, kept);
    }
    return indexes;
  }

  /** The answer from the cache, or of `search`. */
  through(
    request: SearchRequest,
    groups: readonly TargetGroup[],
    search: () => Soon<SearchResult>,
  ): Soon<SearchResult> {
    return begin(this.#through(request, groups, search));
  }

  *#through(
    request: SearchRequest,
    groups: readonly TargetGroup[],
    search: () => Soon<SearchResult>,
  ): Work<SearchResult> {
    const started = performance.now();
    const key = this.#keyOf(request, groups);
    if (key === undefined) return yield* wait(search());
    const found = this.#kept.get(key);
    const counts = this.#countsFor(groups);
    const what = found === undefined ? 'misses' : 'hits';
    this.#totals[what] += 1;
    counts[what] += 1;
    if (found !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, found);
      return { ...found.result, tookMs: Math.round(performance.now() - started) };
    }
    const result = yield* wait(search());
    if (!result.timedOut && result.shards.failed === 0) {
      const letters = yield* wait(inTurns(lettersOf(result, this.#options.maxBytes())));
      this.#keep(key, letters, { result, counts, indexes: indexesOf(groups) });
    }
    return result;
  }

  /** Undefined: not to be cached. Made before the search, so that what is published meanwhile is not taken for seen. */
  #keyOf(request: SearchRequest, groups: readonly TargetGroup[]): string | undefined {
    const { body, requestCache, typedKeys = false } = request;
    if (requestCache === false || body['size'] !== 0) return undefined;
    const wanted = ({ behaviour }: IndexEntry): boolean => requestCache ?? behaviour.requestCache;
    if (!groups.every(({ entries }) => entries.every(wanted))) return undefined;
    const text = jsonText(body);
    if (text.length > MAX_BODY) return undefined;
    const parts = groups.map(({ filters, entries }) => {
      const shards = shardsOfAll(entries).map(({ index, shard }) => `${index}/${shard}`);
      const marks = entries.map((entry) => this.#entryMark(entry));
      return [filters.length === 0 ? '' : jsonText(filters), ...shards, ...marks].join('|');
    });
    const key = `${typedKeys}\n${parts.join('\n')}\n${text}`;
    return UNSTEADY.test(key) ? undefined : key;
  }

  /** Routing makes an entry of its own for each search. */
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

  #keep(key: string, letters: number, answer: Omit<Kept, 'bytes'>): void {
    const bytes = 2 * (key.length + letters);
    const most = this.#options.maxBytes();
    if (bytes > most / 8 || this.#kept.has(key)) return;
    this.#kept.set(key, { ...answer, bytes });
    for (const sum of [this.#totals, answer.counts]) sum.bytes += bytes;
    for (const [oldest, kept] of this.#kept) {
      if (this.#totals.bytes <= most) return;
      this.#drop(oldest, kept);
      for (const sum of [this.#totals, kept.counts]) sum.evictions += 1;
    }
  }

  #drop(key: string, { bytes, counts }: Kept): void {
    this.#kept.delete(key);
    for (const sum of [this.#totals, counts]) sum.bytes -= bytes;
  }

  #countsFor(groups: readonly TargetGroup[]): Counts {
    const index = groups[0]?.entries[0]?.number ?? NO_INDEX;
    const known = this.#counts.get(index);
    if (known !== undefined) return known;
    if (this.#counts.size >= COUNTED) this.#counts.clear();
    const counts = noCounts();
    this.#counts.set(index, counts);
    return counts;
  }
}

function indexesOf(groups: readonly TargetGroup[]): ReadonlySet<number> {
  return new Set(groups.flatMap(({ entries }) => entries.map(({ number }) => number)));
}

function noCounts(): Counts {
  return { hits: 0, misses: 0, evictions: 0, bytes: 0 };
}
