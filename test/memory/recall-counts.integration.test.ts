// Recalls are counted where that is on, in memory and then on disk, and an audit says which memories
// were never recalled.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MemoryService, openMemory } from './service.ts';

let service: MemoryService;
let isOn = true;

beforeAll(async () => {
  service = await openMemory({ recallCounts: { isOn: () => isOn, later: () => () => {} } });
  const { memory } = service;
  for (const id of ['rome', 'paris', 'bees']) {
    service.clock.now += 1;
    await memory.store('ann', { id, text: `Ann speaks about ${id}` });
  }
});
afterAll(async () => {
  await service.close();
});

async function neverRecalled(namespace = 'ann'): Promise<unknown> {
  return (await service.memory.audit(namespace, {})).never_recalled;
}

test('memories that no recall returned are never recalled', async () => {
  const { memory, clock } = service;
  expect(await neverRecalled()).toMatchObject({ checked: 3, count: 3, since: null });
  clock.now = 5000;
  await memory.recall('ann', { query: 'rome' });
  await memory.recall('ann', { query: 'rome' });
  expect(await neverRecalled()).toEqual({
    checked: 3,
    count: 2,
    since: 5000,
    examples: [
      { id: 'paris', stored_at: 1002 },
      { id: 'bees', stored_at: 1003 },
    ],
  });
});

test('a recall over several namespaces counts what it returned, and not what it left out', async () => {
  const { memory } = service;
  await memory.store('many-a', { id: 'a', text: 'the sea at night' });
  await memory.store('many-b', { id: 'b', text: 'the sea, the sea' });
  const { hits } = await memory.recallMany({ namespaces: ['many-*'], query: 'sea', k: 1 });
  const [first] = hits;
  const other = first?.namespace === 'many-a' ? 'many-b' : 'many-a';
  expect(await neverRecalled(first?.namespace)).toMatchObject({ count: 0 });
  expect(await neverRecalled(other)).toMatchObject({ count: 1 });
});

test('counts are there after a restart, and add up', async () => {
  await service.memory.writeRecallCounts();
  const again = service.over(service.real.backend);
  await again.recall('ann', { query: 'paris' });
  await again.writeRecallCounts();
  expect((await again.audit('ann', {})).never_recalled).toMatchObject({
    count: 1,
    since: 5000,
    examples: [{ id: 'bees' }],
  });
});

test('what is forgotten takes its count along, and a namespace that is dropped all of them', async () => {
  const { memory } = service;
  await memory.recall('ann', { query: 'bees' });
  await memory.writeRecallCounts();
  await memory.forget('ann', 'bees');
  await memory.store('ann', { id: 'bees', text: 'bees again' });
  expect(await neverRecalled()).toMatchObject({ count: 1, examples: [{ id: 'bees' }] });
  await memory.drop('ann');
  await memory.store('ann', { id: 'rome', text: 'rome again' });
  expect(await neverRecalled()).toMatchObject({ checked: 1, count: 1, since: null });
});

test('an index that is deleted and made again begins without counts', async () => {
  const { memory, real } = service;
  await memory.store('again', { id: 'a', text: 'the sea' });
  await memory.recall('again', { query: 'sea' });
  expect(await neverRecalled('again')).toMatchObject({ count: 0 });
  await memory.recall('again', { query: 'sea' });
  await real.backend.deleteIndices('.svc-memory-again', {});
  await memory.writeRecallCounts();
  await memory.store('again', { id: 'a', text: 'the sea' });
  expect(await neverRecalled('again')).toMatchObject({ count: 1, since: null });
});

test('nothing is counted, and nothing said, where it is off', async () => {
  isOn = false;
  await service.memory.recall('ann', { query: 'rome' });
  expect(await neverRecalled()).toBeUndefined();
  isOn = true;
  expect(await neverRecalled()).toMatchObject({ count: 1 });
});
