// Reads the documents of a shard in the order of their sequence numbers, by ranges: each document
// has exactly one number, and a change gives it a higher one. So a position in this order is all
// that a run has to remember; the documents behind it are those that are missing or were changed
// since. No search context is left behind on the server.
import type { Json, JsonObject, SearchHit } from '../backend/index.js';
import { runCooperatively } from '../base/cooperative-task.js';
import { HitsError, type HitsPage, readHitsPage } from '../remote/hits-page.js';
import { type Peer, PeerError, repeated } from '../remote/peer.js';
import { type PeerVersion, sourceWithVectors } from '../remote/peer-version.js';

export interface ShardPlace {
  readonly index: string;
  readonly shard: number;
}

/** Documents of a range, in the order of their numbers. */
export interface SequencePage {
  readonly hits: readonly SearchHit[];
  readonly bytes: number;
  /** All documents with numbers up to this one have been read. */
  readonly upTo: number;
}

export interface SequenceReaderOptions {
  readonly peer: Peer;
  readonly version: PeerVersion;
  readonly signal: AbortSignal;
  /** False: ids and versions only. */
  readonly withSource: boolean;
  /** Documents of the first page. */
  readonly documents?: number;
}

const MAX_PAGE_BYTES = 100 * 1024 * 1024;
/** Size of an answer that the number of documents of a page is adapted to. */
const PAGE_BYTES = 3 * 1024 * 1024;
const FIRST_DOCUMENTS = 250;
const MOST_DOCUMENTS = 2000;
/** Pages without documents, only ids. */
const ID_DOCUMENTS = 5000;
const MAX_RANGE = 2 ** 40;
const TRIES = 10;

export class SequenceReader {
  readonly #options: SequenceReaderOptions;
  #documents: number;
  /** Sequence numbers per document of the last pages; large where documents were changed often. */
  #spread = 1;

  constructor(options: SequenceReaderOptions) {
    this.#options = options;
    const first = options.withSource ? FIRST_DOCUMENTS : ID_DOCUMENTS;
    this.#documents = options.documents ?? first;
  }

  /**
   * The documents with numbers above `after`, at most up to `until`. Rejects with PeerError, or with
   * the signal's reason.
   */
  async page(place: ShardPlace, after: number, until: number): Promise<SequencePage> {
    for (;;) {
      const size = this.#documents;
      const range = Math.min(MAX_RANGE, Math.ceil(size * this.#spread));
      const last = Math.min(until, after + range);
      try {
        const { page, bytes } = await this.#read(place, after, last, size);
        const { hits } = page;
        const isFull = hits.length === size;
        const upTo = isFull ? this.#lastNumber(hits) : last;
        if (upTo <= after) throw this.#unusable('documents outside the range that was requested');
        this.#adapt(hits.length, bytes, upTo - after);
        return { hits, bytes, upTo };
      } catch (error) {
        if (!isTooLarge(error) || size === 1) throw error;
        this.#documents = Math.max(1, Math.floor(size / 4));
      }
    }
  }

  #lastNumber(hits: readonly SearchHit[]): number {
    const number = Number(hits.at(-1)?.seqNo ?? -1n);
    if (number < 0) throw this.#unusable('documents without [_seq_no]');
    return number;
  }

  #adapt(count: number, bytes: number, numbers: number): void {
    this.#spread = Math.min(
      MAX_RANGE,
      Math.max(1, count === 0 ? this.#spread * 8 : numbers / count),
    );
    if (!this.#options.withSource || count === 0) return;
    const fitting = Math.floor((PAGE_BYTES * count) / bytes);
    this.#documents = Math.max(1, Math.min(MOST_DOCUMENTS, fitting, this.#documents * 2));
  }

  async #read(
    { index, shard }: ShardPlace,
    after: number,
    last: number,
    size: number,
  ): Promise<{ readonly page: HitsPage; readonly bytes: number }> {
    const { peer, version, signal, withSource } = this.#options;
    const source = withSource ? sourceWithVectors(version, undefined) : false;
    const body: JsonObject = {
      size,
      query: { range: { _seq_no: { gt: after, lte: last } } },
      sort: [{ _seq_no: 'asc' }],
      version: true,
      seq_no_primary_term: true,
      track_total_hits: false,
      ...(source === undefined ? {} : { _source: source }),
    };
    const path = `/${encodeURIComponent(index)}/_search?preference=_shards:${shard}`;
    const bytes = await repeated(
      () => peer.bytes({ method: 'POST', path, body, maxAnswerBytes: MAX_PAGE_BYTES, signal }),
      { tries: TRIES, signal, mayRepeat: (error) => !isTooLarge(error) },
    );
    const page = await this.#parsed(bytes, size);
    const [failure] = page.shards.failures ?? [];
    if (failure !== undefined || page.timedOut) {
      const why = failure?.reason.reason ?? 'it timed out';
      throw this.#unusable(`only a part of shard [${shard}] of [${index}]: ${why}`);
    }
    for (const hit of page.hits) this.#check(hit, index);
    return { page, bytes: bytes.length };
  }

  async #parsed(bytes: Buffer, size: number): Promise<HitsPage> {
    try {
      return await runCooperatively(readHitsPage(bytes, size, this.#options.withSource));
    } catch (error) {
      if (error instanceof HitsError) throw this.#unusable(error.message);
      throw error;
    }
  }

  #check({ index, id, version }: SearchHit, wanted: string): void {
    if (index === wanted && version !== undefined) return;
    throw this.#unusable(
      version === undefined
        ? `the document [${id}] without [_version]`
        : `a document of [${index}], where [${wanted}] was requested`,
    );
  }

  #unusable(what: string): PeerError {
    return this.#options.peer.unusable(what);
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof PeerError && /answered more than \d+ bytes$/.test(error.message);
}

/**
 * For each shard, the number up to which all changes are visible to searches: its global
 * checkpoint, read before a refresh. Rejects with PeerError.
 */
export async function checkpointsOf(
  peer: Peer,
  index: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const path = `/${encodeURIComponent(index)}`;
  const call = (method: 'GET' | 'POST', rest: string, body?: Json) =>
    repeated(
      () =>
        peer.json({ method, path: path + rest, signal, ...(body === undefined ? {} : { body }) }),
      { tries: TRIES, signal },
    );
  const settings = memberOf((await call('GET', '/_settings'))[index], 'settings', 'index');
  const shards = Number(settings['number_of_shards']);
  if (!Number.isInteger(shards) || shards < 1 || shards > 1024) {
    throw peer.unusable(`settings of [${index}] without [number_of_shards]`);
  }
  const copies = memberOf(await shardStatistics(call), 'indices', index, 'shards');
  await call('POST', '/_refresh');
  const found = new Map<number, number>();
  for (let shard = 0; shard < shards; shard++) {
    const reported = globalCheckpoint(copies[String(shard)]);
    found.set(shard, reported ?? (await lastVisible(call, shard)));
  }
  return found;
}

/** Empty for a service in front of a cluster, which has no statistics of shards. */
async function shardStatistics(
  call: (method: 'GET', rest: string) => Promise<JsonObject>,
): Promise<JsonObject> {
  try {
    return await call('GET', '/_stats?level=shards');
  } catch (error) {
    if (error instanceof PeerError && error.status === 501) return {};
    throw error;
  }
}

/** The largest that a copy of the shard reports: the primary knows it first. */
function globalCheckpoint(copies: Json | undefined): number | undefined {
  if (!Array.isArray(copies)) return undefined;
  const numbers = (copies as readonly Json[])
    .map((copy) => memberOf(copy, 'seq_no')['global_checkpoint'])
    .filter((number): number is number => Number.isSafeInteger(number));
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}

/** For a server that reports no checkpoints and orders the writes of a shard, as Quarry does. */
async function lastVisible(
  call: (method: 'POST', rest: string, body: Json) => Promise<JsonObject>,
  shard: number,
): Promise<number> {
  const answer = await call('POST', `/_search?preference=_shards:${shard}`, {
    size: 1,
    sort: [{ _seq_no: 'desc' }],
    seq_no_primary_term: true,
    _source: false,
  });
  const { hits } = memberOf(answer, 'hits');
  const last = Array.isArray(hits) ? memberOf(hits[0])['_seq_no'] : undefined;
  return typeof last === 'number' ? last : -1;
}

/** The object at the end of a path of members; empty if there is none. */
export function memberOf(value: Json | undefined, ...path: readonly string[]): JsonObject {
  let at: Json | undefined = value;
  for (const name of path) at = isObject(at) ? at[name] : undefined;
  return isObject(at) ? at : {};
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
