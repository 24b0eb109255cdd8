// Forgetting, expiring and dropping, with a process that dies at any of its writes: after the next
// start the data is complete or completely gone, in all indexes of the service.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Backend, JsonObject } from '../../src/backend/index.ts';
import { ensureIndex, SUGGESTIONS_BODY } from '../../src/graph/edges-index.ts';
import { Graph } from '../../src/graph/graph.ts';
import { suggestionsIndex } from '../../src/graph/names.ts';
import { Memory } from '../../src/memory/memory.ts';
import { loadAddon } from '../../src/native/addon.ts';
import { openBackend, type RealBackend, removeFolder } from '../coordinator/real-backend.ts';
import { DEAD, dyingIn, MOMENTS } from './dying-backend.ts';

let real: RealBackend;
let now = 1000;

beforeAll(async () => {
  real = await openBackend();
});
afterAll(async () => {
  await real.close();
  removeFolder(real.dataDir);
});

interface Service {
  readonly memory: Memory;
  readonly graph: Graph;
  /** Errors of sweeps. */
  readonly errors: Error[];
}

function serviceOver(backend: Backend): Service {
  const addon = loadAddon();
  const hash128 = (bytes: Uint8Array): Uint8Array => new Uint8Array(addon.hash128(bytes));
  const nowMs = (): number => now;
  const graph = new Graph({ backend, hash128, nowMs });
  const errors: Error[] = [];
  const memory = new Memory({
    ...{ backend, graph, hash128, nowMs },
    embed: (text, dims) => addon.embed([text], dims),
    newId: () => 'made',
    defaults: { analyzer: 'english', link_sessions: true, detect: false },
    expiry: { later: () => () => {}, onError: (error) => errors.push(error as Error) },
  });
  return { memory, graph, errors };
}

/** The memory [secret] among others, with links and a suggestion that quote it. */
async function setUp(ns: string): Promise<void> {
  const { memory, graph } = serviceOver(real.backend);
  await memory.put(ns, { link_sessions: false });
  for (const id of ['a', 'b', 'secret'])
    await memory.store(ns, {
      id,
      text: id === 'secret' ? 'a secret word' : `a word of ${id}`,
      ...(id === 'secret' ? { expires_at: now + 10 } : { expires_at: now + 10 ** 9 }),
    });
  const quoting = { evidence: { quote: 'a secret word' } };
  await graph.link(ns, { src: 'secret', dst: 'a', type: 'quotes', ...quoting });
  await graph.link(ns, { src: 'b', dst: 'secret', type: 'quotes', ...quoting });
  await graph.link(ns, { src: 'b', dst: 'a', type: 'related' });
  const index = suggestionsIndex(ns);
  await ensureIndex(real.backend, index, SUGGESTIONS_BODY);
  const suggestion = { src: 'a', dst: 'secret', type: 'mentions', ...quoting, state: 'suggested' };
  const source = Buffer.from(JSON.stringify(suggestion));
  await real.backend.write({ op: 'index', index, id: 's', source }, { refresh: 'false' });
}

/** Documents of all indexes that refer to the namespace, as `index/id`. */
async function documentsOf(ns: string, word: string): Promise<readonly string[]> {
  const all: string[] = [];
  for (const { name } of real.backend.resolve('*', { expandWildcards: ['all'] })) {
    await real.backend.publish(name);
    const { hits } = await real.backend.search({ index: name, body: { size: 1000 } });
    for (const { id, source } of hits) {
      const text = `${name}/${id} ${Buffer.from(source ?? []).toString('utf8')}`;
      const isOfNamespace = name.split(/[-.]/).includes(ns) || id === ns;
      if (isOfNamespace && text.includes(word)) all.push(`${name}/${id}`);
    }
  }
  return all.sort();
}

/**
 * Runs `work` in a process that dies, at every moment of each of its writes; runs `check` after the
 * next start.
 */
async function atEveryWrite(
  kind: string,
  work: (service: Service, ns: string) => Promise<unknown>,
  check: (ns: string, restarted: Service, isDone: boolean) => Promise<void>,
): Promise<void> {
  let made = 0;
  for (const how of MOMENTS) {
    for (let last = 1; ; last++) {
      const ns = `${kind}${made++}`;
      now += 1000;
      await setUp(ns);
      now += 100;
      const service = serviceOver(dyingIn(real.backend, last, how));
      const answer = await work(service, ns).then(
        () => service.errors[0]?.message ?? 'done',
        (error: Error) => error.message,
      );
      const restarted = serviceOver(real.backend);
      await restarted.memory.start();
      expect(['done', DEAD]).toContain(answer);
      await check(ns, restarted, answer === 'done');
      await restarted.memory.drop(ns);
      if (answer === 'done') break;
    }
  }
  expect(made).toBeGreaterThan(9);
}

async function allOrNothing(ns: string, isDone: boolean): Promise<boolean> {
  const traces = await documentsOf(ns, 'secret');
  const before = [
    `.svc-memory-${ns}-edges/`,
    `.svc-memory-${ns}-edges/`,
    `.svc-memory-${ns}/secret`,
    `.svc-suggestions-${ns}/s`,
  ];
  const isThere = traces.length > 0;
  if (isThere) {
    expect(isDone).toBe(false);
    expect(traces.map((one) => one.replace(/edges\/.*/, 'edges/'))).toEqual(before);
  }
  expect(await documentsOf(ns, 'a word of')).toHaveLength(2);
  expect(await documentsOf(ns, 'related')).toHaveLength(1);
  return isThere;
}

test('a memory that is forgotten is nowhere, or all of it is there', { timeout: 120_000 }, () =>
  atEveryWrite(
    'forget',
    ({ memory }, ns) => memory.forget(ns, 'secret'),
    async (ns, { memory }, isDone) => {
      const isThere = await allOrNothing(ns, isDone);
      expect(await memory.forget(ns, 'secret')).toMatchObject({ forgotten: isThere });
      expect(await documentsOf(ns, 'secret')).toEqual([]);
    },
  ),
);

test('a memory that expires is nowhere, or all of it is there', { timeout: 120_000 }, () =>
  atEveryWrite(
    'expire',
    ({ memory }) => memory.sweep(),
    async (ns, { memory, errors }, isDone) => {
      await allOrNothing(ns, isDone);
      await memory.sweep();
      expect(errors).toEqual([]);
      expect(await documentsOf(ns, 'secret')).toEqual([]);
    },
  ),
);

test('a namespace that is dropped is nowhere, or all of it is there', { timeout: 120_000 }, () =>
  atEveryWrite(
    'drop',
    ({ memory }, ns) => memory.drop(ns),
    async (ns, { memory }, isDone) => {
      const left = await documentsOf(ns, '');
      // Three memories, three links, a suggestion, settings, and the expiry record.
      expect([0, 9]).toContain(left.length);
      if (isDone) expect(left).toEqual([]);
      expect(await memory.drop(ns)).toMatchObject({ dropped: left.length > 0 });
      expect(await documentsOf(ns, '')).toEqual([]);
    },
  ),
);

test('links that were left of a memory go when it is forgotten once more', async () => {
  await setUp('left');
  const { memory } = serviceOver(real.backend);
  const index = '.svc-memory-left';
  await real.backend.write({ op: 'delete', index, id: 'secret' }, { refresh: 'false' });
  expect(await memory.forget('left', 'secret')).toMatchObject({
    forgotten: true,
    receipt: { removed: { memories: 0, links: 2 }, left: { memories: 0, links: 0 } },
  });
  expect(await documentsOf('left', 'secret')).toEqual([]);
  expect(await memory.forget('left', 'secret')).toMatchObject({ forgotten: false });
});

test('a memory that is stored anew behind a forgetting that failed stays', async () => {
  await setUp('anew');
  const { memory } = serviceOver(dyingIn(real.backend, 1, 'after'));
  await expect(memory.forget('anew', 'secret')).rejects.toThrow(DEAD);
  const healthy = serviceOver(real.backend).memory;
  await healthy.store('anew', { id: 'secret', text: 'another one' });
  await serviceOver(real.backend).memory.start();
  const found = await real.backend.get({ index: '.svc-memory-anew', id: 'secret', source: true });
  expect(JSON.parse(Buffer.from(found.source ?? []).toString('utf8')) as JsonObject).toMatchObject({
    text: 'another one',
  });
});
