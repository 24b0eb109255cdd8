// The lists of a search for fused lists: merges the lists of all shards, and converts documents of
// a list back to the form that plans send to shards.
import type { RankedHit } from '../../fusion/fuse.js';
import { isVectorClause } from '../../query/nearest-vectors.js';
import type { Leg } from '../../query/ranking.js';
import type { ShardHits } from '../../wire/hits-reader.js';
import type { ShardScores } from '../../wire/plan-writer.js';
import { mergeRanked } from '../shards/merge.js';

/** A document of a list. Its `id` is its placeKey(), because reading all real ids is expensive. */
export interface Place extends RankedHit {
  /** Position of the shard in the list of searched shards. */
  readonly shard: number;
  readonly doc: number;
}

/** The reply of a shard whose index still exists. */
export interface AnsweredIndexShard {
  readonly shard: ShardHits;
  readonly indexName: string;
}

export interface PlacedList {
  readonly hits: readonly Place[];
  /** Whether there may be further documents that the list does not contain. */
  readonly cut: boolean;
}

export function placeKey(shard: number, doc: number): string {
  return `${shard}:${doc}`;
}

/** The best documents of all shards. `leg`: position of the list in the plan. */
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
  // Beyond the best k of all shards, documents are not results of a vector clause.
  const all = isVectorClause(clause) && depth >= clause.k;
  return { hits: counting.slice(0, depth), cut: !all && counting.length > depth };
}

/** Groups documents and their scores by shard, sorted by document number. */
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
