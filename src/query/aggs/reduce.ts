// Reduces the partial results of shards to one response: bucket by bucket, then the pipelines, from
// the inside out.

import type { AggPart } from '../../wire/agg-reader.js';
import { DEFAULT_MAX_BUCKETS } from '../limits.js';
import type { Agg, AggResult, BucketPart, Inside, Reducer, ShardBucket } from './agg.js';
import { keep, ListedBuckets } from './buckets.js';
import type { Calendar } from './calendar.js';
import { ValueTexts, valuesOf } from './format.js';
import type { AggPiece } from './json.js';
import type { AggTree } from './parse.js';
import { toResult } from './pipeline.js';
import { PipelineWork } from './pipeline-work.js';
import { type Pipeline, PipelineBucket } from './pipelines/kit.js';
import { writeAggs } from './render.js';
import { atOnce, type CooperativeTask, mapSteps } from './steps.js';

/** One shard's results for the aggregations at the top. */
export interface ShardAggs {
  readonly indexName: string;
  readonly parts: readonly AggPart[];
}

interface ReduceOptions {
  /** Names have the type of the result as a prefix: `sterms#genres`. */
  readonly typedKeys: boolean;
  /** Undefined: the default limit. */
  readonly maxBuckets?: number;
  /** Accounts for the memory of the response while it is written; throws if there is none. */
  readonly reserve?: (bytes: number) => void;
}

/**
 * The response as text. It yields, except inside one bucket that several shards have.
 * too_many_buckets_exception if more than `maxBuckets` buckets would be shown.
 */
export function* reduceAggs(
  tree: AggTree,
  shards: readonly ShardAggs[],
  calendar: Calendar,
  options: ReduceOptions,
): CooperativeTask<readonly AggPiece[]> {
  const { typedKeys, maxBuckets = DEFAULT_MAX_BUCKETS, reserve } = options;
  const reducing = new Reducing(tree, shards, calendar, maxBuckets);
  return yield* writeAggs(yield* reducing.top(), typedKeys, maxBuckets, reserve);
}

/** The content of a bucket without aggregations inside. */
const NOTHING: Inside = new Map();

class Reducing implements Reducer {
  readonly calendar: Calendar;
  readonly maxBuckets: number;
  readonly #tree: AggTree;
  readonly #shards: readonly ShardAggs[];
  /** Results are kept if there are pipelines, which read buckets repeatedly. */
  readonly #keeps: boolean;
  readonly #work = new PipelineWork();
  /** By the first part whose shard has the field mapped. */
  readonly #texts = new Map<AggPart, ValueTexts>();
  #first: ReadonlyMap<Pick<Agg, 'name'>, AggPart> | undefined;

  constructor(tree: AggTree, shards: readonly ShardAggs[], calendar: Calendar, maxBuckets: number) {
    this.maxBuckets = maxBuckets;
    this.#tree = tree;
    this.#shards = shards;
    this.calendar = calendar;
    this.#keeps = tree.pipelines.length > 0 || tree.aggs.some(hasPipelines);
  }

  get shards(): number {
    return this.#shards.length;
  }
  indexName(shard: number): string {
    return this.#shards[shard]?.indexName ?? '';
  }
  any(agg: Pick<Agg, 'name'>): AggPart | undefined {
    if (this.#first === undefined) {
      const found = new Map<Pick<Agg, 'name'>, AggPart>();
      for (const { parts } of this.#shards) addNodes(found, this.#tree.aggs, parts);
      this.#first = found;
    }
    return this.#first.get(agg);
  }
  texts(
    agg: Pick<Agg, 'name'>,
    parts: readonly ShardBucket[],
    source: Parameters<Reducer['texts']>[2],
  ): ValueTexts {
    const values = parts.length === 0 ? this.any(agg) : valuesOf(parts);
    if (values === undefined) {
      return new ValueTexts({ kind: 'unmapped', format: '' }, source, this.calendar);
    }
    const known = this.#texts.get(values);
    if (known !== undefined) return known;
    const made = new ValueTexts(values, source, this.calendar);
    this.#texts.set(values, made);
    return made;
  }

  *top(): CooperativeTask<Inside> {
    const level = new Map<string, AggResult>();
    for (const [at, agg] of this.#tree.aggs.entries()) {
      const parts = this.#shards.flatMap((answer, shard): ShardBucket[] => {
        const node = answer.parts[at];
        return node === undefined ? [] : [{ node, owner: 0, shard }];
      });
      level.set(agg.name, yield* this.#one(agg, parts));
      yield;
    }
    return yield* this.#withSiblings(level, this.#tree.pipelines);
  }

  inside(agg: Agg, partsOf: () => readonly BucketPart[]): Inside {
    if (agg.children.length === 0 && agg.pipelines.length === 0) return NOTHING;
    const parts = partsOf();
    const level = new Map<string, AggResult>();
    for (let at = 0; at < agg.children.length; at++) {
      const child = agg.children[at] as Agg;
      level.set(child.name, this.#now(child, owned(parts, at)));
    }
    return agg.pipelines.length === 0 ? level : atOnce(this.#withSiblings(level, agg.pipelines));
  }

  *insideSteps(agg: Agg, parts: readonly BucketPart[]): CooperativeTask<Inside> {
    const level = new Map<string, AggResult>();
    for (const [at, child] of agg.children.entries()) {
      level.set(child.name, yield* this.#one(child, owned(parts, at)));
    }
    return yield* this.#withSiblings(level, agg.pipelines);
  }

  #now(agg: Agg, parts: readonly ShardBucket[]): AggResult {
    const reduced = agg.reduce(parts, this);
    const result = 'next' in reduced ? atOnce(reduced) : reduced;
    return this.#keeps ? atOnce(this.#kept(agg, result)) : result;
  }
  *#one(agg: Agg, parts: readonly ShardBucket[]): CooperativeTask<AggResult> {
    const reduced = agg.reduce(parts, this);
    const result = 'next' in reduced ? yield* reduced : reduced;
    return this.#keeps ? yield* this.#kept(agg, result) : result;
  }

  /** The result with materialized buckets and the results of the pipelines inside them. */
  *#kept(agg: Agg, result: AggResult): CooperativeTask<AggResult> {
    if (result.buckets === undefined) return result;
    const list = yield* keep(result.buckets);
    const parents = agg.pipelines.filter(({ parent }) => parent);
    if (parents.length === 0) return { ...result, buckets: list };
    let buckets: readonly PipelineBucket[] = yield* mapSteps(
      list.list,
      (bucket) => new PipelineBucket(bucket),
    );
    this.#work.reserve(parents.length * list.length);
    for (const pipeline of parents) buckets = yield* pipeline.buckets(buckets, this.#work);
    return { ...result, buckets: new ListedBuckets(buckets) };
  }

  *#withSiblings(
    level: Map<string, AggResult>,
    pipelines: readonly Pipeline[],
  ): CooperativeTask<Inside> {
    for (const pipeline of pipelines) {
      if (pipeline.parent) continue;
      level.set(pipeline.name, toResult(pipeline, yield* pipeline.result(level, this.#work)));
    }
    return level;
  }
}

/** Adds the nodes of a shard by aggregation; a node with a mapped field replaces one without. */
function addNodes(
  found: Map<Pick<Agg, 'name'>, AggPart>,
  aggs: readonly Agg[],
  parts: readonly AggPart[],
): void {
  for (const [at, agg] of aggs.entries()) {
    const part = parts[at];
    if (part === undefined) continue;
    if ((found.get(agg)?.kind ?? 'unmapped') === 'unmapped') found.set(agg, part);
    addNodes(found, agg.children, part.children);
  }
}

function hasPipelines({ children, pipelines }: Agg): boolean {
  return pipelines.length > 0 || children.some(hasPipelines);
}

/** The parts of one bucket for a child aggregation. */
function owned(parts: readonly BucketPart[], child: number): readonly ShardBucket[] {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) {
    const node = only.node.children[child];
    return node === undefined ? [] : [{ node, owner: only.bucket, shard: only.shard }];
  }
  return parts.flatMap(({ node, bucket, shard }): ShardBucket[] => {
    const part = node.children[child];
    return part === undefined ? [] : [{ node: part, owner: bucket, shard }];
  });
}
