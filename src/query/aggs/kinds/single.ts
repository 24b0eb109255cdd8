// Aggregations with a single bucket (missing, global, sampler, filter, nested, reverse_nested), and
// filters, which has one bucket for each query.
import type { Json } from '../../../backend/index.js';
import { quote } from '../../../base/json-text.js';
import { checkRepeated } from '../../list-limits.js';
import { illegal, isArray, isObject, malformed } from '../../values.js';
import type {
  Agg,
  AggBody,
  AggBucket,
  AggContext,
  AggResult,
  Reducer,
  ShardBucket,
} from '../agg.js';
import { ListedBuckets } from '../buckets.js';
import { writeSource } from '../params.js';
import type { CooperativeTask } from '../steps.js';

function* bucketOf(
  agg: Agg,
  name: string,
  parts: readonly { readonly part: ShardBucket<ArrayLike<number>>; readonly bucket: number }[],
  reducer: Reducer,
): CooperativeTask<AggBucket> {
  const docCount = parts.reduce(
    (sum, { part, bucket }) => sum + (part.node.columns[bucket] ?? 0),
    0,
  );
  const inside = yield* reducer.insideSteps(
    agg,
    parts.map(({ part, bucket }) => ({ node: part.node, bucket, shard: part.shard })),
  );
  return { name, key: name, docCount, json: `"doc_count":${docCount}`, inside };
}

function one(typed: string) {
  return function* (
    agg: Agg<ArrayLike<number>>,
    parts: readonly ShardBucket<ArrayLike<number>>[],
    reducer: Reducer,
  ): CooperativeTask<AggResult> {
    const owned = parts.map((part) => ({ part, bucket: part.owner }));
    const single = yield* bucketOf(agg, '', owned, reducer);
    return {
      agg,
      typed,
      members: {},
      single,
      value: (property) =>
        property === '_count' || property === 'doc_count' ? single.docCount : undefined,
    };
  };
}

export function missing({ params }: AggContext): AggBody<ArrayLike<number>> {
  const source = params.source();
  return {
    opcode: 'agg:missing',
    encode: ({ writer }) => writeSource(writer, source),
    readColumns: (reader, { owners }) => reader.align(8).numbers(owners),
    reduce: one('missing'),
  };
}

export function global({ top, name, aliasFilter }: AggContext): AggBody<ArrayLike<number>> {
  if (!top) {
    throw malformed(
      `Aggregation [${name}] cannot have a global sub-aggregation [${name}]. Global aggregations can only be defined as top level aggregations`,
    );
  }
  return {
    opcode: 'agg:global',
    encode: (encoder) => {
      encoder.writer.bool(aliasFilter !== undefined);
      if (aliasFilter !== undefined) encoder.clause(aliasFilter);
    },
    readColumns: (reader, { owners }) => reader.align(8).numbers(owners),
    reduce: one('global'),
  };
}

/** The nested documents at a path. */
export function nested({ params, name }: AggContext): AggBody<ArrayLike<number>> {
  const path = params.text('path');
  if (path === undefined) {
    throw malformed(`Missing [path] field for nested aggregation [${name}]`);
  }
  return {
    opcode: 'agg:nested',
    encode: ({ writer }) => writer.str(path),
    readColumns: (reader, { owners }) => reader.align(8).numbers(owners),
    reduce: one('nested'),
  };
}

/** The documents that enclose nested ones: those at a path, or whole documents. */
export function reverseNested({ params, inNested, name }: AggContext): AggBody<ArrayLike<number>> {
  const path = params.text('path') ?? '';
  if (!inNested) {
    throw illegal(
      `Reverse nested aggregation [${name}] can only be used inside a [nested] aggregation`,
    );
  }
  return {
    opcode: 'agg:reverse_nested',
    encode: ({ writer }) => writer.str(path),
    readColumns: (reader, { owners }) => reader.align(8).numbers(owners),
    reduce: one('reverse_nested'),
  };
}

const DEFAULT_SAMPLE = 100;

export function sampler({ params }: AggContext): AggBody<ArrayLike<number>> {
  const size = params.count('shard_size', 1) ?? DEFAULT_SAMPLE;
  return {
    opcode: 'agg:sampler',
    encode: ({ writer }) => writer.u32(size).bool(false),
    readColumns: (reader, { owners }) => reader.align(8).numbers(owners),
    reduce: one('sampler'),
  };
}

export function diversifiedSampler({ params }: AggContext): AggBody<ArrayLike<number>> {
  const source = params.source();
  const size = params.count('shard_size', 1) ?? DEFAULT_SAMPLE;
  const most = params.count('max_docs_per_value', 1) ?? 1;
  params.choice('execution_hint', ['map', 'global_ordinals', 'bytes_hash']);
  return {
    opcode: 'agg:sampler',
    encode: ({ writer }) => {
      writer.u32(size).bool(true);
      writeSource(writer, source);
      writer.u32(most);
    },
    readColumns: (reader, { owners }) => reader.align(8).numbers(owners),
    reduce: one('sampler'),
  };
}

/** `{"filter": {clause}}`: the body is the clause itself. */
export function filter(
  clause: Json,
  context: Pick<AggContext, 'clause'>,
): AggBody<ArrayLike<number>> {
  const parsed = context.clause(clause);
  return {
    opcode: 'agg:filters',
    encode: (encoder) => {
      encoder.writer.bool(false).list([parsed], (query) => encoder.clause(query));
    },
    readColumns: (reader, { owners }) => reader.align(8).numbers(owners),
    reduce: one('filter'),
  };
}

export function filters(context: AggContext): AggBody<ArrayLike<number>> {
  const { params } = context;
  const given = params.raw('filters');
  if (!isObject(given) && !isArray(given)) {
    throw malformed(
      `[filters] cannot be empty, it must be an object or an array of queries: [${context.name}]`,
    );
  }
  const named = isObject(given);
  // Named filters are sorted by name, regardless of their order in the request.
  const entries: readonly (readonly [string, Json])[] = named
    ? Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1))
    : given.map((query, at) => [String(at), query]);
  const names = entries.map(([name]) => checkRepeated('the key in [filters]', name));
  if (names.length === 0) throw malformed(`[filters] cannot be empty: [${context.name}]`);
  const queries = entries.map(([, query]) => context.clause(query));
  const otherKey = params.text('other_bucket_key');
  checkRepeated('[other_bucket_key]', otherKey ?? '');
  const other = (params.flag('other_bucket') ?? false) || otherKey !== undefined;
  const keyed = params.flag('keyed') ?? true;
  const shown = other ? [...names, otherKey ?? '_other_'] : names;
  return {
    opcode: 'agg:filters',
    encode: (encoder) => {
      encoder.writer.bool(other).list(queries, (query) => encoder.clause(query));
    },
    readColumns: (reader, { buckets }) => reader.align(8).numbers(buckets),
    *reduce(agg, parts, reducer): CooperativeTask<AggResult> {
      const buckets: AggBucket[] = [];
      for (const [at, name] of shown.entries()) {
        const owned = parts.map((part) => ({ part, bucket: part.owner * shown.length + at }));
        const bucket = yield* bucketOf(agg, name, owned, reducer);
        const key = named && !keyed ? `"key":${quote(name)},` : '';
        buckets.push({ ...bucket, json: `${key}${bucket.json}` });
      }
      return {
        agg,
        typed: 'filters',
        members: {},
        buckets: new ListedBuckets(buckets),
        keyed: named && keyed,
        value: () => undefined,
      };
    },
  };
}
