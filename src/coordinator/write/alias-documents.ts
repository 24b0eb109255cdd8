// Reads documents by id through aliases with filters: only those that match the filter. Each is
// found by a search through the alias, and the hit is the document, so that the version that was
// checked is the one that is returned. Searches see published writes only; therefore shards with
// unpublished writes are published first, which is the cost of such a read.
import type {
  FoundDocument,
  GetRequest,
  SearchHit,
  SearchRequest,
  SearchResult,
} from '../../backend/index.js';
import { plainJson } from '../../base/json-text.js';
import type { MaybePromise } from '../../base/maybe-promise.js';
import { QuarryError } from '../../errors.js';
import type { ShardRef } from '../../worker/tasks.js';
import type { IndexEntry } from '../catalog/catalog.js';
import { shardOfRouting } from '../catalog/routing-hash.js';

export interface AliasDocumentsOptions {
  readonly search: (request: SearchRequest) => MaybePromise<SearchResult>;
  /** Resolves when searches see every acknowledged write to the shards. */
  readonly publish: (shards: readonly ShardRef[]) => Promise<void>;
}

/** `request` names the alias, `entry` is the index that it resolves to. */
export interface AliasRead {
  readonly request: GetRequest;
  readonly entry: IndexEntry;
  /** Absent: the id determines the shard. */
  readonly routing?: string | undefined;
}

/** Maximum number of documents per search; an index may allow fewer. */
const TOGETHER = 100;
/** Number of concurrent searches. */
const LANES = 4;

interface Batch {
  readonly alias: string;
  readonly entry: IndexEntry;
  readonly shard: number;
  readonly source: GetRequest['source'];
  /** Id -> positions in the list of reads. */
  readonly places: Map<string, number[]>;
}

export class AliasDocuments {
  readonly #options: AliasDocumentsOptions;

  constructor(options: AliasDocumentsOptions) {
    this.#options = options;
  }

  /** In the order of `reads`; a read that failed yields its error. */
  async read(reads: readonly AliasRead[]): Promise<readonly (FoundDocument | QuarryError)[]> {
    await this.#publish(reads.filter(({ request }) => request.realtime !== false));
    const answers: (FoundDocument | QuarryError)[] = reads.map(({ request, entry }) => ({
      index: entry.name,
      id: request.id,
      found: false,
    }));
    const left = batchesOf(reads).values();
    const lane = async (): Promise<void> => {
      for (const batch of left) await this.#readBatch(batch, reads, answers);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return answers;
  }

  #publish(reads: readonly AliasRead[]): Promise<void> {
    const shards = new Map(reads.map((read) => shardOf(read)).map((one) => [keyOf(one), one]));
    return this.#options.publish([...shards.values()]);
  }

  async #readBatch(
    { alias, entry, shard, source, places }: Batch,
    reads: readonly AliasRead[],
    answers: (FoundDocument | QuarryError)[],
  ): Promise<void> {
    const wanted = typeof source === 'boolean' ? source : { ...source };
    try {
      const { hits } = await this.#options.search({
        index: alias,
        only: [entry.name],
        shards: [shard],
        body: {
          query: { ids: { values: [...places.keys()] } },
          _source: wanted,
          size: places.size,
          sort: ['_doc'],
          version: true,
          seq_no_primary_term: true,
          track_total_hits: false,
        },
        allowPartialResults: false,
        requestCache: false,
      });
      for (const hit of hits) {
        for (const at of places.get(hit.id) ?? []) answers[at] = toFound(hit, reads[at]?.request);
      }
    } catch (error) {
      if (!(error instanceof QuarryError)) throw error;
      for (const list of places.values()) for (const at of list) answers[at] = error;
    }
  }
}

function shardOf({ entry, request, routing }: AliasRead): ShardRef {
  const value = routing === undefined || routing === '' ? request.id : routing;
  return { index: entry.number, shard: shardOfRouting(value, entry.shards) };
}

function keyOf({ index, shard }: ShardRef): string {
  return `${index}/${shard}`;
}

/** Groups the reads into batches of one search each. */
function batchesOf(reads: readonly AliasRead[]): readonly Batch[] {
  const full: Batch[] = [];
  const open = new Map<string, Batch>();
  for (const [at, read] of reads.entries()) {
    const { request, entry } = read;
    const { shard } = shardOf(read);
    const key = plainJson([request.index, entry.number, shard, request.source]);
    let batch = open.get(key);
    if (batch === undefined) {
      batch = { alias: request.index, entry, shard, source: request.source, places: new Map() };
      open.set(key, batch);
      full.push(batch);
    }
    const places = batch.places.get(request.id);
    if (places === undefined) batch.places.set(request.id, [at]);
    else places.push(at);
    const most = Math.min(TOGETHER, entry.behaviour.limits.resultWindow);
    if (batch.places.size >= most) open.delete(key);
  }
  return full;
}

function toFound(hit: SearchHit, request: GetRequest | undefined): FoundDocument | QuarryError {
  const { index, id, version, seqNo, primaryTerm, routing, source } = hit;
  const requested = request?.version;
  if (requested !== undefined && version !== undefined && version !== requested) {
    return versionConflict(id, version, requested);
  }
  return {
    index,
    id,
    found: true,
    ...(version === undefined ? {} : { version }),
    ...(seqNo === undefined ? {} : { seqNo }),
    ...(primaryTerm === undefined ? {} : { primaryTerm: Number(primaryTerm) }),
    ...(routing === undefined ? {} : { routing }),
    ...(source === undefined ? {} : { source }),
  };
}

export function versionConflict(id: string, current: bigint, provided: bigint): QuarryError {
  return new QuarryError(
    'version_conflict_engine_exception',
    `[${id}]: version conflict, current version [${current}] is different than the one provided [${provided}]`,
  );
}
