// terms and rare_terms: a bucket for each value of a field.
import type { Json } from '../../../backend.js';
import type { ValueKind } from '../../../wire/agg-reader.js';
import { illegal } from '../../values.js';
import type { Agg, AggBody, AggContext, AggResult, Part, Reducer } from '../agg.js';
import type { Joined } from '../buckets.js';
import { ValueTexts } from '../format.js';
import { COUNT_DESCENDING, compareBuckets, type OrderKey, readOrder } from '../order.js';
import { mapSteps, type Steps, sortSteps } from '../steps.js';
import {
  Candidate,
  type Columns,
  DEFAULT_SIZE,
  EXACT_BUCKETS,
  join,
  type Key,
  type Node,
  reading,
  readWanted,
  toBucket,
  WITHOUT_DOCUMENTS,
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
  ip: 'sterms',
};

export function terms(context: AggContext): AggBody<Columns> {
  const { params, children } = context;
  const source = params.source();
  const size = params.count('size', 1) ?? DEFAULT_SIZE;
  const shardSize = Math.max(
    size,
    params.count('shard_size', 1) ?? Math.floor(size * 1.5) + DEFAULT_SIZE,
  );
  const minDocCount = params.count('min_doc_count', 0) ?? 1;
  params.count('shard_min_doc_count', 0);
  const order = readOrder(params.raw('order'), children, COUNT_DESCENDING);
  const showError = params.flag('show_term_doc_count_error') ?? false;
  params.choice('collect_mode', ['depth_first', 'breadth_first']);
  params.choice('execution_hint', [
    'map',
    'global_ordinals',
    'global_ordinals_hash',
    'global_ordinals_low_cardinality',
  ]);
  const wanted = readWanted(context, true);
  return {
    opcode: 'agg:terms',
    encode(encoder) {
      const several = encoder.shards > 1;
      const node: Node = {
        source,
        shardSize: several ? shardSize : size,
        exactLimit: several ? EXACT_BUCKETS : 0,
        minDocCount: several ? Math.min(minDocCount, 1) : minDocCount,
        maxDocCount: 0,
        order,
        wanted,
        flags: minDocCount === 0 ? WITHOUT_DOCUMENTS : 0,
      };
      writeNode(encoder, node, children);
    },
    readColumns: reading(false),
    *reduce(agg, parts, reducer): Steps<AggResult> {
      const texts = new ValueTexts(parts, source, reducer.calendar);
      const joined = (yield* join(parts)).filter(({ docCount }) => docCount >= minDocCount);
      const candidates = yield* mapSteps(joined, candidateOf(agg, reducer));
      const all = yield* sortSteps(candidates, compareBuckets(order));
      const shown = all.slice(0, size);
      const total = (column: (part: Part<Columns>) => number): number =>
        parts.reduce((sum, part) => sum + column(part), 0);
      // By key, what a shard cut off is behind everything that is shown.
      const errorOf = ({ node, owner }: Part<Columns>): number =>
        order[0]?.by === 'key' ? 0 : (node.columns.error[owner] ?? 0);
      const unknown = parts.some((part) => errorOf(part) < 0);
      const rest = all.slice(size).reduce((sum, { docCount }) => sum + docCount, 0);
      const bucketError = (candidate: Candidate): Record<string, Json> => {
        if (!showError) return {};
        const has = new Set(candidate.joined.parts.map(({ shard }) => shard));
        const error = unknown ? -1 : total((part) => (has.has(part.shard) ? 0 : errorOf(part)));
        return { doc_count_error_upper_bound: error };
      };
      return {
        agg,
        typed: TYPED[texts.kind],
        members: {
          // What one shard counted is right, however many terms it left out.
          doc_count_error_upper_bound: unknown ? -1 : parts.length === 1 ? 0 : total(errorOf),
          sum_other_doc_count: rest + total(({ node, owner }) => node.columns.other[owner] ?? 0),
        },
        buckets: yield* mapSteps(shown, (candidate) =>
          toBucket(candidate, texts, bucketError(candidate)),
        ),
        value: () => undefined,
      };
    },
  };
}

function candidateOf(agg: Agg<Columns>, reducer: Reducer): (joined: Joined<Key>) => Candidate {
  return (joined) => new Candidate(joined, () => reducer.inside(agg as Agg, joined.parts));
}

const RAREST: readonly OrderKey[] = [
  { by: 'count', descending: false, path: [], property: '' },
  { by: 'key', descending: false, path: [], property: '' },
];

export function rareTerms(context: AggContext): AggBody<Columns> {
  const { params, children, name } = context;
  const source = params.source();
  const most = params.count('max_doc_count', 1) ?? 1;
  if (most > MAX_RARE) {
    throw illegal(
      `[max_doc_count] must be smaller than or equal to ${MAX_RARE} in [${name}], got [${most}]`,
    );
  }
  params.number('precision');
  const wanted = readWanted(context, false);
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
    *reduce(agg, parts, reducer): Steps<AggResult> {
      const texts = new ValueTexts(parts, source, reducer.calendar);
      const joined = (yield* join(parts)).filter(({ docCount }) => docCount <= most);
      const candidates = yield* mapSteps(joined, candidateOf(agg, reducer));
      const rare = yield* sortSteps(candidates, compareBuckets(RAREST));
      const typed = `${['string', 'ip', 'unmapped'].includes(texts.kind) ? 's' : 'l'}rareterms`;
      return {
        agg,
        typed,
        members: {},
        buckets: yield* mapSteps(rare, (candidate) => toBucket(candidate, texts)),
        value: () => undefined,
      };
    },
  };
}
