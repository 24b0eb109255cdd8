// significant_terms: values that are more frequent in the found documents than in the background.
import { narrowed } from '../../narrowed.js';
import { malformed } from '../../values.js';
import type { Agg, AggBody, AggContext, AggEncoder, AggResult, ShardBucket } from '../agg.js';
import { insideOf, RowBuckets } from '../buckets.js';
import { jsonOf } from '../json.js';
import { COUNT_DESCENDING } from '../order.js';
import { AggParams } from '../params.js';
import { HEURISTICS, type Heuristic } from '../significance.js';
import { type CooperativeTask, numbersSteps } from '../steps.js';
import {
  BACKGROUND,
  BACKGROUND_FILTER,
  type Columns,
  DEFAULT_SIZE,
  EXACT_BUCKETS,
  isNothing,
  joinTerms,
  type Node,
  reading,
  readWanted,
  termRows,
  writeNode,
} from './terms-nodes.js';

const LEAST_SIGNIFICANT = 3;

export function significantTerms(context: AggContext): AggBody<Columns> {
  const { params, children } = context;
  const source = params.source();
  const size = params.count('size', 1) ?? DEFAULT_SIZE;
  params.count('shard_size', 1);
  const minDocCount = params.count('min_doc_count', 0) ?? LEAST_SIGNIFICANT;
  params.count('shard_min_doc_count', 0);
  params.choice('execution_hint', ['map', 'global_ordinals', 'global_ordinals_hash']);
  const wanted = readWanted(context);
  const given = params.raw('background_filter');
  const { aliasFilter } = context;
  const background =
    given === undefined ? aliasFilter : narrowed(context.clause(given), aliasFilter);
  const heuristic = readHeuristic(context);
  return {
    opcode: 'agg:terms',
    encode(encoder) {
      const node: Node = {
        source,
        shardSize: EXACT_BUCKETS,
        exactLimit: EXACT_BUCKETS,
        minDocCount: 1,
        maxDocCount: 0,
        order: [COUNT_DESCENDING],
        wanted,
        flags: BACKGROUND | (background === undefined ? 0 : BACKGROUND_FILTER),
        ...(background === undefined ? {} : { filter: (to: AggEncoder) => to.clause(background) }),
      };
      writeNode(encoder, node, children);
    },
    readColumns: reading(true),
    *reduce(agg, parts, reducer): CooperativeTask<AggResult> {
      const texts = reducer.texts(agg, parts, source);
      const sum = (column: (part: ShardBucket<Columns>) => number | undefined): number =>
        parts.reduce((total, part) => total + (column(part) ?? 0), 0);
      const subset = sum(({ node, owner }) => node.columns.background?.subset[owner]);
      const superset = sum(({ node, owner }) => node.columns.background?.superset[owner]);
      const found = yield* joinTerms(parts);
      const frequent = yield* numbersSteps(
        found.length,
        (term) => found.docCount(term) >= minDocCount && !isNothing(wanted, texts),
      );
      const scored = frequent
        .map((term) => {
          const behind = found
            .parts(term)
            .reduce(
              (total, { node, bucket }) =>
                total + ((node.columns as Columns).background?.counts[bucket] ?? 0),
              0,
            );
          const docCount = found.docCount(term);
          const score = heuristic(docCount, subset, behind, superset);
          return { term, docCount, behind, score };
        })
        .filter(({ score }) => score > 0);
      scored.sort((a, b) => b.score - a.score || b.docCount - a.docCount);
      const shown = new Map(scored.slice(0, size).map((one) => [one.term, one]));
      const more = (term: number): string => {
        const { score = 0, behind = 0 } = shown.get(term) ?? {};
        return `,"score":${jsonOf(score)},"bg_count":${behind}`;
      };
      const typed = ['string', 'encoded', 'unmapped'].includes(texts.kind)
        ? 'sigsterms'
        : 'siglterms';
      return {
        agg,
        typed,
        members: { doc_count: subset, bg_count: superset },
        buckets: new RowBuckets(
          termRows(found, texts, more),
          [...shown.keys()],
          insideOf(agg as Agg, reducer, (term) => found.parts(term)),
        ),
        value: () => undefined,
      };
    },
  };
}

function readHeuristic({ params, name }: AggContext): Heuristic {
  let chosen: Heuristic | undefined;
  for (const [key, make] of Object.entries(HEURISTICS)) {
    const body = params.object(key);
    if (body === undefined) continue;
    if (chosen !== undefined) throw malformed(`[${params.clause}] takes one heuristic: [${name}]`);
    const inner = new AggParams(key, body, name);
    chosen = make(inner);
    inner.finish();
  }
  return chosen ?? HEURISTICS['jlh']?.(new AggParams('jlh', {}, name)) ?? (() => 0);
}
