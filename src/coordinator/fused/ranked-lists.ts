// The lists that shards found for a search of fused lists: merged over all shards, and turned back into what shards
// are told of single documents.
import type { RankedHit } from '../../fusion/fuse.js';
import { isVectorClause } from '../../query/nearest-vectors.js';
import type { Leg } from '../../query/ranking.js';
import type { ShardHits } from '../../wire/hits-reader.js';
import type { ShardScores } from '../../wire/plan-writer.js';
import { mergeRanked } from '../shards/merge.js';

/** A document of a list. Its `id` is made of its place: reading the true ids of all would be reading documents. */
export interface Place extends RankedHit {
  /** Place of the shard among those that were searched. */
  readonly shard: number;
  readonly doc: number;
}

/** A shard that answered, of an index that is still there. */
export interface AnsweredIndexShard {
  readonly shard: ShardHits;
  readonly indexName: string;
}

export interface PlacedList {
  readonly hits: readonly Place[];
  /** There may be more than the list shows. */
  readonly cut: boolean;
}

export function placeKey(shard: number, doc: number): string {
  return `${shard}:${doc}`;
}

/** The best of all shards. `leg`: place of the list in the plan. */
export function placedList(
  shards: readonly AnsweredIndexShard[],
  leg: number,
  of: Leg,
): PlacedList {
  const { clause, depth, minScore } = of;
  const found = shards.flatMap(({ shard, indexName }, at) => {
    const hits = shard.legs[leg];
    return hits === undefined ? [] : [{ at, indexName, hits }];
  });
  const merged = mergeRanked(found, [], 0, depth + 1).flatMap(({ list, hit }): Place[] => {
    const from = found[list];
    const doc = from?.hits.docs[hit];
    if (from === undefined || doc === undefined) return [];
    const { at: shard, indexName: index } = from;
    return [{ index, id: placeKey(shard, doc), score: from.hits.scores[hit] ?? 0, shard, doc }];
  });
  const counting = merged.filter(({ score }) => score >= minScore);
  // Neighbours beyond the k of all shards are none.
  const all = isVectorClause(clause) && depth >= clause.k;
  return { hits: counting.slice(0, depth), cut: !all && counting.length > depth };
}

/** The documents with their scores by shard, in the order of their numbers. */
export function scoresByShard(
  hits: readonly Pick<Place, 'shard' | 'doc' | 'score'>[],
  shards: readonly AnsweredIndexShard[],
): readonly ShardScores[] {
  const byShard = new Map<number, Pick<Place, 'doc' | 'score'>[]>();
  for (const hit of hits) {
    const of = byShard.get(hit.shard);
    if (of === undefined) byShard.set(hit.shard, [hit]);
    else of.push(hit);
  }
  return [...byShard].flatMap(([at, of]) => {
    const searched = shards[at]?.shard;
    if (searched === undefined) return [];
    of.sort((a, b) => a.doc - b.doc);
    return [
      {
        index: searched.index,
        shard: searched.shard,
        docs: of.map(({ doc }) => doc),
        scores: of.map(({ score }) => score),
      },
    ];
  });
}
