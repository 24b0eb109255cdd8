// terms and rare_terms: one bucket for each value of a field.
import type { AggPart, ValueKind } from '../../../wire/agg-reader.js';
import type { Clause } from '../../clauses/index.js';
import { illegal } from '../../values.js';
import type { Agg, AggBody, AggContext, AggResult, Reducer, ShardBucket } from '../agg.js';
import { type InsideOf, insideOf, RowBuckets, rememberedInside } from '../buckets.js';
import type { OneAnswer } from '../one-answer.js';
import {
  COUNT_DESCENDING,
  compareBuckets,
  lookInside,
  type OrderKey,
  readOrder,
} from '../order.js';
import { BUCKETS_PER_YIELD, type CooperativeTask, numbersSteps, sortSteps } from '../steps.js';
import {
  type Columns,
  DEFAULT_SIZE,
  EXACT_BUCKETS,
  isNothing,
  joinTerms,
  type Node,
  reading,
  readWanted,
  sortable,
  type Terms,
  termRows,
  WITHOUT_DOCUMENTS,
  WITHOUT_DOCUMENTS_FILTER,
  writeNode,
} from './terms-nodes.js';

const MAX_RARE = 100;

const TYPED: Readonly<Record<ValueKind, string>> = {
  unmapped: 'sterms',
  long: 'lterms',
  unsigned: 'ulterms',
  boolean: 'lterms',
  date: 'lterms',
  double: 'dterms',
  string: 'sterms',
  encoded: 'sterms',
};

export function terms(context: AggContext): AggBody<Columns> {
  const { params, children, aliasFilter } = context;
  const source = params.source();
  const size = params.count('size', 1) ?? DEFAULT_SIZE;
  const shardSize = Math.max(
    size,
    params.count('shard_size', 1) ?? Math.floor(size * 1.5) + DEFAULT_SIZE,
  );
  const minDocCount = params.count('min_doc_count', 0) ?? 1;
  // Limited to min_doc_count, as in Elasticsearch: a larger value would hide terms that have enough
  // documents in total.
  const leastOfShard = Math.min(params.count('shard_min_doc_count', 0) ?? 0, minDocCount);
  const order = readOrder(params.raw('order'), children, COUNT_DESCENDING);
  const showError = params.flag('show_term_doc_count_error') ?? false;
  params.choice('collect_mode', ['depth_first', 'breadth_first']);
  params.choice('execution_hint', [
    'map',
    'global_ordinals',
    'global_ordinals_hash',
    'global_ordinals_low_cardinality',
  ]);
  const chosen = readWanted(context);
  // The buckets of a single shard can be printed without a reduction.
  const mayBeShown = !showError && !chosen.none && source.format === '';
  return {
    opcode: 'agg:terms',
    encode(encoder) {
      const several = encoder.shards > 1;
      const node: Node = {
        source,
        shardSize: several || !isCertain(order) ? shardSize : size,
        exactLimit: several ? EXACT_BUCKETS : 0,
        minDocCount: several ? Math.max(leastOfShard, Math.min(minDocCount, 1)) : minDocCount,
        maxDocCount: 0,
        order,
        wanted: chosen,
        ...withoutDocuments(minDocCount, aliasFilter),
      };
      writeNode(encoder, node, children);
    },
    readColumns: reading(false),
    ofOne: (part) => (mayBeShown ? ofOneShard(part, size, minDocCount) : undefined),
    *reduce(agg, parts, reducer): CooperativeTask<AggResult> {
      const texts = reducer.texts(agg, parts, source);
      const found = yield* joinTerms(parts);
      const inside = insideTerms(agg, found, reducer);
      const wanted = yield* numbersSteps(
        found.length,
        (term) => found.docCount(term) >= minDocCount && !isNothing(chosen, texts),
      );
      const kept = rememberedInside(inside);
      yield* lookInside(order, kept, wanted);
      const all = yield* sortSteps(wanted, compareBuckets(order, sortable(found, kept)));
      const shown = all.length > size ? all.slice(0, size) : all;
      const total = (column: (part: ShardBucket<Columns>) => number): number =>
        parts.reduce((sum, part) => sum + column(part), 0);
      // In key order, terms that a shard cut off sort after everything that is shown.
      const errorOf = ({ node, owner }: ShardBucket<Columns>): number =>
        order[0]?.by === 'key' ? 0 : (node.columns.error[owner] ?? 0);
      const unknown = parts.some((part) => errorOf(part) < 0);
      let rest = 0;
      for (let at = size; at < all.length; at++) rest += found.docCount(all[at] ?? 0);
      const bucketError = (term: number): string => {
        const has = new Set(found.parts(term).map(({ shard }) => shard));
        const error = unknown ? -1 : total((part) => (has.has(part.shard) ? 0 : errorOf(part)));
        return `,"doc_count_error_upper_bound":${error}`;
      };
      // If the order read the aggregations inside, their results are reused.
      const isKept = order.some(({ by }) => by === 'metric');
      return {
        agg,
        typed: TYPED[texts.kind],
        members: {
          // The count of a single shard is exact, whatever number of terms it left out.
          doc_count_error_upper_bound: unknown ? -1 : parts.length === 1 ? 0 : total(errorOf),
          sum_other_doc_count: isNothing(chosen, texts)
            ? 0
            : rest + total(({ node, owner }) => node.columns.other[owner] ?? 0),
        },
        buckets: new RowBuckets(
          termRows(found, texts, showError ? bucketError : undefined),
          shown,
          isKept ? kept : inside,
        ),
        value: () => undefined,
      };
    },
  };
}

/**
 * True if terms that are cut off in this order sort after those that are kept, so that no more
 * buckets have to be requested to verify it.
 */
function isCertain([first]: readonly OrderKey[]): boolean {
  return first?.by === 'key' || (first?.by === 'count' && first.descending);
}

/**
 * Prints the buckets of the only shard in their order. Undefined if they need a reduction, or if
 * the keys have formatted strings.
 */
function ofOneShard(
  { kind, buckets, columns }: AggPart<Columns>,
  size: number,
  minDocCount: number,
): OneAnswer | undefined {
  if (buckets > Math.min(size, BUCKETS_PER_YIELD) || kind === 'date' || kind === 'boolean')
    return undefined;
  const { keys, counts, error, other } = columns;
  if ((error[0] ?? 0) < 0) return undefined;
  let text = '';
  for (let bucket = 0; bucket < buckets; bucket++) {
    const count = counts[bucket] ?? 0;
    if (count < minDocCount) return undefined;
    text += `${bucket === 0 ? '' : ','}{"key":${keys.json(bucket)},"doc_count":${count}}`;
  }
  const rest = `"doc_count_error_upper_bound":0,"sum_other_doc_count":${other[0] ?? 0}`;
  return { typed: TYPED[kind], members: `${rest},"buckets":[${text}]` };
}

function insideTerms(agg: Agg<Columns>, found: Terms, reducer: Reducer): InsideOf {
  return insideOf(agg as Agg, reducer, (term) => found.parts(term));
}

/**
 * The lower limit of Elasticsearch. It changes nothing here, because rare terms are counted
 * exactly.
 */
const LEAST_PRECISION = 0.00001;

const RAREST: readonly OrderKey[] = [
  { by: 'count', descending: false, path: [], property: '' },
  { by: 'key', descending: false, path: [], property: '' },
];

/** With min_doc_count 0 every term that the aliases' filters allow is a bucket. */
function withoutDocuments(
  minDocCount: number,
  filter: Clause | undefined,
): Pick<Node, 'flags' | 'filter'> {
  if (minDocCount > 0) return { flags: 0 };
  if (filter === undefined) return { flags: WITHOUT_DOCUMENTS };
  return {
    flags: WITHOUT_DOCUMENTS | WITHOUT_DOCUMENTS_FILTER,
    filter: (encoder) => encoder.clause(filter),
  };
}

export function rareTerms(context: AggContext): AggBody<Columns> {
  const { params, children, name } = context;
  const source = params.source();
  const most = params.count('max_doc_count', 1) ?? 1;
  if (most > MAX_RARE) {
    throw illegal(
      `[max_doc_count] must be smaller than or equal to ${MAX_RARE} in [${name}], got [${most}]`,
    );
  }
  const precision = params.number('precision');
  if (precision !== undefined && precision < LEAST_PRECISION) {
    throw illegal(`[precision] must be greater than 0.00001 in [${name}], got [${precision}]`);
  }
  const wanted = readWanted(context);
  return {
    opcode: 'agg:terms',
    encode(encoder) {
      const node: Node = {
        source,
        shardSize: EXACT_BUCKETS,
        exactLimit: EXACT_BUCKETS,
        minDocCount: 1,
        maxDocCount: encoder.shards > 1 ? 0 : most,
        order: RAREST,
        wanted,
        flags: 0,
      };
      writeNode(encoder, node, children);
    },
    readColumns: reading(false),
    *reduce(agg, parts, reducer): CooperativeTask<AggResult> {
      const texts = reducer.texts(agg, parts, source);
      const found = yield* joinTerms(parts);
      const inside = insideTerms(agg, found, reducer);
      const few = yield* numbersSteps(
        found.length,
        (term) => found.docCount(term) <= most && !isNothing(wanted, texts),
      );
      const rare = yield* sortSteps(few, compareBuckets(RAREST, sortable(found, inside)));
      const typed = `${['string', 'encoded', 'unmapped'].includes(texts.kind) ? 's' : 'l'}rareterms`;
      return {
        agg,
        typed,
        members: {},
        buckets: new RowBuckets(termRows(found, texts), rare, inside),
        value: () => undefined,
      };
    },
  };
}
