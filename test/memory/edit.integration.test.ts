// Reading and changing single memories: the earlier versions, the chain of what supersedes what,
// and a property test of all changes against a plain model.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { mergePatch, readEditBody } from '../../src/memory/manage/edit.ts';
import { MAX_VERSIONS, type Version, withVersion } from '../../src/memory/manage/versions.ts';
import { dyingIn, MOMENTS } from './dying-backend.ts';
import { type MemoryService, openMemory } from './service.ts';

let service: MemoryService;

beforeAll(async () => {
  service = await openMemory();
});
afterAll(async () => {
  await service.close();
});

test('a memory shows its links, its chain, and its versions', async () => {
  const { memory, clock } = service;
  clock.now = 1000;
  await memory.store('chain', { id: 'a', text: 'Ann lives in Paris' });
  clock.now = 2000;
  await memory.store('chain', { id: 'b', text: 'Ann lives in Rome', supersedes: ['a'] });
  clock.now = 3000;
  await memory.store('chain', { id: 'c', text: 'Ann lives in Oslo', supersedes: ['b'] });
  clock.now = 4000;
  await memory.edit('chain', 'b', { text: 'Ann lives in Roma', metadata: { lang: 'it' } });
  expect(await memory.get('chain', 'a')).toMatchObject({
    found: true,
    state: 'superseded',
    invalid_at: 2000,
    supersedes: [],
    superseded_by: ['b', 'c'],
    history: [],
  });
  expect(await memory.get('chain', 'b')).toMatchObject({
    text: 'Ann lives in Roma',
    metadata: { lang: 'it' },
    stored_at: 2000,
    edited_at: 4000,
    state: 'superseded',
    supersedes: ['a'],
    superseded_by: ['c'],
    links: [
      { src: 'c', dst: 'b', type: 'supersedes', direction: 'in' },
      { src: 'b', dst: 'a', type: 'supersedes', direction: 'out' },
    ],
    history: [{ text: 'Ann lives in Rome', metadata: null, from: 2000, until: 4000 }],
    not_shown: { links: 0 },
  });
  await memory.forget('chain', 'a');
  expect(await memory.get('chain', 'c')).toMatchObject({ state: 'live', supersedes: ['b'] });
});

test('a new text is what recalls find, by words and by meaning, and the old one is not', async () => {
  const { memory } = service;
  await memory.store('words', { id: 'a', text: 'the zebra sleeps', metadata: { session: 's' } });
  await memory.store('words', { id: 'b', text: 'quite another thing' });
  await memory.edit('words', 'a', { text: 'the lemur sleeps' });
  for (const mode of [{}, { semantic: true }, { hybrid: true }]) {
    const found = await memory.recall('words', { query: 'lemur', ...mode, k: 1 });
    expect(found.hits).toMatchObject([{ id: 'a', text: 'the lemur sleeps' }]);
  }
  expect((await memory.recall('words', { query: 'zebra' })).hits).toEqual([]);
  const again = await memory.store('words', { text: 'The lemur sleeps!', dedup: true });
  expect(again).toMatchObject({ id: 'a', deduplicated: true });
});

test('another session in the metadata is the session that the next memory follows', async () => {
  const { memory } = service;
  await memory.store('talk', { id: 'a', text: 'one', metadata: { session: 's' } });
  await memory.store('talk', { id: 'b', text: 'two', metadata: { session: 's' } });
  await memory.edit('talk', 'b', { metadata: { session: 't' } });
  const inOld = await memory.store('talk', { id: 'c', text: 'three', metadata: { session: 's' } });
  expect(inOld.follows).toBe('a');
  const inNew = await memory.store('talk', { id: 'd', text: 'four', metadata: { session: 't' } });
  expect(inNew.follows).toBe('b');
});

test('a memory with a vector needs the vector of its new text, or none', async () => {
  const { memory } = service;
  await memory.store('vectors', { id: 'a', text: 'one', vector: [1, 0] });
  await expect(memory.edit('vectors', 'a', { text: 'two' })).rejects.toThrow('[vector]');
  await expect(memory.edit('vectors', 'a', { vector: [1, 2, 3] })).rejects.toThrow('3 dimensions');
  await memory.edit('vectors', 'a', { text: 'two', vector: [0, 1] });
  const near = await memory.recall('vectors', { vector: [0, 1], k: 1 });
  expect(near.hits).toMatchObject([{ id: 'a', score: 1 }]);
  await memory.edit('vectors', 'a', { vector: null });
  expect((await memory.recall('vectors', { vector: [0, 1] })).hits).toEqual([]);
  await memory.store('vectors', { id: 'b', vector: [1, 1] });
  await expect(memory.edit('vectors', 'b', { vector: null })).rejects.toThrow('no [text]');
});

test('an expiry that is set ends the memory, one that is removed keeps it', async () => {
  const { memory, clock } = service;
  clock.now = 10_000;
  await memory.store('ends', { id: 'a', text: 'one', expires_at: 20_000 });
  await memory.store('ends', { id: 'b', text: 'two' });
  await memory.edit('ends', 'a', { expires_at: null });
  await memory.edit('ends', 'b', { expires_at: 15_000 });
  clock.now = 30_000;
  expect(await memory.get('ends', 'b')).toMatchObject({ found: false });
  expect(await memory.edit('ends', 'b', { text: 'x' })).toMatchObject({ found: false });
  expect(await memory.sweep()).toBe(1);
  expect(await memory.get('ends', 'a')).toMatchObject({ found: true, expires_at: null });
});

test('metadata that contradicts the mapping is kept and named', async () => {
  const { memory } = service;
  await memory.store('shapes', { id: 'a', text: 'one', metadata: { tag: 'x' } });
  const answer = await memory.edit('shapes', 'a', { metadata: { tag: { deep: 1 } } });
  expect(answer).toMatchObject({ edited: true, not_indexed: ['tag'] });
  expect(await memory.get('shapes', 'a')).toMatchObject({
    metadata: { tag: { deep: 1 } },
    history: [{ metadata: { tag: 'x' } }],
  });
});

test('what was forgotten is in no document, its versions neither', async () => {
  const { memory, real } = service;
  await memory.store('secret', { id: 'a', text: 'the word is quokka' });
  await memory.edit('secret', 'a', { text: 'the word is hidden' });
  await memory.store('secret', { id: 'b', text: 'brontosaurus' });
  expect(await memory.forget('secret', 'a')).toMatchObject({ forgotten: true });
  const all: string[] = [];
  for (const { name } of real.backend.resolve('*', { expandWildcards: ['all'] })) {
    await real.backend.publish(name);
    const { hits } = await real.backend.search({ index: name, body: { size: 1000 } });
    all.push(...hits.map(({ source }) => Buffer.from(source ?? []).toString('utf8')));
  }
  expect(all.join('\n')).not.toContain('quokka');
  expect(all.join('\n')).not.toContain('the word is');
});

test('a change is whole or was not, whenever the process dies', async () => {
  const { real, over } = service;
  for (const [i, how] of MOMENTS.entries()) {
    for (let last = 1; ; last++) {
      const ns = `dying-${i}-${last}`;
      const healthy = over(real.backend);
      await healthy.store(ns, { id: 'a', text: 'before', metadata: { n: 1 } });
      const dying = over(dyingIn(real.backend, last, how));
      const outcome = await dying
        .edit(ns, 'a', { text: 'after', metadata: { n: 2 } })
        .then(({ edited }) => edited)
        .catch(() => undefined);
      const restarted = over(real.backend);
      await restarted.start();
      const there = await restarted.get(ns, 'a');
      const isAfter = 'text' in there && there.text === 'after';
      expect(there).toMatchObject(
        isAfter
          ? { metadata: { n: 2 }, history: [{ text: 'before', metadata: { n: 1 } }] }
          : { text: 'before', metadata: { n: 1 }, history: [] },
      );
      if (outcome === true) expect(isAfter).toBe(true);
      if (outcome !== undefined) break;
    }
  }
});

describe('a merge patch', () => {
  test.each<[JsonObject, JsonObject, JsonObject]>([
    [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    [{ a: 1 }, { a: null }, {}],
    [{ a: { b: 1, c: 2 } }, { a: { b: null } }, { a: { c: 2 } }],
    [{ a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
  ])('of %j with %j is %j', (before, patch, after) => {
    expect(mergePatch(before, patch)).toEqual(after);
  });

  test('keeps a member named __proto__ a member', () => {
    const patch = JSON.parse('{"__proto__":{"a":1}}') as JsonObject;
    const merged = mergePatch({}, patch);
    expect(Object.keys(merged)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });
});

test('kept versions have an end, in number and in length', () => {
  const version = (text: string, from: number): Version => ({
    ...{ text, metadata: null, expires_at: null },
    ...{ from, until: from + 1 },
  });
  let versions: readonly Version[] = [];
  for (let i = 0; i < MAX_VERSIONS + 20; i++) versions = withVersion(versions, version('a', i));
  expect(versions).toHaveLength(MAX_VERSIONS);
  expect(versions[0]?.from).toBe(MAX_VERSIONS + 19);
  const long = withVersion(versions, version('x'.repeat(5 * 1024 * 1024), 1000));
  expect(long.map(({ from }) => from)).toEqual([1000]);
});

test('a body names each change, and null what is removed', () => {
  expect(readEditBody({ metadata: null, expires_at: null, vector: null })).toEqual({
    ...{ text: undefined, metadata: null, vector: null, expiresAt: null },
  });
});

type Step = { readonly id: string } & (
  | { readonly kind: 'store'; readonly text: string; readonly metadata: JsonObject | null }
  | { readonly kind: 'edit'; readonly text?: string; readonly metadata?: JsonObject | null }
  | { readonly kind: 'forget' }
);

interface Kept {
  readonly text: string;
  readonly metadata: JsonObject | null;
  readonly history: readonly { readonly text: string; readonly metadata: JsonObject | null }[];
}

const id = fc.constantFrom('a', 'b');
const words = fc.constantFrom('one', 'two', 'three');
const tags = fc.dictionary(
  fc.constantFrom('p', 'q', 'r'),
  fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constant(null)),
  { maxKeys: 2 },
) as fc.Arbitrary<JsonObject>;
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('store' as const), id, text: words, metadata: fc.option(tags) }),
  fc
    .record(
      { kind: fc.constant('edit' as const), id, text: words, metadata: fc.option(tags) },
      { requiredKeys: ['kind', 'id'] },
    )
    .filter((one) => Object.keys(one).length > 2),
  fc.record({ kind: fc.constant('forget' as const), id }),
);

/** The model of an edit, written without the code under test. */
function edited(before: Kept, one: Extract<Step, { kind: 'edit' }>): Kept {
  const { text, history } = before;
  const left = Object.fromEntries(
    Object.entries({ ...before.metadata, ...one.metadata }).filter(
      ([name]) => !(one.metadata && name in one.metadata && one.metadata[name] === null),
    ),
  );
  const merged = Object.keys(left).length === 0 ? null : left;
  const metadata =
    one.metadata === undefined ? before.metadata : one.metadata === null ? null : merged;
  const after = { text: one.text ?? text, metadata };
  const isSame = JSON.stringify(after) === JSON.stringify({ text, metadata: before.metadata });
  if (isSame) return before;
  return { ...after, history: [{ text, metadata: before.metadata }, ...history] };
}

test('any order of stores, changes and forgettings leaves what a model has', async () => {
  const { memory, clock } = service;
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const ns = `model-${runs++}`;
      const model = new Map<string, Kept>();
      for (const one of steps) {
        clock.now += 1;
        const before = model.get(one.id);
        if (one.kind === 'store') {
          const { text, metadata } = one;
          await memory.store(ns, { id: one.id, text, metadata });
          model.set(one.id, { text, metadata, history: [] });
        } else if (one.kind === 'forget') {
          await memory.forget(ns, one.id);
          model.delete(one.id);
        } else {
          const { kind: _kind, id: which, ...body } = one;
          const answer = await memory.edit(ns, which, body as JsonObject);
          const after = before === undefined ? undefined : edited(before, one);
          expect(answer).toMatchObject({ found: after !== undefined, edited: after !== before });
          if (after !== undefined) model.set(one.id, after);
        }
      }
      for (const name of ['a', 'b']) {
        const there = await memory.get(ns, name);
        const expected = model.get(name);
        expect(there.found).toBe(expected !== undefined);
        if (expected === undefined || !there.found) continue;
        const { text, metadata, history } = there;
        const versions = history.map((one) => ({ text: one.text, metadata: one.metadata }));
        expect({ text, metadata, history: versions }).toEqual(expected);
      }
      await memory.drop(ns);
    }),
    { numRuns: 30 },
  );
});
