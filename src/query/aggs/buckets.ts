// What all aggregations with buckets share: walking the buckets of a part, and joining those of several shards by key.
import type { AggPart } from '../../wire/agg-reader.js';
import type { BucketPart, Part } from './agg.js';
import { PACE, type Steps } from './steps.js';

/** What is inside a bucket, made once, when it is first looked at: an answer of many buckets is made step by step. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Where the buckets of each owner start, from their numbers; one more for the end. */
export function startsOf(counts: ArrayLike<number>): readonly number[] {
  const starts = [0];
  for (let owner = 0; owner < counts.length; owner++) {
    starts.push((starts[owner] ?? 0) + (counts[owner] ?? 0));
  }
  return starts;
}

/** Buckets of several shards that are one. */
export interface Joined<K> {
  readonly key: K;
  docCount: number;
  readonly parts: BucketPart[];
}

export class Joining<K> {
  readonly #byKey = new Map<unknown, Joined<K>>();

  /** `identity`: equal for equal keys, as Map has it. */
  add(identity: unknown, key: K, docCount: number, part: BucketPart): void {
    const known = this.#byKey.get(identity);
    if (known === undefined) {
      this.#byKey.set(identity, { key, docCount, parts: [part] });
      return;
    }
    known.docCount += docCount;
    known.parts.push(part);
  }
  /** In the order in which they first came. */
  all(): Joined<K>[] {
    return [...this.#byKey.values()];
  }
}

/** Calls `visit` for each bucket of a part's owner. */
export function* eachBucket<T extends { readonly starts: readonly number[] }>(
  { node, owner, shard }: Part<T>,
  visit: (bucket: number, part: BucketPart) => void,
): Steps<void> {
  const { starts } = node.columns;
  for (let bucket = starts[owner] ?? 0; bucket < (starts[owner + 1] ?? 0); bucket++) {
    visit(bucket, { node: node as AggPart, bucket, shard });
    if (bucket % PACE === 0) yield;
  }
}
