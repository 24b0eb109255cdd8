// From the partial answers of shards to one answer: bucket by bucket, then pipelines, inside out.

import type { AggPart } from '../../wire/agg-reader.js';
import type { Agg, AggResult, BucketPart, Inside, Part, Reducer } from './agg.js';
import type { Calendar } from './calendar.js';
import { MAX_BUCKETS, tooMany } from './kinds/histogram-buckets.js';
import type { AggTree } from './parse.js';
import { inOrder, type Pipeline, toResult } from './pipeline.js';

/** What one shard answered to the aggregations at the top. */
export interface ShardAggs {
  readonly indexName: string;
  readonly parts: readonly AggPart[];
}

/**
 * The answer, as far as the calendar knows; made again when it waits. It may be left between two aggregations at the top.
 * too_many_buckets_exception where more than MAX_BUCKETS
 * buckets would be shown.
 */
export function* reduceAggs(
  tree: AggTree,
  shards: readonly ShardAggs[],
  calendar: Calendar,
): Generator<undefined, Inside, undefined> {
  const reducer: Reducer = {
    calendar,
    shards: shards.length,
    indexName: (shard) => shards[shard]?.indexName ?? '',
    inside: (agg, parts) => inside(agg, parts, reducer),
  };
  const level = new Map<string, AggResult>();
  for (const [at, agg] of tree.aggs.entries()) {
    const parts = shards.flatMap((answer, shard): Part[] => {
      const node = answer.parts[at];
      return node === undefined ? [] : [{ node, owner: 0, shard }];
    });
    level.set(agg.name, reduceOne(agg, parts, reducer));
    yield;
  }
  addSiblings(level, tree.pipelines);
  checkBuckets(level);
  return level;
}

function inside(agg: Agg, parts: readonly BucketPart[], reducer: Reducer): Inside {
  const level = new Map<string, AggResult>();
  for (const [at, child] of agg.children.entries()) {
    const owned = parts.flatMap(({ node, bucket, shard }): Part[] => {
      const part = node.children[at];
      return part === undefined ? [] : [{ node: part, owner: bucket, shard }];
    });
    level.set(child.name, reduceOne(child, owned, reducer));
  }
  addSiblings(level, agg.pipelines);
  return level;
}

function reduceOne(agg: Agg, parts: readonly Part[], reducer: Reducer): AggResult {
  const result = agg.reduce(parts, reducer);
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

function checkBuckets(level: Inside): void {
  let left = MAX_BUCKETS;
  const visit = (inner: Inside): void => {
    for (const { buckets = [], single } of inner.values()) {
      left -= buckets.length;
      if (left < 0) throw tooMany(MAX_BUCKETS - left);
      for (const bucket of buckets) visit(bucket.inside);
      if (single !== undefined) visit(single.inside);
    }
  };
  visit(level);
}

/** Every top_hits of an answer, in the order of the answer. */
export function topHitsOf(level: Inside): readonly NonNullable<AggResult['hits']>[] {
  return [...level.values()].flatMap(({ hits, buckets = [], single }) => [
    ...(hits === undefined ? [] : [hits]),
    ...buckets.flatMap((bucket) => topHitsOf(bucket.inside)),
    ...(single === undefined ? [] : topHitsOf(single.inside)),
  ]);
}
