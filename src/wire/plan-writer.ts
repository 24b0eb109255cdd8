// Writes search plans; native/core/query/plan.h and opcodes.def own the format. Opcode numbers come from the addon's
// table. Who knows a clause writes its payload here, through PlanWriter.
import { ByteWriter } from './byte-writer.js';

/** DSL name -> number, as Addon.opcodes() gives it. */
export type Opcodes = Readonly<Record<string, number>>;

const MAGIC = 0x4e4c5051;
const VERSION = 1;
const HEADER_BYTES = 64;
const FRAME_BYTES_AT = 52;

export const EXACT_TOTAL = 0xffffffff;
export const NO_TOTAL = 0;

export const PLAN_TRACK_SCORES = 1;
export const PLAN_INLINE_FETCH = 2;
export const PLAN_PROFILE = 4;

export const FETCH_VERSION = 1;
export const FETCH_SEQ_NO = 2;
export const FETCH_EXPLAIN = 4;
export const FETCH_MATCHED_QUERIES = 8;
export const FETCH_WITHOUT_VECTORS = 16;
export const FETCH_NAMED_SCORES = 32;

/** A JSON scalar with the spelling of the caller. */
export interface Scalar {
  readonly kind: 'null' | 'boolean' | 'number' | 'string';
  readonly text: string;
}

const SCALAR_KINDS = { null: 0, boolean: 1, number: 2, string: 3 } as const;

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
  /** Of `_script`: writes the script (native/core/query/script.h). */
  readonly script?: WriteQuery;
}

const SORT_MODES = ['default', 'min', 'max', 'sum', 'avg', 'median'] as const;

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

/** A ByteWriter that knows nodes and the payload pieces that several of them share. */
export class PlanWriter extends ByteWriter {
  readonly #opcodes: Opcodes;

  constructor(opcodes: Opcodes) {
    super();
    this.#opcodes = opcodes;
  }

  /** Node header, then what `payload` writes, then the length patched in. */
  node(name: string, payload: () => void): this {
    const opcode = this.#opcodes[name];
    if (opcode === undefined) throw new Error(`the native core has no plan node [${name}]`);
    this.u16(opcode).u16(0).u32(0);
    const start = this.size;
    payload();
    return this.patchU32(start - 4, this.size - start);
  }
  bool(value: boolean): this {
    return this.u8(value ? 1 : 0);
  }
  scalar(value: Scalar): this {
    return this.u8(SCALAR_KINDS[value.kind]).str(value.text);
  }
  matchOptions(options: MatchOptions): this {
    return this.u8(options.operator === 'and' ? 1 : 0)
      .str(options.minimumShouldMatch)
      .str(options.analyzer)
      .str(options.fuzziness)
      .u32(options.prefixLength)
      .u32(options.maxExpansions)
      .bool(options.transpositions)
      .bool(options.zeroTerms === 'all')
      .u8((options.lenient ? 1 : 0) | (options.synonymPhrases ? 0 : 2));
  }
  /** Payload of a knn node; `filter` writes one query node. */
  knn(fields: KnnFields, filter?: () => void): this {
    this.str(fields.field).floats(fields.vector);
    this.u32(fields.k).u32(fields.numCandidates).f32(fields.similarity);
    return this.optional(filter);
  }
  /** Payload of a semantic node; `filter` writes one query node. */
  semantic(fields: SemanticFields, filter?: () => void): this {
    this.str(fields.field).str(fields.text);
    this.list(fields.vectors, ({ embedder, vector }) => this.str(embedder).floats(vector));
    this.u32(fields.k).u32(fields.numCandidates);
    return this.optional(filter);
  }
  floats(values: ArrayLike<number>): this {
    this.u32(values.length);
    for (let at = 0; at < values.length; at++) this.f32(values[at] ?? Number.NaN);
    return this;
  }
  /** Whether there is a node, and the node. */
  optional(node: (() => void) | undefined): this {
    this.bool(node !== undefined);
    node?.();
    return this;
  }
  /** Payload of a doc_scores node. */
  shardScores(shards: readonly ShardScores[]): this {
    return this.list(shards, ({ index, shard, docs, scores }) => {
      this.u32(index).u32(shard).u32(docs.length);
      for (let i = 0; i < docs.length; i++) this.u32(docs[i] ?? 0).f32(scores[i] ?? Number.NaN);
    });
  }
}

export function writePlan(input: PlanInput, opcodes: Opcodes): Uint8Array<ArrayBuffer> {
  const writer = new PlanWriter(opcodes);
  writeHeader(writer, input.header, input.legs.length);
  for (const leg of input.legs) writer.node('leg', () => leg(writer));
  const { postFilter } = input;
  if (postFilter !== undefined) writer.node('post_filter', () => postFilter(writer));
  if (input.sort.length > 0) {
    writer.node('sort', () => writer.list(input.sort, (key) => writeSortKey(writer, key)));
  }
  if (input.searchAfter.length > 0) {
    writer.node('search_after', () =>
      writer.list(input.searchAfter, (value) => writer.scalar(value)),
    );
  }
  writer.node('fetch', () => writeFetch(writer, input.fetch));
  for (const frame of input.frames ?? []) frame(writer);
  const { snapshots = [] } = input;
  if (snapshots.length > 0) {
    writer.node('snapshots', () =>
      writer.list(snapshots, ({ index, shard, generation }) =>
        writer.u32(index).u32(shard).u64(generation),
      ),
    );
  }
  writer.patchU32(FRAME_BYTES_AT, writer.size - HEADER_BYTES);
  return writer.finish();
}

function writeHeader(writer: PlanWriter, header: PlanHeader, legs: number): void {
  writer
    .u32(MAGIC)
    .u16(VERSION)
    .u16(legs)
    .u32(header.flags)
    .u32(header.trackTotalHits)
    .i64(BigInt(Math.trunc(header.nowMs)))
    .u64(BigInt(Math.ceil(header.timeoutUs)))
    .u32(header.from)
    .u32(header.size)
    .u32(header.window)
    .u32(header.terminateAfter)
    .f32(header.minScore ?? Number.NaN)
    .u32(0)
    .u64(0n);
}

export function writeSortKey(writer: PlanWriter, key: PlanSortKey): void {
  const named = key.missing === '_last' ? 0 : key.missing === '_first' ? 1 : 2;
  const value =
    typeof key.missing === 'string' ? ({ kind: 'null', text: '' } as const) : key.missing;
  writer
    .str(key.field)
    .bool(key.order === 'desc')
    .u8(SORT_MODES.indexOf(key.mode))
    .u8(named)
    .scalar(value)
    .str(key.unmappedType)
    .str(key.numericType)
    .str(key.format);
  const { script } = key;
  if (script === undefined) return;
  writer.u32(0);
  const start = writer.size;
  script(writer);
  writer.patchU32(start - 4, writer.size - start);
}

function writeFetch(writer: PlanWriter, fetch: FetchSpec): void {
  const { source } = fetch;
  const filter = typeof source === 'boolean' ? { includes: [], excludes: [] } : source;
  writer
    .u8(source === false ? 0 : source === true ? 1 : 2)
    .list(filter.includes, (pattern) => writer.str(pattern))
    .list(filter.excludes, (pattern) => writer.str(pattern))
    .u8(fetch.flags)
    .list(fetch.docvalueFields, (field) => writer.str(field.field).str(field.format))
    .list(fetch.fields, (field) => writer.str(field.field).str(field.format));
}
