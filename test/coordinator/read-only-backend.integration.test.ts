// A read-only backend over the engine of another one: what it finds is the same, and it knows when
// only the other one can answer.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Backend, JsonObject } from '../../src/backend/index.ts';
import { ReadOnlyBackend } from '../../src/coordinator/search/read-only-backend.ts';
import { SearchWatch } from '../../src/coordinator/search/search-watch.ts';
import { SharedState } from '../../src/http/threads/shared-state.ts';
import { workerRecalls } from '../../src/http/threads/worker-recalls.ts';
import { DEFAULT_NAMES } from '../../src/memory/context/said.ts';
import { memoryIndex } from '../../src/memory/names.ts';
import type { RecallAnswer } from '../../src/memory/recall.ts';
import { loadAddon, NativeErrors } from '../../src/native/addon.ts';
import { Metrics } from '../../src/ops/metrics.ts';
import { NotHere } from '../../src/ops/not-here.ts';
import { type MemoryService, openMemory } from '../memory/service.ts';

let service: MemoryService;
let reads: ReadOnlyBackend;
const shared = SharedState.create(1);
let recalls: ReturnType<typeof workerRecalls>;

beforeAll(async () => {
  service = await openMemory();
  const { backend, live, engineUse } = service.real;
  const metrics = new Metrics();
  const addon = loadAddon();
  reads = new ReadOnlyBackend({
    addon,
    errors: new NativeErrors(addon),
    live,
    guard: { check: () => {} },
    metrics,
    watch: new SearchWatch({ metrics }),
    resolveClauses: (request) => request,
    engineUse,
    reserve: () => ({ reserve: () => {}, release: () => {} }),
  });
  reads.load([]);
  backend.followed.watch((change) => reads.follow(change));
  recalls = workerRecalls({
    backend: reads as unknown as Backend,
    names: DEFAULT_NAMES,
    live,
    shared,
  });
});

afterAll(() => service.close());

/** The answer of this thread, however often a busy machine makes an attempt in vain. */
async function recalledHere(namespace: string, body: JsonObject): Promise<RecallAnswer> {
  for (;;) {
    try {
      return await recalls.recall(namespace, body);
    } catch (error) {
      const isInVain = error instanceof NotHere && error.message.includes('a task');
      if (!isInVain) throw error;
      // Warms the index again.
      await service.memory.recall(namespace, body);
    }
  }
}

test('a recall is answered here once its namespace is published and was used', async () => {
  const { memory, clock } = service;
  const { backend } = service.real;
  await memory.store('here', { id: 'a', text: 'the game of go', metadata: { topic: 'games' } });
  await memory.store('here', { id: 'b', text: 'the rules of chess', expires_at: 10 ** 14 });
  const requests = [
    {},
    { query: 'game' },
    { query: 'rules', filter: { term: { 'metadata.topic': 'games' } } },
  ];
  const first = recalledHere('here', { query: 'game' });
  await expect(first).rejects.toThrow('the recorded times of the namespace');
  await expect(recalledHere('here', { query: 'game' })).rejects.toThrow('unpublished writes');
  expect(reads.writeMark(memoryIndex('here'))).toBe(backend.writeMark(memoryIndex('here')));
  await memory.recall('here', {});
  clock.now += 1;
  // The counts of the first recall tell of an expiry, which the main thread has to note.
  expect((await recalledHere('here', {})).hits).toHaveLength(2);
  await expect(recalledHere('here', {})).rejects.toThrow('a note of an expiry');
  await memory.forget('here', 'b');
  await memory.recall('here', {});
  for (const request of requests) {
    expect(await recalledHere('here', request)).toEqual(await memory.recall('here', request));
  }
  await memory.store('here', { id: 'c', text: 'a game again' });
  await expect(recalledHere('here', { query: 'game' })).rejects.toThrow('unpublished writes');
});

test('recalls of several searches and unknown namespaces are those of the main thread', async () => {
  const { memory } = service;
  await memory.store('many', { id: 'a', text: 'one memory' });
  await memory.recall('many', {});
  const others = [
    { query: 'one', hybrid: true },
    { query: 'one', semantic: true },
    { query: 'one', recency_weight: 0.5 },
    { query: 'one', graph: { mode: 'blend' } },
    { query: 'one', graph: { mode: 'restrict', seeds: ['a'] } },
    { query: 'one', explain: true },
    { query: 'one', filter: { graph: { seeds: ['a'] } }, rerank: { inference_id: 'x' } },
  ];
  await expect(recalledHere('many', {})).rejects.toThrow('the recorded times');
  for (const request of others) {
    await expect(recalledHere('many', request)).rejects.toThrow('several searches');
  }
  expect((await recalledHere('unknown', { query: 'x' })).hits).toEqual([]);
  shared.setAhead();
  const ahead = recalledHere('many', { query: 'one' });
  await expect(ahead).rejects.toThrow('recorded times in the future');
});
