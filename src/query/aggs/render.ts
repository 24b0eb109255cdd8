// A reduced answer in the shape in which a client reads it.
import type { AggregationTree, NestedHits } from '../../backend.js';
import type { AggBucket, AggResult, Inside, TopHitsResult } from './agg.js';
import { PACE, type Steps } from './steps.js';

export interface RenderOptions {
  /** Names carry the type of the answer: `sterms#genres`. */
  readonly typedKeys: boolean;
  readonly hitsOf: (found: TopHitsResult) => NestedHits;
}

type Members = Record<string, AggregationTree | NestedHits>;

/** With steps: an answer of tens of thousands of buckets is rendered in stretches. */
export function renderAggs(level: Inside, options: RenderOptions): Steps<AggregationTree> {
  return renderLevel(level, { ...options, buckets: 0 });
}

/** Counts the buckets of all levels. */
type Rendering = RenderOptions & { buckets: number };

function* renderLevel(level: Inside, options: Rendering): Steps<AggregationTree> {
  const members: Members = {};
  for (const [name, result] of level) {
    const shown = options.typedKeys ? `${result.typed}#${name}` : name;
    members[shown] = yield* renderOne(result, options);
  }
  return members as AggregationTree;
}

function* renderOne(result: AggResult, options: Rendering): Steps<AggregationTree> {
  const { agg, members, buckets, single, hits, keyed } = result;
  const out: Members = agg.meta === undefined ? {} : { meta: agg.meta };
  Object.assign(out, members, single === undefined ? {} : yield* renderBucket(single, options));
  if (hits !== undefined) out['hits'] = options.hitsOf(hits);
  if (buckets === undefined) return out as AggregationTree;
  const rendered: (readonly [string, Readonly<Members>])[] = [];
  for (const bucket of buckets) {
    const shown = bucket.inside.size === 0 ? bucket.members : yield* renderBucket(bucket, options);
    rendered.push([bucket.name, shown]);
    options.buckets += 1;
    if (options.buckets % PACE === 0) yield;
  }
  out['buckets'] = (
    keyed === true ? Object.fromEntries(rendered) : rendered.map(([, bucket]) => bucket)
  ) as AggregationTree;
  return out as AggregationTree;
}

function* renderBucket(bucket: AggBucket, options: Rendering): Steps<Members> {
  return { ...bucket.members, ...((yield* renderLevel(bucket.inside, options)) as Members) };
}
