// A reduced answer in the shape in which a client reads it.
import type { AggregationTree, NestedHits } from '../../backend.js';
import type { AggBucket, AggResult, Inside, TopHitsResult } from './agg.js';

export interface RenderOptions {
  /** Names carry the type of the answer: `sterms#genres`. */
  readonly typedKeys: boolean;
  readonly hitsOf: (found: TopHitsResult) => NestedHits;
}

type Members = Record<string, AggregationTree | NestedHits>;

export function renderAggs(level: Inside, options: RenderOptions): AggregationTree {
  const members: Members = {};
  for (const [name, result] of level) {
    members[options.typedKeys ? `${result.typed}#${name}` : name] = renderOne(result, options);
  }
  return members as AggregationTree;
}

function renderOne(result: AggResult, options: RenderOptions): AggregationTree {
  const { agg, members, buckets, single, hits, keyed } = result;
  const out: Members = agg.meta === undefined ? {} : { meta: agg.meta };
  Object.assign(out, members, single === undefined ? {} : renderBucket(single, options));
  if (hits !== undefined) out['hits'] = options.hitsOf(hits);
  if (buckets === undefined) return out as AggregationTree;
  const rendered = buckets.map((bucket) => [bucket.name, renderBucket(bucket, options)] as const);
  out['buckets'] = (
    keyed === true ? Object.fromEntries(rendered) : rendered.map(([, bucket]) => bucket)
  ) as AggregationTree;
  return out as AggregationTree;
}

function renderBucket(bucket: AggBucket, options: RenderOptions): Members {
  return { ...bucket.members, ...(renderAggs(bucket.inside, options) as Members) };
}
