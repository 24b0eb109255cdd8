// A read-only backend over the engine of another one: what it finds is the same, and it knows when
// only the other one can answer.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Backend, JsonObject } from '../../src/backend/index.ts';
import { ReadOnlyBackend } from '../../src/coordinator/search/read-only-backend.ts';
import { SearchWatch } from '../../src/coordinator/search/search-watch.ts';
import { EngineUse } from '../../src/coordinator/shards/engine-use.ts';
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
let metrics: Metrics;
const shared = SharedState.create(1);
let recalls: ReturnType<typeof workerRecalls>;

beforeAll(async () => {
  service = await openMemory();
  ({ reads, recalls, metrics } = readingThread(service.real.engineUse));
});

afterAll(() => service.close());

interface ReadingThread {
  readonly metrics: Metrics;
  readonly reads: ReadOnlyBackend;
  readonly recalls: ReturnType<typeof workerRecalls>;
}

/** What an HTTP worker has. */
function readingThread(engineUse: EngineUse): ReadingThread {
  const { backend, live } = service.real;
  const own = new Metrics();
  const addon = loadAddon();
  const only = new ReadOnlyBackend({
    addon,
    errors: new NativeErrors(addon),
    live,
    guard: { check: () => {} },
    metrics: own,
    watch: new SearchWatch({ metrics: own }),
    resolveClauses: (request) => request,
    engineUse,
    reserve: () => ({ reserve: () => {}, release: () => {} }),
  });
  only.load(backend.followed.indexes());
  backend.followed.watch((change) => only.follow(change));
  const memory = workerRecalls({
    backend: only as unknown as Backend,
    names: DEFAULT_NAMES,
    live,
    shared,
  });
  return { reads: only, recalls: memory, metrics: own };
}

/** The answer of this thread, however often a busy machine makes an attempt in vain. */
async function recalledHere(namespace: string, body: JsonObject): Promise<RecallAnswer> {
  for (;;) {
    try {
      return await recalls.recall(namespace, body);
    } catch (error) {
      const isInVain = error instanceof NotHere && /a task|takes long/.test(error.message);
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

test('recalls of several searches are answered here, with links', async () => {
  const { memory } = service;
  for (let i = 0; i < 30; i++) {
    const text = `turn ${i} tells of ${i % 3 === 0 ? 'a lighthouse' : 'the sea'} and of a storm`;
    const metadata = { session: `s${i % 5}`, speaker: i % 2 === 0 ? 'Ann' : 'Bob' };
    await memory.store('many', { id: `m${i}`, text, metadata });
  }
  await memory.recall('many', { query: 'storm', hybrid: true });
  await expect(recalledHere('many', {})).rejects.toThrow('the recorded times');
  const as_of = 10_000;
  const query = 'What did Ann say of the lighthouse in the storm?';
  const requests: readonly JsonObject[] = [
    { query, hybrid: true },
    { query, hybrid: true, context: false },
    { query, hybrid: true, graph: { mode: 'blend', as_of } },
    { query, context: true, k: 3 },
    { query, semantic: true },
    { query, semantic: true, k: 3, filter: { term: { 'metadata.speaker': 'Bob' } } },
    { query, recency_weight: 0.5 },
    { query, collapse: 'metadata.session' },
    { query, graph: { mode: 'blend', as_of } },
    { query, graph: { mode: 'restrict', seeds: ['m7'], hops: 2, as_of } },
    { query, as_of: 500 },
  ];
  for (const request of requests) {
    const here = await recalledHere('many', request);
    expect(here).toEqual(await memory.recall('many', request));
  }
  const [recipe] = requests;
  expect((await recalledHere('many', recipe ?? {})).hits).toHaveLength(10);
  for (const explain of [true, { ids: ['m1'] }]) {
    await expect(recalledHere('many', { query, explain })).rejects.toThrow('an explanation');
  }
  const rerank = { inference_id: 'x' };
  await expect(recalledHere('many', { query, rerank })).rejects.toThrow('rerankers');
});

test('answers without hits come from the cache of this thread until their index changes', async () => {
  const { backend } = service.real;
  const index = 'counted';
  const write = async (id: string): Promise<void> => {
    const body = Buffer.from(`{"index":{"_id":"${id}"}}\n{"tag":"${id}"}\n`);
    await backend.bulk({ defaultIndex: index, refresh: 'true', body });
  };
  const request = {
    index,
    body: { size: 0, aggs: { a: { value_count: { field: 'tag.keyword' } } } },
  };
  const counted = async (): Promise<string> => {
    for (;;) {
      try {
        return (await reads.search(request)).total?.value.toString() ?? '';
      } catch (error) {
        if (!(error instanceof NotHere)) throw error;
        await backend.search(request);
      }
    }
  };
  const hits = async (): Promise<number> => {
    const text = await metrics.registry.metrics();
    return Number(/^quarry_cache_hits_total\{cache="request"\} (\d+)$/m.exec(text)?.[1]);
  };
  await write('a');
  await vi.waitUntil(() => reads.exists(index, {}));
  expect(await counted()).toBe('1');
  const before = await hits();
  expect(await counted()).toBe('1');
  expect(await hits()).toBe(before + 1);
  await write('b');
  expect(await counted()).toBe('2');
  expect(await hits()).toBe(before + 1);
  backend.clearCache(index, {});
  expect(await counted()).toBe('2');
  expect(await hits()).toBe(before + 1);
  expect(await counted()).toBe('2');
  expect(await hits()).toBe(before + 2);
});

test('recalls of a kind that mostly needs the pool are forwarded before they search', async () => {
  const { memory } = service;
  await memory.store('cold', { id: 'a', text: 'one memory' });
  await memory.recall('cold', {});
  // Of this thread every index is cold.
  const { recalls: cold } = readingThread(new EngineUse(Date.now));
  const outcome = async (request: JsonObject): Promise<string> => {
    const failed = await cold.recall('cold', request).catch((error: Error) => error.message);
    return String(failed);
  };
  const outcomes: string[] = [];
  for (let i = 0; i < 40; i++) outcomes.push(await outcome({ query: 'one' }));
  const tried = outcomes.filter((one) => one.includes('a task [search]')).length;
  expect(outcomes[0]).toContain('the recorded times');
  expect(outcomes.at(-1)).toContain('takes long');
  expect(tried).toBe(3);
  expect(await outcome({ query: 'one', k: 1000 })).toContain('a task [search]');
});

test('unknown namespaces have no memories; a clock that was set back forwards every recall', async () => {
  expect((await recalledHere('unknown', { query: 'x' })).hits).toEqual([]);
  shared.setAhead();
  const ahead = recalledHere('many', { query: 'one' });
  await expect(ahead).rejects.toThrow('recorded times in the future');
});
