// Threads that cannot start, or die: waiting tasks fail, later ones are executed, and the process
// continues.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startPools } from '../../src/coordinator/shards/pools.ts';
import { QuarryError } from '../../src/errors.ts';

const worker = fileURLToPath(new URL('./fixtures/late-worker.mjs', import.meta.url));
const shard = { index: 1, shard: 0 };
let folder: string;
let needed: string;
let pools: ReturnType<typeof startPools>;
let errors: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quarry-threads-'));
  needed = join(folder, 'needed');
  process.env['LATE_WORKER_FILE'] = needed;
  errors = [];
});
afterEach(async () => {
  await pools.close();
  delete process.env['LATE_WORKER_FILE'];
  rmSync(folder, { recursive: true });
});

function start(searchThreads = 1): void {
  pools = startPools(
    worker,
    { search: searchThreads, write: 1, background: 1 },
    ({ message }) => new QuarryError('illegal_argument_exception', message),
    (pool, error) => errors.push(`${pool}: ${error.message}`),
  );
}

test.each([
  'awaited',
  'write',
] as const)('a task of the pool %s whose thread cannot start is refused in words, the next one runs once it can', async (name) => {
  start();
  await expect(pools[name].run('flush', shard)).rejects.toMatchObject({
    type: 'es_rejected_execution_exception',
    message: expect.stringMatching(/no thread can be started .* nothing to start with/),
    headers: { 'Retry-After': '1' },
  });
  expect(errors).toContain(`${name}: there is nothing to start with`);
  expect(pools[name].queued).toBe(0);
  writeFileSync(needed, '');
  expect(await pools[name].run('flush', shard)).toEqual(shard);
});

test('all threads of the pool that keeps them start before there is a task', async () => {
  writeFileSync(needed, '');
  start(4);
  await vi.waitUntil(() => pools.search.idle === 4, { timeout: 30_000 });
  expect(await pools.search.run('flush', shard)).toEqual(shard);
  expect(pools.search.idle).toBe(4);
});

test('every task that waits is refused, none is run later', async () => {
  start();
  const all = Array.from({ length: 20 }, () => pools.awaited.run('flush', shard));
  for (const one of await Promise.allSettled(all)) expect(one.status).toBe('rejected');
  expect([pools.awaited.queued, pools.awaited.idle]).toEqual([0, 2]);
});

test('a thread that dies fails its task, and what waits behind it runs on another one', async () => {
  writeFileSync(needed, '');
  start();
  const dying = expect(pools.write.run('recover', shard)).rejects.toThrow('the thread dies');
  const behind = pools.write.run('flush', shard);
  await dying;
  expect(await behind).toEqual(shard);
  await expect(pools.awaited.run('recover', shard)).rejects.toThrow('the thread dies');
  expect(await pools.awaited.run('flush', shard)).toEqual(shard);
});

test('a thread that died while no other can start comes back as soon as one can', async () => {
  writeFileSync(needed, '');
  start();
  expect(await pools.search.run('flush', shard)).toEqual(shard);
  rmSync(needed);
  await expect(pools.search.run('recover', shard)).rejects.toThrow('the thread dies');
  await expect(pools.search.run('flush', shard)).rejects.toThrow('no thread can be started');
  writeFileSync(needed, '');
  expect(await pools.search.run('flush', shard)).toEqual(shard);
});
