// Pages that are fetched in pieces: responses may contain fewer documents than requested, and the
// page ends at the time limit.
import { expect, test } from 'vitest';
import { fetchPage } from '../../src/coordinator/shards/fetch.ts';
import type { TaskArgs } from '../../src/worker/tasks.ts';
import { ERROR_NUMBERS, FakePool, toError } from './fake-pool.ts';
import { fetchError, fetchReply } from './replies.ts';

const SHARDS = [0, 1].map((shard) => ({ index: 1, shard, generation: 1n }));
/** Hits of both shards alternate. */
const page = (size: number) =>
  Array.from({ length: size }, (_, i) => ({ shard: i % 2, doc: i + 100 }));

function read(size: number, answer: (task: TaskArgs<'fetch'>) => readonly ArrayBuffer[]) {
  const pool = new FakePool({ fetch: answer });
  const plan = new Uint8Array();
  const found = fetchPage(page(size), SHARDS, { pool, planOf: () => plan, toError });
  return { pool, found };
}

const some = (docs: Iterable<number>, timedOut = false): ArrayBuffer =>
  fetchReply(
    [...docs].map((doc) => ({ id: String(doc) })),
    timedOut,
  );

test('documents that a reply has no room for are asked for again, in their order', async () => {
  const { pool, found } = read(7, ({ fetches: [first] }) => [
    some((first?.docs ?? new Uint32Array()).slice(0, 2)),
  ]);
  const { documents, timedOut } = await found;
  expect(documents.map((document) => document?.id)).toEqual(page(7).map(({ doc }) => String(doc)));
  expect(timedOut).toBe(false);
  expect(pool.named('fetch').map(({ fetches }) => fetches.map(({ docs }) => docs.length))).toEqual([
    [4, 3],
    [2, 3],
    [3],
    [1],
  ]);
});

test('a page whose time is up ends where it was stopped', async () => {
  const { pool, found } = read(6, ({ fetches }) =>
    fetches.map(({ docs, shard }) => (shard === 0 ? some(docs) : some(docs.slice(0, 1), true))),
  );
  const { documents, timedOut } = await found;
  expect(documents.map((document) => document?.id)).toEqual([
    '100',
    '101',
    '102',
    undefined,
    '104',
    undefined,
  ]);
  expect(timedOut).toBe(true);
  expect(pool.calls.length).toBe(1);
});

test('a page that is refused asks for no more of it', async () => {
  const { pool, found } = read(10_000, () => [
    fetchError(ERROR_NUMBERS.illegal_argument_exception, 'no'),
  ]);
  await expect(found).rejects.toThrow('no');
  expect(pool.calls.length).toBeLessThanOrEqual(8);
});

test('a reply without any document is the fault of the core', async () => {
  await expect(read(3, ({ fetches }) => fetches.map(() => some([]))).found).rejects.toThrow(
    'a fetch reply has no documents',
  );
  await expect(read(3, () => []).found).rejects.toThrow('a fetch has no documents');
});
