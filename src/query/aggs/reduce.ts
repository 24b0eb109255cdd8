// From the partial answers of shards to one answer: bucket by bucket, then pipelines, inside out.
import type { QuarryError } from '../../errors.js';
import type { AggPart } from '../../wire/agg-reader.js';
import { illegal } from '../values.js';
import type { Agg, AggResult, BucketPart, Inside, Part, Reducer, TopHitsResult } from './agg.js';
import type { Calendar } from './calendar.js';
import { MAX_BUCKETS, tooMany } from './kinds/histogram-buckets.js';
import type { AggTree } from './parse.js';
import { inOrder, type Pipeline, toResult } from './pipeline.js';
import { atOnce, PACE, type Steps } from './steps.js';

/** What one shard answered to the aggregations at the top. */
export interface ShardAggs {
  readonly indexName: string;
  readonly parts: readonly AggPart[];
}

/** Numbers of percentiles, in all buckets of an answer. */
export const MAX_NUMBERS = 1_000_000;

export interface Reduced {
  readonly level: Inside;
  /** Every top_hits, in the order of the answer. */
  readonly hits: readonly TopHitsResult[];
}

/**
 * The answer, as far as the calendar knows; made again when it waits. In steps, but for what is inside one bucket of several.
 * too_many_buckets_exception where more than MAX_BUCKETS buckets would be shown.
 */
export function* reduceAggs(
  tree: AggTree,
  shards: readonly ShardAggs[],
  calendar: Calendar,
): Steps<Reduced> {
  const reducer: Reducer = {
    calendar,
    shards: shards.length,
    indexName: (shard) => shards[shard]?.indexName ?? '',
    inside: (agg, parts) => atOnce(inside(agg, parts, reducer)),
    insideSteps: (agg, parts) => inside(agg, parts, reducer),
  };
  const level = new Map<string, AggResult>();
  for (const [at, agg] of tree.aggs.entries()) {
    const parts = shards.flatMap((answer, shard): Part[] => {
      const node = answer.parts[at];
      return node === undefined ? [] : [{ node, owner: 0, shard }];
    });
    level.set(agg.name, yield* reduceOne(agg, parts, reducer));
    yield;
  }
  addSiblings(level, tree.pipelines);
  const seen: Seen = { buckets: 0, made: 0, numbers: 0, hits: [] };
  yield* visit(level, seen);
  return { level, hits: seen.hits };
}

/** Inside a bucket of nothing but its count. */
const NOTHING: Inside = new Map();

function* inside(agg: Agg, parts: readonly BucketPart[], reducer: Reducer): Steps<Inside> {
  if (agg.children.length === 0 && agg.pipelines.length === 0) return NOTHING;
  const level = new Map<string, AggResult>();
  for (const [at, child] of agg.children.entries()) {
    const owned = parts.flatMap(({ node, bucket, shard }): Part[] => {
      const part = node.children[at];
      return part === undefined ? [] : [{ node: part, owner: bucket, shard }];
    });
    level.set(child.name, yield* reduceOne(child, owned, reducer));
  }
  addSiblings(level, agg.pipelines);
  return level;
}

function* reduceOne(agg: Agg, parts: readonly Part[], reducer: Reducer): Steps<AggResult> {
  const reduced = agg.reduce(parts, reducer);
  const result = 'next' in reduced ? yield* reduced : reduced;
  const parents = agg.pipelines.filter(({ parent }) => parent);
  if (parents.length === 0 || result.buckets === undefined) return result;
  const buckets = inOrder(parents).reduce(
    (before, pipeline) => pipeline.buckets(before),
    result.buckets,
  );
  return { ...result, buckets };
}

function addSiblings(level: Map<string, AggResult>, pipelines: readonly Pipeline[]): void {
  for (const pipeline of inOrder(pipelines.filter(({ parent }) => !parent))) {
    level.set(pipeline.name, toResult(pipeline, pipeline.result(level)));
  }
}

/** Of the buckets that were visited. */
interface Seen {
  buckets: number;
  /** Buckets with all that is inside. */
  made: number;
  numbers: number;
  readonly hits: TopHitsResult[];
}

/** Looks at all of an answer, which makes it. Counts come first: nothing is made of what is refused. */
function* visit(level: Inside, seen: Seen): Steps<void> {
  for (const result of level.values()) {
    const { buckets = [], single, hits, numbers = 0 } = result;
    seen.buckets += buckets.length;
    seen.numbers += numbers;
    if (seen.buckets > MAX_BUCKETS) throw tooMany(seen.buckets);
    if (seen.numbers > MAX_NUMBERS) throw tooManyNumbers();
    // Texts of dates are asked of the calendar.
    void result.members;
    if (hits !== undefined) seen.hits.push(hits);
    for (const { inside: inner } of buckets) {
      if (inner.size > 0) yield* visit(inner, seen);
      seen.made += 1;
      if (seen.made % PACE === 0) yield;
    }
    if (single !== undefined) yield* visit(single.inside, seen);
  }
}

function tooManyNumbers(): QuarryError {
  return illegal(
    `the aggregations would answer more than [${MAX_NUMBERS}] percentiles: ask for fewer numbers, or for fewer buckets around them`,
  );
}
