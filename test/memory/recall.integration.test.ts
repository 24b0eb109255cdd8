// Recalls of the real engine that read as little as possible, compared with explained ones that
// read a whole pool: the results are equal. And cached counts, compared with writes through every
// API.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { Graph } from '../../src/graph/graph.ts';
import { Memory } from '../../src/memory/memory.ts';
import { loadAddon } from '../../src/native/addon.ts';
import { openBackend, type RealBackend, removeFolder } from '../coordinator/real-backend.ts';

let real: RealBackend;
let memory: Memory;
let now = 1000;

beforeAll(async () => {
  real = await openBackend();
  const addon = loadAddon();
  const { backend } = real;
  const hash128 = (bytes: Uint8Array): Uint8Array => new Uint8Array(addon.hash128(bytes));
  const nowMs = (): number => now;
  memory = new Memory({
    backend,
    graph: new Graph({ backend, hash128, nowMs }),
    hash128,
    embed: (text, dims) => addon.embed([text], dims),
    newId: () => 'made',
    nowMs,
    defaults: { analyzer: 'english', link_sessions: true, detect: false },
  });
  for (let i = 0; i < MEMORIES; i++) await memory.store('talk', memoryOf(i));
});
afterAll(async () => {
  await real.close();
  removeFolder(real.dataDir);
});

const MEMORIES = 150;
const WORDS = ['boat', 'harbour', 'letter', 'winter', 'garden', 'piano', 'train', 'bread'];

function memoryOf(i: number): JsonObject {
  const text = WORDS.filter((_, w) => (i * (w + 3)) % 7 < 2).join(' ');
  return {
    id: `m${i}`,
    text: `${text} number${i}`,
    vector: [1 + (i % 13), 1 + (i % 7), 1 + (i % 5)],
    metadata: { session: `s${i % 4}`, said_at: ((i * 37) % 100) + 1, even: i % 2 === 0 },
  };
}

const someWords = fc
  .subarray(WORDS, { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '));
const mode = fc.oneof(
  someWords.map((query) => ({ query })),
  someWords.map((query) => ({ query, semantic: true })),
  someWords.map((query) => ({ query, hybrid: true })),
  fc.tuple(fc.nat(9), fc.nat(9)).map(([a, b]) => ({ vector: [a + 1, b, 1] })),
  fc.constant({}),
);
const blend = fc.record(
  {
    mode: fc.constant('blend'),
    hops: fc.constantFrom(1, 2),
    weight: fc.constantFrom(0.1, 0.3, 1),
    seeds: fc.constantFrom(['m3'], ['m5', 'm77', 'nobody']),
  },
  { requiredKeys: ['mode'] },
);
const request = fc.record(
  {
    k: fc.constantFrom(1, 3, 10, 40),
    graph: blend,
    recency_weight: fc.constantFrom(0, 0.2),
    filter: fc.constant({ term: { 'metadata.even': true } }),
  },
  { requiredKeys: ['k'] },
);

test('an answer does not depend on how much was read for it', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(mode, request, async (by, rest) => {
      const body = { ...by, ...rest } as JsonObject;
      const [short, whole] = await Promise.all([
        memory.recall('talk', body),
        memory.recall('talk', { ...body, explain: true }),
      ]);
      const plain = whole.hits.map(({ explanation, ...hit }) => hit);
      expect(short.hits.map(({ score }) => score)).toEqual(plain.map(({ score }) => score));
      expect(short).toEqual({ ...whole, hits: plain });
    }),
    { numRuns: 150 },
  );
});

const lines = (...objects: object[]): Buffer =>
  Buffer.from(`${objects.map((one) => JSON.stringify(one)).join('\n')}\n`);

test('what is remembered of a namespace ends with a write, and with time', async () => {
  const counts = async () => {
    const answers = await Promise.all(
      [{}, { query: 'tea' }, { query: 'tea', semantic: true }, { query: 'tea', hybrid: true }].map(
        (by) => memory.recall('counted', { ...by, k: 1 }),
      ),
    );
    return answers.map(({ hits, not_shown }) => ({ hits: hits.length, ...not_shown }));
  };
  const all = (rest: object) =>
    Array(4).fill({ hits: 1, k: 0, expired: 0, superseded: 0, filter: 0, ...rest });
  await memory.store('counted', { id: 'a', text: 'tea' });
  expect(await counts()).toEqual(all({}));
  expect(await counts()).toEqual(all({}));
  await memory.store('counted', { id: 'b', text: 'tea', expires_at: now + 10 });
  expect(await counts()).toEqual(all({ k: 1 }));
  now += 10;
  expect(await counts()).toEqual(all({ expired: 1 }));
  const index = '.svc-memory-counted';
  const document = { text: 'tea', stored_at: 1, own_time: 1, invalid_at: 5, superseded_at: 5 };
  const body = lines({ index: { _index: index, _id: 'c' } }, document);
  await real.backend.bulk({ refresh: 'false', body });
  expect(await counts()).toEqual(all({ expired: 1, superseded: 1 }));
  expect(await counts()).toEqual(all({ expired: 1, superseded: 1 }));
  // A memory without text, which neither words nor meaning could find.
  const wordless = { id: 'v', vector: [1, 2], expires_at: now + 5, metadata: {} };
  await memory.store('counted', wordless);
  expect((await memory.recall('counted', { vector: [1, 2] })).hits).toHaveLength(1);
  now += 5;
  const of = async (by: JsonObject) => (await memory.recall('counted', by)).not_shown.expired;
  expect(await of({ vector: [1, 2] })).toBe(1);
  expect(await of({ query: 'tea', semantic: true })).toBe(1);
  expect(await of({ query: 'tea', hybrid: true })).toBe(1);
  expect(await of({ query: 'tea' })).toBe(1);
  expect(await of({})).toBe(2);
  await memory.forget('counted', 'v');
  await memory.forget('counted', 'b');
  expect(await counts()).toEqual(all({ superseded: 1 }));
  await memory.drop('counted');
  await memory.store('counted', { id: 'a', text: 'tea' });
  expect(await counts()).toEqual(all({}));
});
