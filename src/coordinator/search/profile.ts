// The response to `profile: true`: the work of a search in each shard, summed over all of its
// phases. It consists of counts and not of times, so that it is the same at every run.
import type { JsonObject } from '../../backend/index.js';
import type { ShardHits } from '../../wire/hits-reader.js';
import { shardKey } from '../shards/refresh.js';

/** Adds our counters (`work`) to the members that clients of Elasticsearch expect of a shard. */
export function profileOf(
  replies: readonly ShardHits[],
  indexName: (number: number) => string | undefined,
): JsonObject {
  const byShard = new Map<string, ShardHits[]>();
  for (const reply of replies) {
    const key = shardKey(reply);
    const of = byShard.get(key);
    if (of === undefined) byShard.set(key, [reply]);
    else of.push(reply);
  }
  return { shards: [...byShard.values()].flatMap((of) => shardProfile(of, indexName)) };
}

function shardProfile(
  replies: readonly ShardHits[],
  indexName: (number: number) => string | undefined,
): readonly JsonObject[] {
  const [first] = replies;
  const index = first === undefined ? undefined : indexName(first.index);
  if (first === undefined || index === undefined) return [];
  const sum = (read: (reply: ShardHits) => number): number =>
    replies.reduce((total, reply) => total + read(reply), 0);
  return [
    {
      id: `[${index}][${first.shard}]`,
      index,
      shard_id: first.shard,
      searches: [],
      aggregations: [],
      work: {
        phases: replies.length,
        blocks_decoded: sum((reply) => reply.blocksDecoded),
        documents_scored: sum((reply) => reply.docsScored),
        documents_sorted: sum((reply) => reply.docsSorted),
        positions_read: sum((reply) => reply.positionsRead),
        terms_visited: sum((reply) => reply.termsVisited),
        postings_bytes_read: sum((reply) => reply.postingsBytes),
        vector_distances: {
          sketch: sum(({ vectors }) => vectors.sketchDistances),
          int8: sum(({ vectors }) => vectors.codeDistances),
          float: sum(({ vectors }) => vectors.exactDistances),
        },
        graph_hops: sum(({ vectors }) => vectors.hops),
        vector_bytes_read: sum(({ vectors }) => vectors.bytesRead),
      },
    },
  ];
}
