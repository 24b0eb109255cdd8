// Parallel execution of lists: when it is used, how results are joined, and that all use the same
// snapshots.
import { describe, expect, test } from 'vitest';
import { readEntry } from '../../src/coordinator/catalog/catalog.ts';
import { askLists, type ListRange, splitLists } from '../../src/coordinator/shards/list-tasks.ts';
import { toFailedShard } from '../../src/coordinator/shards/search-failures.ts';
import type { ShardReplies } from '../../src/coordinator/shards/shard-client.ts';
import { readSearchReply } from '../../src/wire/hits-reader.ts';
import { description, ERROR_NUMBERS, toError } from './fake-pool.ts';
import { searchReply } from './replies.ts';

const entry = readEntry(description('a', 1));

describe('lists are spread', () => {
  const split = (lists: number, idle: number, shards = 1) =>
    splitLists(lists, shards, idle).map(({ from, to }) => [from, to]);

  test('over idle threads, in order, none left out', () => {
    expect(split(2, 2)).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(split(5, 2)).toEqual([
      [0, 3],
      [3, 5],
    ]);
    expect(split(2, 8)).toHaveLength(2);
  });

  test('not where no thread is idle, and not where shards take them all', () => {
    expect(split(2, 1)).toEqual([[0, 2]]);
    expect(split(2, 0)).toEqual([[0, 2]]);
    expect(split(2, 3, 2)).toEqual([[0, 2]]);
    expect(split(1, 2)).toEqual([[0, 1]]);
    expect(split(1, 2, 0)).toEqual([[0, 1]]);
  });
});

const sample = (shard: number, generation: bigint, lists: readonly number[]) => {
  const [first, ...rest] = lists.map((score) => ({ scores: [score], seqNos: [1n] }));
  return { index: 1, shard, generation, ...(first ?? { scores: [], seqNos: [] }), moreLegs: rest };
};
const answered = (...samples: readonly ReturnType<typeof sample>[]): ShardReplies => ({
  total: samples.length,
  failed: [],
  hits: readSearchReply(searchReply(samples)).shards.flatMap((shard) => (shard.ok ? shard : [])),
});
const failing = (shard: number): ShardReplies['failed'] => {
  const error = { index: 1, shard, errorType: ERROR_NUMBERS.corrupt_index_exception, reason: 'x' };
  const [reply] = readSearchReply(searchReply([error])).shards;
  return reply === undefined || reply.ok ? [] : [toFailedShard(reply, entry, toError)];
};
const scores = ({ hits }: ShardReplies) =>
  hits.map(({ shard, legs }) => [shard, ...legs.map((leg) => leg.scores[0])]);

const HALVES: readonly ListRange[] = [
  { from: 0, to: 2 },
  { from: 2, to: 3 },
];

describe('answers', () => {
  test('are joined in the order of the lists, whatever shard answered first', async () => {
    const answers = await askLists(3, HALVES, async ({ from }) =>
      from === 0
        ? answered(sample(0, 7n, [1, 2]), sample(1, 8n, [3, 4]))
        : answered(sample(1, 8n, [5]), sample(0, 7n, [6])),
    );
    expect(scores(answers)).toEqual([
      [0, 1, 2, 6],
      [1, 3, 4, 5],
    ]);
    expect(answers.total).toBe(2);
    // The sum of two equal samples.
    expect(answers.hits[0]).toMatchObject({ blocksDecoded: 6, docsScored: 10, generation: 7n });
  });

  test('of different snapshots are thrown away, and all lists are asked for at once', async () => {
    const requested: ListRange[] = [];
    const answers = await askLists(3, HALVES, async (range) => {
      requested.push(range);
      if (range.to - range.from === 3) return answered(sample(0, 9n, [1, 2, 3]));
      return range.from === 0 ? answered(sample(0, 7n, [1, 2])) : answered(sample(0, 8n, [3]));
    });
    expect(requested).toEqual([...HALVES, { from: 0, to: 3 }]);
    expect(scores(answers)).toEqual([[0, 1, 2, 3]]);
  });

  test('leave out a shard that failed for some lists, and name it once', async () => {
    const answers = await askLists(3, HALVES, async ({ from }) =>
      from === 0
        ? { ...answered(sample(0, 7n, [1, 2]), sample(1, 8n, [3, 4])), failed: failing(2) }
        : { ...answered(sample(0, 7n, [6])), failed: [...failing(1), ...failing(2)] },
    );
    expect(scores(answers)).toEqual([[0, 1, 2, 6]]);
    expect(answers.failed.map(({ shard }) => shard).sort()).toEqual([1, 2]);
  });

  test('of one range are as they came', async () => {
    const answers = answered(sample(0, 7n, [1, 2]));
    expect(await askLists(2, [{ from: 0, to: 2 }], async () => answers)).toBe(answers);
  });
});
