// The audit of a namespace: what it counts, compared with a plain model; it reads and changes
// nothing.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MemoryService, openMemory } from './service.ts';

let service: MemoryService;

beforeAll(async () => {
  service = await openMemory();
});
afterAll(async () => {
  await service.close();
});

test('duplicates, contradictions, ends and large metadata are counted with examples', async () => {
  const { memory, graph, clock } = service;
  const day = 86_400_000;
  clock.now = 1000;
  const texts = {
    a: 'Ann lives in the old town of Rome',
    b: 'ann lives in the old town of Rome!',
    c: 'Ann does not live in the old town of Rome',
    d: 'The March invoice for office furniture of the marketing department amounts to 300 euros',
    e: 'The March invoice for office furniture of the marketing department amounts to 400 euros',
    f: 'The committee recommended the extraordinary reorganisation of departments',
    g: 'The comittee recommended the extraordinary reorganisation of departments',
    h: 'something else entirely',
  };
  for (const [id, text] of Object.entries(texts)) {
    clock.now += 1;
    await memory.store('tidy', { id, text });
  }
  await memory.store('tidy', { id: 'soon', text: 'brief', expires_at: clock.now + day });
  await memory.store('tidy', { id: 'late', text: 'long', expires_at: clock.now + 30 * day });
  await memory.store('tidy', { id: 'big', text: 'big', metadata: { k: 'x'.repeat(500) } });
  await memory.store('tidy', { id: 'small', text: 'small', metadata: { k: 'x' } });
  await graph.link('tidy', { src: 'a', dst: 'c', type: 'contradicts' });
  const found = await memory.audit('tidy', {});
  expect(found).toMatchObject({
    exists: true,
    memories: 12,
    exact_duplicates: {
      ...{ groups: 1, superfluous: 1, complete: true },
      examples: [{ count: 2, ids: ['a', 'b'] }],
    },
    contradictions: { checked: 12, links: 1 },
    expiring: { count: 1, examples: [{ id: 'soon', expires_at: clock.now + day }] },
    largest_metadata: { checked: 12, examples: [{ id: 'big', bytes: 521 }, { id: 'small' }] },
  });
  const near = found.near_duplicates.examples.map(({ ids }) => [...ids].sort().join());
  expect(near.every((pair) => pair === 'f,g')).toBe(true);
  const against = found.contradictions.examples.map(({ ids }) => [...ids].sort().join());
  expect(against).toContain('d,e');
  const invoice = found.contradictions.examples.find(({ ids }) => ids.includes('d'));
  const { first = [], second = [] } = invoice?.differing_words ?? {};
  expect([...first, ...second].sort()).toEqual(['300', '400']);
});

test('what is superseded or has expired takes no part', async () => {
  const { memory, clock } = service;
  await memory.store('past', { id: 'a', text: 'the same words', expires_at: clock.now + 10 });
  await memory.store('past', { id: 'b', text: 'the same words' });
  await memory.store('past', { id: 'c', text: 'the same words', supersedes: ['b'] });
  clock.now += 100;
  const { memories, exact_duplicates } = await memory.audit('past', {});
  expect({ memories, ...exact_duplicates }).toMatchObject({ memories: 1, groups: 0 });
});

test('a namespace that is not there has nothing', async () => {
  expect(await service.memory.audit('nobody', {})).toMatchObject({ exists: false, memories: 0 });
});

test('exact duplicates are those of a model, and nothing is written', async () => {
  const { memory, real } = service;
  let runs = 0;
  const text = fc.constantFrom('red fish', 'Red fish!', 'blue fish', 'one bird', 'a red fish');
  const property = fc.asyncProperty(
    fc.array(text, { minLength: 1, maxLength: 10 }),
    async (all) => {
      const ns = `same-${runs++}`;
      await memory.bulk(
        ns,
        all.map((one, i) => ({ id: `m${i}`, text: one })),
      );
      const groups = new Map<string, number>();
      for (const one of all) {
        const words = one.toLowerCase().replace(/[^a-z ]|\ba /g, '');
        groups.set(words, (groups.get(words) ?? 0) + 1);
      }
      const counts = [...groups.values()].filter((count) => count > 1);
      const mark = real.backend.writeMark(`.svc-memory-${ns}`);
      const { exact_duplicates, near_duplicates } = await memory.audit(ns, { examples: 50 });
      expect(exact_duplicates.groups).toBe(counts.length);
      expect(exact_duplicates.superfluous).toBe(counts.reduce((sum, count) => sum + count - 1, 0));
      const shown = exact_duplicates.examples.map(({ count, ids }) => [count, ids.length]);
      expect(shown.sort()).toEqual(counts.map((count) => [count, count]).sort());
      expect(near_duplicates.count).toBe(0);
      expect(real.backend.writeMark(`.svc-memory-${ns}`)).toBe(mark);
      await memory.drop(ns);
    },
  );
  await fc.assert(property, { numRuns: 15 });
});
