// Quotas and retention of a namespace: a store beyond one is refused by name, single or in a bulk,
// and no other namespace notices.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MemoryService, openMemory } from './service.ts';

let service: MemoryService;

beforeAll(async () => {
  service = await openMemory();
});
afterAll(async () => {
  await service.close();
});

const REJECTED = { status: 429, type: 'es_rejected_execution_exception' };

test('memories beyond the quota are refused, and go on when some are forgotten', async () => {
  const { memory } = service;
  await memory.put('few', { quota: { memories: 2 } });
  await memory.store('few', { id: 'a', text: 'one' });
  await memory.store('few', { id: 'b', text: 'two' });
  const third = memory.store('few', { id: 'c', text: 'three' });
  await expect(third).rejects.toMatchObject(REJECTED);
  await expect(third).rejects.toThrow('[quota.memories] is [2]');
  expect(await memory.store('few', { id: 'a', text: 'again' })).toMatchObject({ created: false });
  await memory.store('many', { id: 'c', text: 'three' });
  await memory.forget('few', 'b');
  expect(await memory.store('few', { id: 'c', text: 'three' })).toMatchObject({ created: true });
  await memory.put('few', { quota: {} });
  expect(await memory.store('few', { id: 'd', text: 'four' })).toMatchObject({ created: true });
});

test('a bulk stores what the quota admits', async () => {
  const { memory } = service;
  await memory.put('bulky', { quota: { memories: 3 } });
  const items = Array.from({ length: 5 }, (_, i) => ({ id: `m${i}`, text: `memory ${i}` }));
  const answer = await memory.bulk('bulky', items);
  expect(answer.items.map(({ status }) => status)).toEqual([201, 201, 201, 429, 429]);
  expect((await memory.list('bulky')).count).toBe(3);
});

test('bytes beyond the quota are refused', async () => {
  const { memory } = service;
  await memory.put('small', { quota: { bytes: 100_000 } });
  await memory.store('small', { text: 'short' });
  const long = memory.store('small', { text: 'x '.repeat(100_000) });
  await expect(long).rejects.toMatchObject(REJECTED);
  await expect(long).rejects.toThrow('[quota.bytes] is [100000]');
  await memory.store('small', { text: 'short again' });
});

test('stores of a minute beyond the quota are refused, until time has passed', async () => {
  const { memory, clock } = service;
  clock.now = 1_000_000;
  await memory.put('fast', { quota: { stores_per_minute: 3 } });
  for (const text of ['one', 'two', 'three']) await memory.store('fast', { text });
  const fourth = memory.store('fast', { text: 'four' });
  await expect(fourth).rejects.toMatchObject({ ...REJECTED, headers: { 'Retry-After': '20' } });
  await expect(fourth).rejects.toThrow('[quota.stores_per_minute] is [3]');
  await memory.store('other', { text: 'four' });
  clock.now += 20_000;
  await memory.store('fast', { text: 'four' });
  await expect(memory.store('fast', { text: 'five' })).rejects.toMatchObject(REJECTED);
});

test('retention ends what is stored from then on, and no change outlives it', async () => {
  const { memory, clock } = service;
  clock.now = 2_000_000;
  await memory.store('brief', { id: 'before', text: 'stays' });
  await memory.put('brief', { retention_ms: 1000 });
  await memory.store('brief', { id: 'a', text: 'one' });
  await memory.store('brief', { id: 'b', text: 'two', expires_at: clock.now + 10 });
  await memory.bulk('brief', [{ id: 'c', text: 'three' }]);
  await memory.edit('brief', 'a', { expires_at: null });
  const ends = await Promise.all(
    ['before', 'a', 'b', 'c'].map(async (id) => {
      const there = await memory.get('brief', id);
      return there.found ? there.expires_at : undefined;
    }),
  );
  expect(ends).toEqual([null, clock.now + 1000, clock.now + 10, clock.now + 1000]);
  clock.now += 1001;
  expect((await memory.list('brief')).entries.map(({ id }) => id)).toEqual(['before']);
  expect(await memory.sweep()).toBe(3);
});

test('a key has its quota over all namespaces that it may use, and no other key notices', async () => {
  const { memory, clock } = service;
  const key = {
    id: 'k1',
    quota: { memories: 2 },
    allows: (namespace: string) => namespace.startsWith('team-'),
  };
  await memory.store('team-a', { id: 'a', text: 'one' }, key);
  await memory.store('team-b', { id: 'b', text: 'two' }, key);
  const third = memory.store('team-c', { id: 'c', text: 'three' }, key);
  await expect(third).rejects.toMatchObject({ ...REJECTED, extra: { quota: 'memories' } });
  await expect(third).rejects.toThrow('key [k1] is at its quota: [quota.memories] is [2]');
  expect(await memory.store('team-a', { id: 'a', text: 'new' }, key)).toMatchObject({
    created: false,
  });
  await memory.store('team-c', { id: 'c', text: 'three' }, { ...key, id: 'k2', quota: {} });
  await memory.store('team-c', { id: 'd', text: 'four' });
  await memory.store('others', { id: 'd', text: 'four' });
  const bulk = await memory.bulk('team-a', [{ text: 'five' }], key);
  expect(bulk.items).toMatchObject([{ status: 429, error: { quota: 'memories' } }]);
  const paced = { ...key, id: 'k3', quota: { stores_per_minute: 1 } };
  await memory.store('team-a', { id: 'e', text: 'six' }, paced);
  await expect(memory.store('team-b', { text: 'seven' }, paced)).rejects.toMatchObject({
    ...REJECTED,
    headers: { 'Retry-After': '60' },
  });
  clock.now += 60_000;
  expect(await memory.store('team-b', { text: 'seven' }, paced)).toMatchObject({ created: true });
});

test('a store that one quota refuses takes nothing from the other', async () => {
  const { memory } = service;
  await memory.put('both', { quota: { memories: 1 } });
  const key = {
    id: 'k4',
    quota: { memories: 2 },
    allows: (name: string) => name.startsWith('both'),
  };
  await memory.store('both', { id: 'a', text: 'one' }, key);
  for (let i = 0; i < 3; i++) {
    await expect(memory.store('both', { text: 'more' }, key)).rejects.toThrow('namespace [both]');
  }
  expect(await memory.store('both-2', { text: 'two' }, key)).toMatchObject({ created: true });
});
