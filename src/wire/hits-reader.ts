// Reads search replies; native/core/query/plan/hits.h owns the format. Columns are typed-array
// views into the reply: no object is created for a hit before the page is selected.
import { ByteReader } from './byte-reader.js';
import { SortColumn } from './sort-column.js';

const REPLY_MAGIC = 0x4c505251;
const HITS_MAGIC = 0x54494851;
const HITS_VERSION = 4;
const SHARD_HEADER_BYTES = 144;

/** The vector work of a search. */
export interface VectorWork {
  readonly sketchDistances: number;
  /** Distances of 8-bit codes. */
  readonly codeDistances: number;
  readonly exactDistances: number;
  /** Expanded graph nodes. */
  readonly hops: number;
  readonly bytesRead: number;
}

/** One ranked list of one shard. */
export interface LegHits {
  readonly hits: number;
  readonly maxScore: number | null;
  /** NaN: not scored. */
  readonly scores: Float32Array;
  readonly docs: Uint32Array;
  /** Breaks ties across shards. */
  readonly seqNos: BigUint64Array;
  /** One column for each sort key; empty for an order by score. */
  readonly sort: readonly SortColumn[];
}

export interface ShardHits {
  readonly ok: true;
  readonly index: number;
  readonly shard: number;
  readonly generation: bigint;
  readonly mappingVersion: bigint;
  readonly total: number;
  readonly totalRelation: 'eq' | 'gte';
  readonly timedOut: boolean;
  readonly terminatedEarly: boolean;
  readonly blocksDecoded: number;
  readonly docsScored: number;
  readonly positionsRead: number;
  /** Bytes of posting blocks. */
  readonly postingsBytes: number;
  /** Terms looked up in dictionaries, or visited by a clause of several terms. */
  readonly termsVisited: number;
  /** Documents whose sort keys were read. */
  readonly docsSorted: number;
  readonly vectors: VectorWork;
  readonly legs: readonly LegHits[];
  /** Partial aggregation results (agg-reader.ts); undefined if none are requested. */
  readonly aggs?: Uint8Array<ArrayBuffer> | undefined;
}

export interface ShardError {
  readonly ok: false;
  readonly index: number;
  readonly shard: number;
  /** Number of the error type, see NativeErrors. */
  readonly errorType: number;
  readonly reason: string;
  /** "type: reason" of an inner error; may be empty. */
  readonly cause: string;
}

export type ShardReply = ShardHits | ShardError;

export interface SearchReply {
  /** In the order of the shards in the request. */
  readonly shards: readonly ShardReply[];
  /** The fetch reply of an inline fetch, for readFetchReply(). */
  readonly fetch?: Uint8Array<ArrayBuffer>;
}

export function readSearchReply(buffer: ArrayBuffer): SearchReply {
  const reader = new ByteReader(new Uint8Array(buffer), 'search reply').expect(REPLY_MAGIC);
  const lengths = readEach(reader.count(4), () => reader.u32());
  const shards = lengths.map((length) => readShardReply(reader.align(8).bytes(length)));
  if (reader.remaining < 8) return { shards };
  return { shards, fetch: reader.align(8).bytes(reader.remaining) };
}

function readShardReply(bytes: Uint8Array<ArrayBuffer>): ShardReply {
  const reader = new ByteReader(bytes, 'shard reply').expect(HITS_MAGIC, HITS_VERSION);
  const status = reader.u16();
  const generation = reader.u64();
  const mappingVersion = reader.u64();
  const total = reader.count64();
  const totalRelation = reader.u8() === 0 ? 'eq' : 'gte';
  const timedOut = reader.u8() !== 0;
  const terminatedEarly = reader.u8() !== 0;
  const legs = reader.u8();
  const index = reader.u32();
  const shard = reader.u32();
  const sortKeys = reader.u32();
  const blocksDecoded = reader.count64();
  const docsScored = reader.count64();
  const vectors = readVectorWork(reader);
  const positionsRead = reader.count64();
  const postingsBytes = reader.count64();
  const termsVisited = reader.count64();
  const docsSorted = reader.count64();
  const aggsAt = reader.u32();
  const aggsBytes = reader.u32();
  reader.skip(SHARD_HEADER_BYTES - reader.at);
  if (status !== 0) {
    return {
      ok: false,
      index,
      shard,
      errorType: status,
      reason: reader.str(),
      cause: reader.str(),
    };
  }
  return {
    ok: true,
    index,
    shard,
    generation,
    mappingVersion,
    total,
    totalRelation,
    timedOut,
    terminatedEarly,
    blocksDecoded,
    docsScored,
    positionsRead,
    postingsBytes,
    termsVisited,
    docsSorted,
    vectors,
    legs: readEach(legs, () => readLeg(reader, sortKeys)),
    aggs: aggsAt === 0 ? undefined : bytes.subarray(aggsAt, aggsAt + aggsBytes),
  };
}

function readVectorWork(reader: ByteReader): VectorWork {
  return {
    sketchDistances: reader.count64(),
    codeDistances: reader.count64(),
    exactDistances: reader.count64(),
    hops: reader.count64(),
    bytesRead: reader.count64(),
  };
}

/** Reads one ranked list at the reader's position. */
export function readLeg(reader: ByteReader, sortKeys: number): LegHits {
  return new LegColumns(reader, sortKeys);
}

/** Creates the views of columns on first use: a page that the core wrote needs none of them. */
class LegColumns implements LegHits {
  readonly hits: number;
  readonly maxScore: number | null;
  readonly sort: readonly SortColumn[];
  readonly #buffer: ArrayBuffer;
  readonly #scoresAt: number;
  readonly #docsAt: number;
  readonly #seqNosAt: number;
  #scores: Float32Array | undefined = undefined;
  #docs: Uint32Array | undefined = undefined;
  #seqNos: BigUint64Array | undefined = undefined;

  constructor(reader: ByteReader, sortKeys: number) {
    const hits = reader.align(8).u32();
    const maxScore = reader.f32();
    this.hits = hits;
    this.maxScore = Number.isNaN(maxScore) ? null : maxScore;
    this.#buffer = reader.buffer;
    this.#scoresAt = reader.align(8).column(Float32Array.BYTES_PER_ELEMENT, hits);
    this.#docsAt = reader.align(8).column(Uint32Array.BYTES_PER_ELEMENT, hits);
    this.#seqNosAt = reader.align(8).column(BigUint64Array.BYTES_PER_ELEMENT, hits);
    this.sort = readEach(sortKeys, () => new SortColumn(reader.align(8), hits));
  }

  get scores(): Float32Array {
    this.#scores ??= new Float32Array(this.#buffer, this.#scoresAt, this.hits);
    return this.#scores;
  }
  get docs(): Uint32Array {
    this.#docs ??= new Uint32Array(this.#buffer, this.#docsAt, this.hits);
    return this.#docs;
  }
  get seqNos(): BigUint64Array {
    this.#seqNos ??= new BigUint64Array(this.#buffer, this.#seqNosAt, this.hits);
    return this.#seqNos;
  }
}

/** A loop, because Array.from() is slower for the usual case of one item. */
function readEach<T>(count: number, read: () => T): T[] {
  const all: T[] = [];
  for (let i = 0; i < count; i++) all.push(read());
  return all;
}
