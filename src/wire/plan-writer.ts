// Writes search plans; native/core/query/plan/plan.h and opcodes.def own the format. Opcode numbers
// come from the addon's table. Each clause writes its payload through PlanWriter.
import { ByteWriter } from './byte-writer.js';
import type {
  FetchSpec,
  KnnFields,
  MatchOptions,
  PlanHeader,
  PlanInput,
  PlanSortKey,
  Scalar,
  SemanticFields,
  ShardScores,
} from './plan-input.js';

export type * from './plan-input.js';

/** DSL name -> opcode number, from Addon.opcodes(). */
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
/** An inline fetch returns the hits of the response as text: see readRenderedPage(). */
export const PLAN_HITS_JSON = 8;

export const FETCH_VERSION = 1;
export const FETCH_SEQ_NO = 2;
export const FETCH_EXPLAIN = 4;
export const FETCH_MATCHED_QUERIES = 8;
export const FETCH_WITHOUT_VECTORS = 16;
export const FETCH_NAMED_SCORES = 32;

const SCALAR_KINDS = { null: 0, boolean: 1, number: 2, string: 3 } as const;

/** In the mode of a sort key: levels of nested documents follow. */
const NESTED_SORT = 128;
/** In the mode of a sort key: a query follows. */
const QUERY_SORT = 64;
const NO_LIMIT = 0xffffffff;

const SORT_MODES = ['default', 'min', 'max', 'sum', 'avg', 'median'] as const;

/** A ByteWriter with nodes and the parts of payloads that several nodes share. */
export class PlanWriter extends ByteWriter {
  readonly #opcodes: Opcodes;

  constructor(opcodes: Opcodes) {
    super();
    this.#opcodes = opcodes;
  }

  /** Writes a node: its header, then the payload, whose length is then set in the header. */
  node(name: string, payload: () => void, flags = 0): this {
    const opcode = this.#opcodes[name];
    if (opcode === undefined) throw new Error(`the native core has no plan node [${name}]`);
    this.u16(opcode).u16(flags).u32(0);
    const start = this.size;
    payload();
    return this.patchU32(start - 4, this.size - start);
  }
  /** Writes a str whose bytes `content` writes. */
  block(content: () => void): this {
    this.u32(0);
    const start = this.size;
    content();
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
      .u8(
        (options.lenient ? 1 : 0) |
          (options.synonymPhrases ? 0 : 2) |
          (options.constantWords ? 4 : 0),
      );
  }
  /** Writes the payload of a knn node; `filter` and `rootFilter` write one query node each. */
  knn(fields: KnnFields, filter?: () => void, rootFilter?: () => void): this {
    this.str(fields.field).floats(fields.vector);
    this.u32(fields.k).u32(fields.numCandidates).f32(fields.similarity);
    this.u8((filter === undefined ? 0 : 1) | (rootFilter === undefined ? 0 : 2));
    filter?.();
    rootFilter?.();
    return this;
  }
  /** Writes the payload of a semantic node; `filter` writes one query node. */
  semantic(fields: SemanticFields, filter?: () => void): this {
    this.str(fields.field).str(fields.text);
    this.list(fields.vectors, ({ embedder, vector }) => this.str(embedder).floats(vector));
    this.u32(fields.k).u32(fields.numCandidates).bool(fields.passages);
    return this.optional(filter);
  }
  floats(values: ArrayLike<number>): this {
    this.u32(values.length);
    for (let at = 0; at < values.length; at++) this.f32(values[at] ?? Number.NaN);
    return this;
  }
  /** Writes whether there is a node, then the node. */
  optional(node: (() => void) | undefined): this {
    this.bool(node !== undefined);
    node?.();
    return this;
  }
  /** Writes the payload of a doc_scores node. */
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
    .u8(
      SORT_MODES.indexOf(key.mode) |
        (key.nested === undefined ? 0 : NESTED_SORT) |
        (key.query === undefined ? 0 : QUERY_SORT),
    )
    .u8(named)
    .scalar(value)
    .str(key.unmappedType)
    .str(key.numericType)
    .str(key.format);
  const { details, nested } = key;
  if (details !== undefined) writer.block(() => details(writer));
  if (nested !== undefined) {
    writer.list(nested, ({ path, maxChildren, filter }) => {
      writer.str(path).u32(maxChildren ?? NO_LIMIT);
      writer.optional(filter && (() => filter(writer)));
    });
  }
  key.query?.(writer);
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
