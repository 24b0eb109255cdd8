// Distributes the lists of a search over tasks: if there are fewer shards than idle threads, the
// lists are split. Documents are identified by their numbers, so all tasks have to see the same
// snapshots; if a refresh came in between, all lists are requested again in one plan.
import type { LegHits, ShardHits } from '../../wire/hits-reader.js';
import { shardKey } from './refresh.js';
import type { FailedShard } from './search-failures.js';
import type { ShardReplies } from './shard-client.js';

/** Positions of lists in a search: [from, to). */
export interface ListRange {
  readonly from: number;
  readonly to: number;
}

/** Splits the lists into ranges, so that `shards` tasks per range fit on `idle` threads. */
export function splitLists(lists: number, shards: number, idle: number): readonly ListRange[] {
  const parts = Math.max(1, Math.min(lists, Math.floor(idle / Math.max(1, shards))));
  return Array.from({ length: parts }, (_, part) => ({
    from: Math.ceil((lists * part) / parts),
    to: Math.ceil((lists * (part + 1)) / parts),
  }));
}

/** `ask`: requests some of the lists. */
export async function askLists(
  lists: number,
  ranges: readonly ListRange[],
  ask: (range: ListRange) => Promise<ShardReplies>,
): Promise<ShardReplies> {
  const answers = await Promise.all(ranges.map(ask));
  return joined(answers) ?? ask({ from: 0, to: lists });
}

/** Undefined if the replies are of different snapshots. */
function joined(answers: readonly ShardReplies[]): ShardReplies | undefined {
  const [first, ...others] = answers;
  if (first === undefined || others.length === 0) return first;
  const failed = new Map<string, FailedShard>();
  for (const one of answers.flatMap((answer) => answer.failed)) {
    failed.set(shardKey({ index: one.number, shard: one.shard }), one);
  }
  const hits: ShardHits[] = [];
  for (const shard of first.hits) {
    if (failed.has(shardKey(shard))) continue;
    const same = others.map(({ hits: of }) => of.find((one) => shardKey(one) === shardKey(shard)));
    const known = same.flatMap((one) => one ?? []);
    if (known.length < others.length) return undefined;
    if (known.some(({ generation }) => generation !== shard.generation)) return undefined;
    hits.push(joinedShard([shard, ...known], shard));
  }
  return { total: first.total, hits, failed: [...failed.values()] };
}

function joinedShard(parts: readonly ShardHits[], first: ShardHits): ShardHits {
  const sum = (read: (part: ShardHits) => number): number =>
    parts.reduce((total, part) => total + read(part), 0);
  return {
    ...first,
    timedOut: parts.some(({ timedOut }) => timedOut),
    blocksDecoded: sum((part) => part.blocksDecoded),
    docsScored: sum((part) => part.docsScored),
    docsSorted: sum((part) => part.docsSorted),
    positionsRead: sum((part) => part.positionsRead),
    postingsBytes: sum((part) => part.postingsBytes),
    termsVisited: sum((part) => part.termsVisited),
    vectors: {
      sketchDistances: sum(({ vectors }) => vectors.sketchDistances),
      codeDistances: sum(({ vectors }) => vectors.codeDistances),
      exactDistances: sum(({ vectors }) => vectors.exactDistances),
      hops: sum(({ vectors }) => vectors.hops),
      bytesRead: sum(({ vectors }) => vectors.bytesRead),
    },
    legs: parts.flatMap(({ legs }): readonly LegHits[] => legs),
  };
}
