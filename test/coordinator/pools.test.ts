// The pools over a worker without an engine: values, errors, exceptions, transferred buffers,
// priorities.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { startPools } from '../../src/coordinator/shards/pools.ts';
import { QuarryError } from '../../src/errors.ts';

const pools = startPools(
  fileURLToPath(new URL('./fixtures/echo-worker.mjs', import.meta.url)),
  { search: 2, write: 1, background: 1 },
  ({ errorType, message, causedBy }) =>
    new QuarryError('illegal_argument_exception', `${errorType} ${message} ${causedBy}`),
);
afterAll(() => pools.close());

test('a value comes back', async () => {
  expect(await pools.write.run('refresh', { index: 1, shard: 2 })).toEqual({ index: 1, shard: 2 });
});

test('a refusal of the engine rejects as an error of the service', async () => {
  await expect(pools.write.run('flush', { index: 1, shard: 0 })).rejects.toThrow('7 no because');
});

test('a bug in the worker rejects, and the worker goes on', async () => {
  await expect(pools.write.run('recover', { index: 1, shard: 0 })).rejects.toThrow('a bug');
  expect(await pools.write.run('refresh', { index: 1, shard: 0 })).toBeDefined();
});

test('a body is moved there and back', async () => {
  const body = new Uint8Array([1, 2, 3]);
  const answer = await pools.write.run('bulk', { request: new Uint8Array(1), body }, [body.buffer]);
  expect(body.byteLength).toBe(0);
  expect([...answer.body]).toEqual([1, 2, 3]);
  expect(answer.reply.byteLength).toBe(3);
});

test('knows how busy it is', async () => {
  expect([pools.search.threads, pools.search.idle, pools.search.queued]).toEqual([2, 2, 0]);
  const running = [1, 2, 3].map((index) => pools.search.run('refresh', { index, shard: 0 }));
  expect([pools.search.idle, pools.search.queued]).toEqual([0, 1]);
  await Promise.all(running);
  expect(pools.search.idle).toBe(2);
});

test.skipIf(!existsSync('/proc/thread-self/stat'))(
  'background threads yield to the others, those that somebody waits for do not',
  async () => {
    const step = { index: 1, shard: 0, maxSegments: 0 };
    const [search, awaited, background] = await Promise.all([
      pools.search.run('merge', step),
      pools.awaited.run('merge', step),
      pools.background.run('merge', step),
    ]);
    expect(awaited).toBe(search);
    expect(Number(background) - Number(search)).toBe(Math.min(10, 19 - Number(search)));
  },
);
