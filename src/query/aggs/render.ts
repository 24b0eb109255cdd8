// A reduced answer in the shape in which a client reads it.
import type { AggregationTree, NestedHits } from '../../backend.js';
import type { AggBucket, AggResult, Inside, TopHitsResult } from './agg.js';

export interface RenderOptions {
  /** Names carry the type of the answer: `sterms#genres`. */
  readonly typedKeys: boolean;
  readonly hitsOf: (found: TopHitsResult) => NestedHits;
}

type Members = Record<string, AggregationTree | NestedHits>;

/** Buckets between two places where it may be left. */
const PACE = 64;

/** With steps: an answer of tens of thousands of buckets is rendered in stretches. */
export function renderAggs(level: Inside, options: RenderOptions): Steps<AggregationTree> {
  return renderLevel(level, { ...options, buckets: 0 });
}

type Steps<T> = Generator<undefined, T, undefined>;
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
  const rendered: (readonly [string, Members])[] = [];
  for (const bucket of buckets) {
    rendered.push([bucket.name, yield* renderBucket(bucket, options)]);
    options.buckets += 1;
    if (options.buckets % PACE === 0) yield;
  }
  out['buckets'] = (
    keyed === true ? Object.fromEntries(rendered) : rendered.map(([, bucket]) => bucket)
  ) as AggregationTree;
  return out as AggregationTree;
}

function* renderBucket(bucket: AggBucket, options: Rendering): Steps<Members> {
  if (bucket.inside.size === 0) return { ...bucket.members };
  return { ...bucket.members, ...((yield* renderLevel(bucket.inside, options)) as Members) };
}
