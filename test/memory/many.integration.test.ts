// Requests about many memories: pages, namespaces, forgetting by a filter, recalls over several
// namespaces, bulk stores; each against a plain model, and with a process that dies at any write.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import type { NamespaceAccess } from '../../src/memory/manage/namespaces.ts';
import { dyingIn, MOMENTS } from './dying-backend.ts';
import { type MemoryService, openMemory } from './service.ts';

let service: MemoryService;

beforeAll(async () => {
  service = await openMemory();
});
afterAll(async () => {
  await service.close();
});

async function exported(namespace: string): Promise<string> {
  let text = '';
  for await (const line of await service.memory.transfer.export(namespace)) text += line;
  return text;
}

describe('pages', () => {
  interface Row {
    readonly id: string;
    readonly n: number | null;
    readonly stored: number;
  }

  async function walk(ns: string, body: JsonObject): Promise<readonly string[]> {
    const ids: string[] = [];
    let after: JsonObject = {};
    for (;;) {
      const page = await service.memory.list(ns, { ...body, ...after });
      ids.push(...page.entries.map(({ id }) => id));
      if (page.next === undefined) return ids;
      after = { after: page.next };
    }
  }

  const rows = fc.array(
    fc.record({ n: fc.option(fc.integer({ min: 0, max: 3 })), wait: fc.nat({ max: 1 }) }),
    { minLength: 1, maxLength: 12 },
  );

  test('walk over every memory once, in the order of a model', async () => {
    const { memory, clock } = service;
    let runs = 0;
    const property = fc.asyncProperty(rows, fc.integer({ min: 1, max: 4 }), async (all, size) => {
      const ns = `pages-${runs++}`;
      const model: Row[] = [];
      for (const [i, { n, wait }] of all.entries()) {
        clock.now += wait;
        const id = `m${(i * 7) % 13}`;
        await memory.store(ns, { id, text: `row ${i}`, metadata: n === null ? {} : { n } });
        const { stored_at } = (await memory.get(ns, id)) as { stored_at: number };
        model.push({ id, n, stored: stored_at });
      }
      const byId = (a: Row, b: Row): number => (a.id < b.id ? -1 : 1);
      const ids = (sorted: readonly Row[]): readonly string[] => sorted.map(({ id }) => id);
      const last = Number.POSITIVE_INFINITY;
      const newest = [...model].sort((a, b) => b.stored - a.stored || byId(a, b));
      const up = [...model].sort((a, b) => (a.n ?? last) - (b.n ?? last) || byId(a, b));
      const down = [...model].sort((a, b) => (b.n ?? -last) - (a.n ?? -last) || byId(a, b));
      expect(await walk(ns, { size })).toEqual(ids(newest));
      expect(await walk(ns, { size, sort: 'id:desc' })).toEqual(
        ids([...model].sort(byId).reverse()),
      );
      expect(await walk(ns, { size, sort: 'metadata.n' })).toEqual(ids(up));
      expect(await walk(ns, { size, sort: 'metadata.n:desc' })).toEqual(ids(down));
      expect(await walk(ns, { size, sort: 'expires_at' })).toEqual(ids([...model].sort(byId)));
      const filter = { range: { 'metadata.n': { gte: 2 } } };
      const some = newest.filter(({ n }) => n !== null && n >= 2);
      expect(await walk(ns, { size, filter })).toEqual(ids(some));
      const { count, entries } = await memory.list(ns, { size, filter });
      expect([count, entries.length]).toEqual([some.length, Math.min(size, some.length)]);
      await memory.drop(ns);
    });
    await fc.assert(property, { numRuns: 12 });
  });

  test('do not move when memories are stored and forgotten between them', async () => {
    const { memory, clock } = service;
    for (let i = 0; i < 6; i++) {
      clock.now += 10;
      await memory.store('steady', { id: `m${i}`, text: `row ${i}` });
    }
    const first = await memory.list('steady', { size: 2 });
    expect(first.entries.map(({ id }) => id)).toEqual(['m5', 'm4']);
    clock.now += 10;
    await memory.store('steady', { id: 'new', text: 'row' });
    await memory.forget('steady', 'm4');
    const second = await memory.list('steady', { size: 2, after: first.next ?? '' });
    expect(second.entries.map(({ id }) => id)).toEqual(['m3', 'm2']);
  });

  test('of a list without a request are the list of before', async () => {
    const plain = await service.memory.list('steady');
    expect(Object.keys(plain)).toEqual(['namespace', 'exists', 'count', 'entries', 'not_shown']);
  });
});

test('namespaces come with counts, sizes and the last store, those that may be seen', async () => {
  const { memory, clock } = service;
  clock.now = 500_000;
  await memory.store('of-ann', { id: 'a', text: 'one' });
  await memory.store('of-ann', { id: 'b', text: 'two', supersedes: ['a'] });
  clock.now = 600_000;
  await memory.store('of-bob', { text: 'three' });
  await memory.put('of-cid', {});
  const { namespaces, count } = await memory.namespaces({ prefix: 'of-' });
  expect(count).toBe(3);
  expect(namespaces).toMatchObject([
    { namespace: 'of-ann', memories: 1, last_store: 500_000 },
    { namespace: 'of-bob', memories: 1, last_store: 600_000 },
    { namespace: 'of-cid', memories: 0, last_store: null },
  ]);
  expect(namespaces[0]?.bytes).toBeGreaterThan(0);
  const page = await memory.namespaces({ prefix: 'of-', size: 2 });
  expect([page.namespaces.length, page.next]).toEqual([2, 'of-bob']);
  const rest = await memory.namespaces({ prefix: 'of-', size: 2, after: 'of-bob' });
  expect(rest.namespaces.map(({ namespace }) => namespace)).toEqual(['of-cid']);
  expect(rest.next).toBeUndefined();
  const bob: NamespaceAccess = { allows: (name) => name === 'of-bob', check: () => {} };
  const seen = await memory.namespaces({}, bob);
  expect(seen).toMatchObject({ count: 1, namespaces: [{ namespace: 'of-bob' }] });
});

describe('forgetting by a filter', () => {
  const odd = { filter: { term: { 'metadata.odd': true } } };

  async function fill(ns: string, count: number): Promise<void> {
    const items = Array.from({ length: count }, (_, i) => ({
      id: `m${i}`,
      text: `the secret word ${i}`,
      metadata: { odd: i % 2 === 1, session: 's' },
    }));
    await service.memory.bulk(ns, items);
  }

  test('forgets what matches, with links, and nothing else', async () => {
    const { memory } = service;
    await fill('odd', 10);
    const dry = await memory.forgetMatching('odd', { ...odd, dry_run: true });
    expect(dry).toEqual({
      ...{ namespace: 'odd', dry_run: true, matched: 5, forgotten: 0, left: 5 },
      ids: ['m1', 'm3', 'm5', 'm7', 'm9'],
    });
    expect((await memory.list('odd')).count).toBe(10);
    expect(await memory.forgetMatching('odd', odd)).toMatchObject({
      ...{ matched: 5, forgotten: 5, left: 0, ids: ['m1', 'm3', 'm5', 'm7', 'm9'] },
      receipt: {
        removed: { memories: 5, links: 9 },
        left: { memories: 0, postings: 0, vectors: 0, links: 0 },
      },
    });
    expect((await memory.list('odd', { sort: 'id' })).entries.map(({ id }) => id)).toEqual([
      ...['m0', 'm2', 'm4', 'm6', 'm8'],
    ]);
  });

  test('is bounded, and goes on when it is repeated', async () => {
    const { memory } = service;
    await fill('more', 1300);
    const first = await memory.forgetMatching('more', { ...odd, limit: 600 });
    expect(first).toMatchObject({ matched: 650, forgotten: 600, left: 50 });
    expect(first.ids).toHaveLength(100);
    expect(await memory.forgetMatching('more', odd)).toMatchObject({ forgotten: 50, left: 0 });
    expect((await memory.list('more')).count).toBe(650);
  });

  test('takes superseded and expired memories too', async () => {
    const { memory, clock } = service;
    const metadata = { odd: true };
    await memory.store('old', { id: 'a', text: 'one', metadata });
    await memory.store('old', { id: 'b', text: 'two', metadata, supersedes: ['a'] });
    await memory.store('old', { id: 'c', text: 'c', metadata, expires_at: clock.now + 1 });
    clock.now += 10;
    expect(await memory.forgetMatching('old', odd)).toMatchObject({ matched: 3, forgotten: 3 });
  });

  test('leaves of each memory all or nothing, whenever the process dies', async () => {
    const { real, over } = service;
    for (const [i, how] of MOMENTS.entries()) {
      for (let last = 1; ; last++) {
        const ns = `forget-${i}-${last}`;
        await fill(ns, 4);
        const done = await over(dyingIn(real.backend, last, how))
          .forgetMatching(ns, odd)
          .then(() => true)
          .catch(() => false);
        const restarted = over(real.backend);
        await restarted.start();
        const lines = (await exported(ns)).trimEnd().split('\n');
        const ids = lines.flatMap((line) => {
          const { memory } = JSON.parse(line) as { memory?: { id: string } };
          return memory === undefined ? [] : [memory.id];
        });
        const links = lines.filter((line) => line.startsWith('{"link"')).length;
        const isWhole = ids.length === 4;
        expect(ids).toEqual(isWhole ? ['m0', 'm1', 'm2', 'm3'] : ['m0', 'm2']);
        expect(links).toBe(isWhole ? 3 : 0);
        if (done) expect(isWhole).toBe(false);
        if (done) break;
      }
    }
  });
});

describe('a recall over several namespaces', () => {
  beforeAll(async () => {
    const { memory, clock } = service;
    for (const [ns, words] of [
      ['team-a', ['red apples', 'red apples and green pears', 'blue plums']],
      ['team-b', ['red apples', 'a red car']],
      ['team-c', ['nothing of it']],
    ] as const) {
      for (const [i, text] of words.entries()) {
        clock.now += 1;
        const metadata = { fruit: text.split(' ').at(-1) ?? '' };
        await memory.store(ns, { id: `m${i}`, text, metadata });
      }
    }
  });

  const recall = (body: JsonObject, access?: NamespaceAccess) =>
    service.memory.recallMany({ namespaces: 'team-*', ...body }, access);

  test('merges by score what each of them brings', async () => {
    const body = { query: 'red apples', k: 3 };
    const { namespaces, hits, not_shown } = await recall(body);
    expect(namespaces).toEqual(['team-a', 'team-b', 'team-c']);
    const each = await Promise.all(
      namespaces.map(async (namespace) => {
        const answer = await service.memory.recall(namespace, { ...body, k: 10 });
        return answer.hits.map((hit) => ({ namespace, ...hit }));
      }),
    );
    const all = each.flat().sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
    expect(hits).toEqual(all.slice(0, 3));
    expect(not_shown.k).toBe(all.length - 3);
  });

  test('gives the latest where there is no question', async () => {
    const { hits } = await recall({ k: 3 });
    expect(hits.map(({ namespace, id }) => `${namespace} ${id}`)).toEqual([
      ...['team-c m0', 'team-b m1', 'team-b m0'],
    ]);
  });

  test('collapses and cuts over all of them', async () => {
    const one = await recall({ query: 'red apples', collapse: 'metadata.fruit' });
    expect(one.hits.map(({ metadata }) => metadata?.['fruit'])).toEqual(['apples', 'pears', 'car']);
    expect(one.not_shown).toMatchObject({ k: 0, collapsed: 1 });
    const short = await recall({ query: 'red apples', max_chars: 20 });
    expect(short.hits.map(({ text }) => text)).toEqual(['red apples', 'red apples']);
    expect(short.not_shown).toMatchObject({ k: 0, max_chars: 2 });
  });

  test('takes names and patterns, and refuses what may not be used', async () => {
    const only: NamespaceAccess = {
      allows: (name) => name === 'team-b',
      check: (name) => {
        if (name !== 'team-b') throw new Error(`no [${name}]`);
      },
    };
    expect((await recall({ query: 'red' }, only)).namespaces).toEqual(['team-b']);
    const named = recall({ namespaces: ['team-b', 'team-a'] }, only);
    await expect(named).rejects.toThrow('no [team-a]');
    const twice = await recall({ namespaces: ['team-a', 'team-*', 'nobody'] });
    expect(twice.namespaces).toEqual(['team-a', 'team-b', 'team-c', 'nobody']);
  });
});

describe('a bulk store', () => {
  const items = fc.array(
    fc.record(
      {
        id: fc.constantFrom('a', 'b', 'c', 'd'),
        text: fc.constantFrom('one fish', 'two fish', 'red fish', ''),
        metadata: fc.oneof(
          fc.record({ session: fc.constantFrom('s', 't') }),
          fc.record({ tag: fc.oneof(fc.constant('x'), fc.constant({ deep: 1 })) }),
        ),
        dedup: fc.boolean(),
        supersedes: fc.constantFrom(['a'], ['z']),
        expires_at: fc.constantFrom(10 ** 12),
      },
      { requiredKeys: ['id', 'text'] },
    ),
    { minLength: 1, maxLength: 8 },
  ) as unknown as fc.Arbitrary<readonly JsonObject[]>;

  test('leaves what the same stores one after another leave, with the same answers', async () => {
    const { memory, clock } = service;
    let runs = 0;
    const property = fc.asyncProperty(items, async (all) => {
      clock.now += 1000;
      const [one, many] = [`single-${runs}`, `bulk-${runs++}`];
      await Promise.all([memory.put(one, {}), memory.put(many, {})]);
      const answers: unknown[] = [];
      for (const item of all) {
        answers.push(
          await memory.store(one, item).then(
            ({ namespace: _one, ...answer }) => ({ status: answer.created ? 201 : 200, ...answer }),
            (error: { status: number }) => ({ status: error.status }),
          ),
        );
      }
      const bulk = await memory.bulk(many, all);
      expect(bulk.errors).toBe(bulk.items.some(({ status }) => status >= 400));
      for (const [i, answer] of answers.entries())
        expect(bulk.items[i]).toMatchObject(answer as object);
      expect(await exported(many)).toBe(await exported(one));
      await memory.drop(one);
      await memory.drop(many);
    });
    await fc.assert(property, { numRuns: 40 });
  });

  test('reads and writes plain memories and their links at once', async () => {
    const { real, over } = service;
    const calls: Record<string, number> = {};
    const counting = new Proxy(real.backend, {
      get(target, key) {
        const value = Reflect.get(target, key) as unknown;
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]): unknown => {
          calls[String(key)] = (calls[String(key)] ?? 0) + 1;
          return (value as (...rest: readonly unknown[]) => unknown).apply(target, [...args]);
        };
      },
    });
    const stores = Array.from({ length: 300 }, (_, i) => ({
      id: `m${i}`,
      text: `memory ${i}`,
      metadata: { session: `s${i % 3}` },
    }));
    const answer = await over(counting).bulk('one-sync', stores);
    expect(answer.errors).toBe(false);
    // One search for the last memory of each session, one read of the settings.
    expect(calls).toMatchObject({ bulk: 1, mget: 1, search: 3, get: 1 });
    expect(calls).not.toHaveProperty('write');
    const follows = answer.items.filter((item) => 'follows' in item && item.follows !== undefined);
    expect(follows).toHaveLength(297);
  });

  test('has no link to or from a memory that it could not store', async () => {
    const { memory } = service;
    await memory.store('half', { id: 'v', vector: [1, 0], metadata: { session: 's' } });
    const answer = await memory.bulk('half', [
      { id: 'a', text: 'one', metadata: { session: 's' } },
      { id: 'b', vector: [1, 2, 3], metadata: { session: 's' } },
      { id: 'c', text: 'three', metadata: { session: 's' } },
    ]);
    expect(answer).toMatchObject({
      errors: true,
      items: [{ status: 201 }, { status: 400, error: { type: 'illegal_argument_exception' } }, {}],
    });
    const text = await exported('half');
    expect(text.match(/"src":"\w","/g)).toEqual(['"src":"a","']);
    const next = await memory.store('half', { text: 'four', metadata: { session: 's' } });
    expect(next.follows).toBe('c');
  });
});
