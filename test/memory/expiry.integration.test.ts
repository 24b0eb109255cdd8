// Expired memories are removed from the disk with their links, with a clock and a timer of the
// test, over the real engine.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Backend } from '../../src/backend/index.ts';
import { Graph } from '../../src/graph/graph.ts';
import { Memory } from '../../src/memory/memory.ts';
import { loadAddon } from '../../src/native/addon.ts';
import { openBackend, type RealBackend, removeFolder } from '../coordinator/real-backend.ts';

let real: RealBackend;
let now = 0;
let memory: Memory;
let graph: Graph;
/** The timers that the service has set. */
let timers: { work: () => void; at: number }[] = [];
/** Indexes that were searched. */
let searched: string[] = [];

function open(): void {
  const addon = loadAddon();
  const hash128 = (bytes: Uint8Array): Uint8Array => new Uint8Array(addon.hash128(bytes));
  const nowMs = (): number => now;
  const backend = watched(real.backend);
  graph = new Graph({ backend, hash128, nowMs });
  memory = new Memory({
    backend,
    graph,
    hash128,
    embed: (text, dims) => addon.embed([text], dims),
    newId: () => 'made',
    nowMs,
    defaults: { analyzer: 'english', link_sessions: true, detect: false },
    expiry: {
      pauseMs: () => 10,
      onError: (error) => {
        throw error;
      },
      later: (work, ms) => {
        const timer = { work, at: now + ms };
        timers.push(timer);
        return () => {
          timers = timers.filter((one) => one !== timer);
        };
      },
    },
  });
}

function watched(backend: Backend): Backend {
  return new Proxy(backend, {
    get(target, key) {
      const value = Reflect.get(target, key) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]) => {
        const [first] = args;
        if (key === 'publish') searched.push(String(first));
        return (value as (...rest: readonly unknown[]) => unknown).apply(target, [...args]);
      };
    },
  });
}

beforeAll(async () => {
  real = await openBackend();
});
beforeEach(open);
afterEach(async () => {
  await memory.close();
  const names = await memory.list('life');
  if (names.exists) await memory.drop('life');
  await memory.drop('other');
  timers = [];
});
afterAll(async () => {
  await real.close();
  removeFolder(real.dataDir);
});

const INDEX = '.svc-memory-life';

async function documents(): Promise<readonly string[]> {
  await real.backend.publish(INDEX);
  const { hits } = await real.backend.search({ index: INDEX, body: { sort: ['_id'] } });
  return hits.map(({ id }) => id);
}

test('the memory goes with its links, the others stay', async () => {
  now = 1000;
  for (const [id, expires_at] of [
    ['a', 5000],
    ['b', null],
    ['c', 2000],
    ['d', 9000],
  ] as const)
    await memory.store('life', {
      id,
      text: `tea ${id}`,
      metadata: { session: 's' },
      ...(expires_at === null ? {} : { expires_at }),
    });
  now = 1999;
  expect(await memory.sweep()).toBe(0);
  now = 5000;
  expect((await memory.list('life')).entries.map(({ id }) => id)).toEqual(['d', 'b']);
  expect(await memory.sweep()).toBe(2);
  expect(await documents()).toEqual(['b', 'd']);
  const { links, nodes } = await graph.ego('life', {
    node: 'b',
    direction: 'both',
    hops: 2,
    types: undefined,
    includeExpired: true,
    includeNodes: true,
    limit: 100,
    asOf: undefined,
    knownAt: undefined,
  });
  expect(links).toEqual([]);
  expect(Object.keys(nodes)).toEqual(['b']);
  expect((await memory.recall('life', {})).not_shown).toMatchObject({ expired: 0 });
  // The next memory of the session follows one that remains.
  expect(await memory.store('life', { text: 'tea', metadata: { session: 's' } })).toMatchObject({
    follows: 'd',
  });
});

test('one that was stored again meanwhile stays', async () => {
  now = 1000;
  await memory.store('life', { id: 'a', text: 'tea', expires_at: 2000 });
  now = 2000;
  await memory.store('life', { id: 'a', text: 'coffee', expires_at: 3000 });
  expect(await memory.sweep()).toBe(0);
  now = 3000;
  expect(await memory.sweep()).toBe(1);
});

test('nobody opens a namespace only to look', async () => {
  now = 1000;
  await memory.store('other', { id: 'x', text: 'tea', expires_at: 9000 });
  await memory.store('life', { id: 'a', text: 'tea', expires_at: 2000 });
  now = 3000;
  searched = [];
  expect(await memory.sweep()).toBe(1);
  expect(new Set(searched)).toEqual(new Set(['.svc-expiries', INDEX]));
  searched = [];
  expect(await memory.sweep()).toBe(0);
  expect(new Set(searched)).toEqual(new Set(['.svc-expiries']));
});

test('one timer, for the first of all; a restart knows it again', async () => {
  now = 1000;
  await memory.store('other', { id: 'x', text: 'tea', expires_at: 9000 });
  await memory.store('life', { id: 'a', text: 'tea', expires_at: 5000 });
  await memory.store('life', { id: 'b', text: 'tea', expires_at: 7000 });
  expect(timers.map(({ at }) => at)).toEqual([5000]);
  await memory.close();
  timers = [];
  open();
  await memory.start();
  expect(timers.map(({ at }) => at)).toEqual([5000]);
  now = 5000;
  timers.shift()?.work();
  await expect.poll(() => timers.map(({ at }) => at)).toEqual([7000]);
  expect(await documents()).toEqual(['b']);
  // Not at once, however soon it expires.
  await memory.store('life', { id: 'c', text: 'tea', expires_at: 5001 });
  expect(timers.map(({ at }) => at)).toEqual([5010]);
});

test('what comes by the door of documents is seen by the next recall', async () => {
  now = 1000;
  await memory.store('life', { id: 'a', text: 'tea' });
  const document = { text: 'tea', stored_at: 1, own_time: 1, expires_at: 4000 };
  const body = `${JSON.stringify({ index: { _index: INDEX, _id: 'b' } })}\n${JSON.stringify(document)}\n`;
  await real.backend.bulk({ refresh: 'false', body: Buffer.from(body) });
  await memory.recall('life', { query: 'tea', semantic: true });
  await expect.poll(() => timers.map(({ at }) => at)).toEqual([4000]);
  now = 4000;
  expect(await memory.sweep()).toBe(1);
  expect(await documents()).toEqual(['a']);
});

test('stores and sweeps at once lose no instant', async () => {
  now = 1000;
  for (let round = 0; round < 20; round++) {
    const stores = Array.from({ length: 8 }, (_, i) =>
      memory.store('life', { id: `m${i}`, text: 'tea', expires_at: now + 1 + ((i * 5) % 8) }),
    );
    now += round % 3;
    await Promise.all([...stores, memory.sweep(), memory.sweep()]);
  }
  for (let left = 20; left > 0 && (await documents()).length > 0; left--) {
    now += 5;
    await memory.sweep();
  }
  expect(await documents()).toEqual([]);
});
