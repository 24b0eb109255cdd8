// The store for LangGraph of the client for TypeScript against the built service.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matches } from '../../clients/typescript/langgraph/filters.ts';
import { QuarryStore, type SearchItem } from '../../clients/typescript/langgraph/store.ts';
import { Quarry } from '../../clients/typescript/src/index.ts';
import { startServer, type TestServer } from '../tools/server.ts';

/** Packages that test/clients/setup fetches. */
const FETCHED = resolve('build/clients/js-sdk/node_modules');
let server: TestServer;
let client: Quarry;

beforeAll(async () => {
  server = await startServer();
  client = new Quarry({ url: server.base });
});
afterAll(() => server?.stop());

describe('the store for LangGraph', () => {
  const store = (prefix: string, options = {}): QuarryStore =>
    new QuarryStore({ client, prefix, ...options });

  test('puts, gets, replaces and deletes', async () => {
    const one = store('basic');
    const value = { text: 'likes tea', deep: { list: [1, 'x', null] }, 'a.b': true, '': 7 };
    await one.put(['users', 'Ann'], 'k/1', value);
    const item = await one.get(['users', 'Ann'], 'k/1');
    expect(item).toMatchObject({ value, key: 'k/1', namespace: ['users', 'Ann'] });
    await one.put(['users', 'Ann'], 'k/1', { text: 'likes coffee' });
    const after = await one.get(['users', 'Ann'], 'k/1');
    expect(after?.value).toEqual({ text: 'likes coffee' });
    expect(after?.createdAt).toEqual(item?.createdAt);
    expect(after?.updatedAt.getTime()).toBeGreaterThanOrEqual(item?.updatedAt.getTime() ?? 0);
    expect(await one.get(['users', 'Ann'], 'none')).toBeNull();
    expect(await one.get(['nobody'], 'none')).toBeNull();
    await one.delete(['users', 'Ann'], 'k/1');
    await one.delete(['users', 'Ann'], 'k/1');
    expect(await one.get(['users', 'Ann'], 'k/1')).toBeNull();
    expect(await one.listNamespaces()).toEqual([]);
  });

  test('searches by words and meaning under a prefix, and not what is not indexed', async () => {
    const one = store('find', { index: { fields: ['text'] } });
    await one.batch([
      { namespace: ['docs', 'a'], key: 'tea', value: { text: 'green tea from Japan', kind: 1 } },
      { namespace: ['docs', 'b'], key: 'sea', value: { text: 'the sea at night', kind: 2 } },
      { namespace: ['docs', 'b'], key: 'hid', value: { text: 'tea at night' }, index: false },
      { namespace: ['docsx'], key: 'tea', value: { text: 'black tea' } },
    ]);
    const found = await one.search(['docs'], { query: 'tea from Japan' });
    expect(found[0]).toMatchObject({ key: 'tea', namespace: ['docs', 'a'] });
    expect(found[0]?.score).toBeGreaterThan(0);
    expect(found.map(({ key }) => key)).not.toContain('hid');
    expect((await one.search(['docs'])).map(({ key }) => key).sort()).toEqual([
      'hid',
      'sea',
      'tea',
    ]);
    expect(await one.search(['docs'], { filter: { kind: { $gte: 2 } } })).toMatchObject([
      { key: 'sea' },
    ]);
    expect(await one.search(['none'])).toEqual([]);
    const pages = [0, 1, 2].map((offset) => one.search(['docs'], { limit: 1, offset }));
    expect(
      (await Promise.all(pages))
        .flat()
        .map(({ key }) => key)
        .sort(),
    ).toEqual(['hid', 'sea', 'tea']);
  });

  test('lists namespaces by prefix, suffix, wildcards and depth', async () => {
    const one = store('names');
    const namespaces = [
      ['a', 'b', 'c'],
      ['a', 'b', 'd', 'e'],
      ['a', 'b', 'd', 'i'],
      ['a', 'b', 'f'],
      ['a', 'c', 'f'],
      ['A.1', '_', '😀', ''],
    ];
    await one.batch(namespaces.map((namespace) => ({ namespace, key: 'k', value: { n: 1 } })));
    expect(await one.listNamespaces({ prefix: ['a', 'b'], maxDepth: 3 })).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'd'],
      ['a', 'b', 'f'],
    ]);
    expect(await one.listNamespaces({ suffix: ['f'] })).toEqual([
      ['a', 'b', 'f'],
      ['a', 'c', 'f'],
    ]);
    expect(await one.listNamespaces({ prefix: ['a', '*', 'f'], limit: 1, offset: 1 })).toEqual([
      ['a', 'c', 'f'],
    ]);
    expect(await one.listNamespaces({ prefix: ['A.1'] })).toEqual([['A.1', '_', '😀', '']]);
    expect(await one.search(['A.1', '_'])).toMatchObject([{ namespace: ['A.1', '_', '😀', ''] }]);
  });

  test('lets items leave when their time is over, unless they are read', async () => {
    const one = store('time', { ttl: { defaultTtl: 1.2 / 60, refreshOnRead: true } });
    await one.put(['t'], 'read', { n: 1 });
    await one.put(['t'], 'unread', { n: 2 });
    await one.put(['t'], 'stays', { n: 3 }, undefined, { ttl: null });
    for (let i = 0; i < 4; i++) {
      await new Promise((done) => setTimeout(done, 500));
      expect(await one.get(['t'], 'read')).not.toBeNull();
    }
    expect(await one.get(['t'], 'unread')).toBeNull();
    expect(await one.get(['t'], 'stays')).not.toBeNull();
  });

  test('answers as a map would, whatever is put', { timeout: 120_000 }, async () => {
    let run = 0;
    const label = fc.constantFrom('a', 'b', 'B_', 'é.');
    const namespace = fc.array(label, { minLength: 1, maxLength: 2 });
    const scalar = fc.oneof(
      fc.constantFrom<unknown>('x', 'y', 1, 2, 2.5, true, false, null),
      fc.constantFrom<unknown>(['x'], { y: 1 }, [], {}),
    );
    const value = fc.dictionary(fc.constantFrom('p', 'q', 'r.s', 't'), scalar);
    const condition = fc.oneof(
      scalar,
      fc.dictionary(
        fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'),
        fc.constantFrom<unknown>('x', 1, 2, true),
        { minKeys: 1, maxKeys: 2 },
      ),
    );
    const filter = fc.dictionary(fc.constantFrom('p', 'q', 'r.s'), condition, { maxKeys: 2 });
    const put = fc.record({
      namespace,
      key: fc.constantFrom('k', '_k', '.', 'ü'),
      value: fc.option(value, { nil: null }),
    });
    const property = fc.asyncProperty(
      fc.array(put, { minLength: 1, maxLength: 12 }),
      fc.array(fc.tuple(fc.array(label, { maxLength: 2 }), filter), { maxLength: 4 }),
      async (puts, searches) => {
        const one = store(`p${run++}`);
        const model = new Map<string, { namespace: string[]; value: Record<string, unknown> }>();
        for (let at = 0; at < puts.length; at += 4) {
          await one.batch(puts.slice(at, at + 4));
          for (const { namespace: place, key, value: put } of puts.slice(at, at + 4)) {
            const id = JSON.stringify([place, key]);
            if (put === null) model.delete(id);
            else model.set(id, { namespace: place, value: put });
          }
        }
        const idOf = ({ namespace: place, key }: SearchItem): string =>
          JSON.stringify([place, key]);
        for (const [prefix, wanted] of searches) {
          const found = await one.search(prefix, { filter: wanted, limit: 50 });
          const expected = [...model].filter(
            ([, item]) =>
              prefix.every((name, i) => item.namespace[i] === name) && matches(item.value, wanted),
          );
          expect(found.map(idOf).sort()).toEqual(expected.map(([id]) => id).sort());
        }
        for (const [id, { value: kept }] of model) {
          const [place, key] = JSON.parse(id) as [string[], string];
          expect((await one.get(place, key))?.value).toEqual(kept);
        }
      },
    );
    await fc.assert(property, { numRuns: 12 });
  });

  const langgraph = join(FETCHED, '@langchain/langgraph-checkpoint/dist/index.js');
  if (!existsSync(langgraph)) console.log('skipped: LangGraph, test/clients/setup fetches it');
  test.skipIf(!existsSync(langgraph))('serves the batches of LangGraph itself', async () => {
    const { AsyncBatchedStore } = await import(pathToFileURL(langgraph).href);
    const batched = new AsyncBatchedStore(store('batched'));
    batched.start();
    await Promise.all([
      batched.put(['x'], 'a', { text: 'red apples' }),
      batched.put(['x'], 'b', { text: 'blue paint' }),
    ]);
    expect(await batched.get(['x'], 'a')).toMatchObject({ value: { text: 'red apples' } });
    expect(await batched.search(['x'], { query: 'apples', limit: 1 })).toMatchObject([
      { key: 'a' },
    ]);
    await batched.stop();
  });
});
