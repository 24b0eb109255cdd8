// Link detection over a brain: it is idempotent, preserves links asserted by users, keeps proposals
// separate until they are accepted, and checks quotes again.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import type { DetectRequest } from '../../src/graph/detect.ts';
import type { ListRequest } from '../../src/graph/suggestions.ts';
import { type World, world } from './world.ts';

const NODES = '.svc-memory-b';
const ALL: DetectRequest = {
  detectors: undefined,
  nodes: undefined,
  since: undefined,
  dryRun: false,
};
const LIST: ListRequest = {
  state: 'suggested',
  node: undefined,
  types: undefined,
  detectors: undefined,
  limit: 100,
};
const EVERYTHING = { types: undefined, detectors: undefined, nodes: undefined };

function notes(): World {
  const made = world();
  made.backend.put(NODES, 'a', {
    title: 'Harbour Plan',
    text: 'See [[Ferry Terminal]].',
    stored_at: 500,
  });
  made.backend.put(NODES, 'b', { title: 'Ferry Terminal', text: 'supersedes [[c]]' });
  made.backend.put(NODES, 'c', { title: 'Old Quay', text: 'The Harbour Plan was ours.' });
  return made;
}

async function links(made: World, node: string): Promise<string[]> {
  const { links: found } = await made.ego(node, { asOf: made.now, includeExpired: true });
  return found
    .map(({ src, type, dst, detector, state }) => `${src} ${type} ${dst} ${detector} ${state}`)
    .sort();
}

describe('a detection', () => {
  test.each([
    ['learning from', { ...ALL, nodes: [] }],
    ['searching', { ...ALL, nodes: ['long'] }],
  ])('lets others have their turn while %s one long document', async (_what, request) => {
    const made = notes();
    const text = 'The keeper of pier 7 did not see the mist. Nobody counts ships at night. ';
    made.backend.put(NODES, 'long', { text: text.repeat(4000) });
    let [turns, running] = [0, true];
    const count = (): void => {
      turns++;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    await made.graph.detect('b', request);
    running = false;
    expect(turns).toBeGreaterThan(8);
  });

  test('makes links with evidence, and proposals apart', async () => {
    const made = notes();
    const answer = await made.graph.detect('b', ALL);
    expect(answer).toMatchObject({
      documents: 3,
      searched: 3,
      links: { found: 2, created: 2, known: 0 },
      suggestions: { found: 1, created: 1, known: 0 },
    });
    expect(await links(made, 'b')).toEqual([
      'a references b wiki-links@1 live',
      'b supersedes c wiki-links@1 live',
    ]);
    const [first] = (await made.ego('a')).links;
    expect(first).toMatchObject({
      asserted: false,
      confidence: 1,
      valid_at: 500,
      evidence: { quote: '[[Ferry Terminal]]', source: 'a', field: 'text', offset: 4 },
    });
    const { suggestions } = await made.graph.suggestions('b', LIST);
    expect(suggestions).toMatchObject([
      { src: 'c', dst: 'a', type: 'mentions', state: 'suggested', detector: 'titles@1' },
    ]);
  });

  test('again finds the same and changes nothing', async () => {
    const made = notes();
    await made.graph.detect('b', ALL);
    const before = await links(made, 'b');
    made.now += 1000;
    const again = await made.graph.detect('b', ALL);
    expect(again.links).toEqual({ found: 2, created: 0, known: 2 });
    expect(again.suggestions).toEqual({ found: 1, created: 0, known: 1 });
    expect(await links(made, 'b')).toEqual(before);
  });

  test('says nothing that somebody said or retired', async () => {
    const made = notes();
    await made.link('a', 'b', { type: 'references' });
    const wrong = await made.link('b', 'c', { type: 'supersedes', valid_at: 7 });
    await made.graph.unlink('b', wrong, undefined);
    expect((await made.graph.detect('b', ALL)).links.created).toBe(0);
    expect(await links(made, 'b')).toEqual([
      'a references b null live',
      'b supersedes c null retired',
    ]);
  });

  test('of a changed document keeps one link for what it still says', async () => {
    const made = notes();
    await made.graph.detect('b', ALL);
    made.backend.put(NODES, 'a', {
      text: 'Now: see [[Ferry Terminal]] and [[c]].',
      stored_at: 900,
    });
    expect((await made.graph.detect('b', ALL)).links).toMatchObject({ found: 3, created: 1 });
    expect((await links(made, 'a')).length).toBe(2);
  });

  test('looks where it is told, with what it is told', async () => {
    const made = notes();
    const dry = await made.graph.detect('b', { ...ALL, dryRun: true });
    expect(dry).toMatchObject({ links: { found: 2, created: 0 }, not_shown: 0 });
    expect(dry.found).toHaveLength(3);
    expect(made.graph.hasEdges('b')).toBe(false);
    const mentions = await made.graph.detect('b', { ...ALL, detectors: ['titles'] });
    expect(mentions).toMatchObject({ links: { found: 0 }, suggestions: { found: 2 } });
    const one = await made.graph.detect('b', { ...ALL, nodes: ['b', 'nobody'] });
    expect(one).toMatchObject({ searched: 1, links: { created: 1 } });
    const late = await made.graph.detect('b', { ...ALL, since: 500 });
    expect(late).toMatchObject({ searched: 1, links: { created: 1 } });
  });

  test('tells how far it is, and runs once at a time', async () => {
    const made = notes();
    expect(made.graph.detection('b')).toBeUndefined();
    const { done } = await made.graph.startDetection('b', ALL);
    expect(made.graph.detection('b')).toMatchObject({ running: true, started_at: made.now });
    await expect(made.graph.detect('b', ALL)).rejects.toThrow(
      'a detection of brain [b] is running',
    );
    const result = await done;
    expect(made.graph.detection('b')).toMatchObject({ running: false, phase: 'done', result });
    await made.graph.detect('b', ALL);
  });

  test('ends when the server stops', async () => {
    const made = notes();
    const { done } = await made.graph.startDetection('b', ALL);
    const refused = expect(done).rejects.toThrow('the server is stopping');
    await made.graph.close();
    await refused;
    expect(made.graph.detection('b')).toMatchObject({ running: false, phase: 'failed' });
  });

  test('that fails says why', async () => {
    const made = notes();
    made.backend.beforeWrite = async () => {
      throw new Error('no disk');
    };
    await expect(made.graph.detect('b', ALL)).rejects.toThrow('no disk');
    expect(made.graph.detection('b')).toMatchObject({
      running: false,
      phase: 'failed',
      error: 'no disk',
    });
  });

  test('when documents are stored sees what stands in them', async () => {
    const made = notes();
    await made.graph.detectOnStore('b', ['a', 'nobody']);
    expect(await links(made, 'a')).toEqual(['a references b wiki-links@1 live']);
    made.backend.put(NODES, 'd', { title: 'Lighthouse', text: 'Harbour Plan, @c' });
    made.backend.put(NODES, 'e', { text: '[[Lighthouse]]' });
    await made.graph.detectOnStore('b', ['d', 'e']);
    expect(await links(made, 'd')).toEqual([
      'd mentions c mentions@1 live',
      'e references d wiki-links@1 live',
    ]);
    expect((await made.graph.suggestions('b', LIST)).total).toBe(1);
    made.backend.indexes.get(NODES)?.documents.delete('d');
    await made.graph.forgetNodes('b', ['d']);
    await made.graph.detectOnStore('b', ['e']);
    expect(await links(made, 'e')).toEqual([]);
    await made.graph.detectOnStore('none', ['a']);
  });
});

describe('a suggestion', () => {
  async function suggested(): Promise<{ made: World; id: string }> {
    const made = notes();
    await made.graph.detect('b', ALL);
    const { suggestions } = await made.graph.suggestions('b', LIST);
    return { made, id: suggestions[0]?.id ?? '' };
  }

  test('that is accepted is a link, of the same id, from then on', async () => {
    const { made, id } = await suggested();
    made.now += 10;
    const accepted = await made.graph.accept('b', id);
    expect(accepted).toEqual({ brain: 'b', id, state: 'accepted', changed: true, edge_id: id });
    expect(await links(made, 'a')).toContain('c mentions a titles@1 live');
    expect(await made.graph.accept('b', id)).toEqual({ ...accepted, changed: false });
    expect((await made.graph.suggestions('b', LIST)).total).toBe(0);
    const { suggestions } = await made.graph.suggestions('b', { ...LIST, state: 'accepted' });
    expect(suggestions).toMatchObject([{ id, decided_at: made.now }]);
    await expect(made.graph.reject('b', id)).rejects.toThrow('was accepted and is a link');
  });

  test('that is rejected is not proposed again', async () => {
    const { made, id } = await suggested();
    expect(await made.graph.reject('b', id)).toMatchObject({ state: 'rejected', changed: true });
    expect(await made.graph.reject('b', id)).toMatchObject({ state: 'rejected', changed: false });
    await made.graph.detect('b', ALL);
    expect((await made.graph.suggestions('b', LIST)).total).toBe(0);
    expect(await links(made, 'c')).toEqual(['b supersedes c wiki-links@1 live']);
    expect(await made.graph.accept('b', id)).toMatchObject({ changed: true });
  });

  test('whose acceptance was interrupted behind the link is accepted, and not rejected', async () => {
    const { made, id } = await suggested();
    const write = made.backend.write.bind(made.backend);
    made.backend.write = async (operation) => {
      if (operation.index === '.svc-suggestions-b') throw new Error('the process is dead');
      return write(operation);
    };
    await expect(made.graph.accept('b', id)).rejects.toThrow('dead');
    made.backend.write = write;
    expect(await links(made, 'a')).toContain('c mentions a titles@1 live');
    await expect(made.graph.reject('b', id)).rejects.toThrow('was accepted and is a link');
    expect(await made.graph.accept('b', id)).toMatchObject({ changed: true, edge_id: id });
  });

  test('is decided by one of two', async () => {
    const { made, id } = await suggested();
    const answers = await Promise.all([made.graph.accept('b', id), made.graph.accept('b', id)]);
    expect(answers.map(({ changed }) => changed).sort()).toEqual([false, true]);
  });

  test('is found by its ends, type and detector', async () => {
    const { made, id } = await suggested();
    const total = async (rest: Partial<ListRequest>): Promise<number> =>
      (await made.graph.suggestions('b', { ...LIST, ...rest })).total;
    expect(await total({ node: 'a' })).toBe(1);
    expect(await total({ node: 'b' })).toBe(0);
    expect(await total({ types: ['mentions'], detectors: ['titles@1'] })).toBe(1);
    expect(await total({ types: ['related'] })).toBe(0);
    await expect(made.graph.accept('b', `x${id}`)).rejects.toThrow('no suggestion [x');
    await expect(made.graph.suggestions('none', LIST)).rejects.toThrow('no such brain [none]');
  });

  test('goes with a node that is forgotten', async () => {
    const { made } = await suggested();
    await made.graph.forgetNodes('b', ['c']);
    expect((await made.graph.suggestions('b', LIST)).total).toBe(0);
  });

  test('goes with a brain that is dropped', async () => {
    const { made } = await suggested();
    await made.graph.dropBrain('b');
    expect([...made.backend.indexes.keys()].filter((name) => name !== NODES)).toEqual([]);
    expect((await made.graph.suggestions('b', LIST)).total).toBe(0);
  });
});

describe('a verification', () => {
  test('finds every quote that a detection took', async () => {
    const made = notes();
    await made.graph.detect('b', ALL);
    expect(await made.graph.verify('b', EVERYTHING)).toMatchObject({
      checked: 2,
      ok: 2,
      moved: 0,
      stale: 0,
      marked: 0,
      links: [],
    });
  });

  test('marks what is gone, and takes the mark away when it is back', async () => {
    const made = notes();
    await made.graph.detect('b', ALL);
    made.backend.put(NODES, 'a', { text: 'Once more, see [[Ferry Terminal]].' });
    made.backend.put(NODES, 'b', { text: 'nothing' });
    const first = await made.graph.verify('b', EVERYTHING);
    expect(first).toMatchObject({ checked: 2, ok: 0, moved: 1, stale: 1, marked: 1 });
    expect(first.links).toMatchObject([
      { reason: 'quote_missing', source: 'b', quote: 'supersedes [[c]]' },
    ]);
    const stale = (await made.ego('c')).links.map(({ evidence }) => evidence?.['stale_at']);
    expect(stale).toEqual([made.now]);
    expect(await made.graph.verify('b', EVERYTHING)).toMatchObject({ stale: 1, marked: 0 });
    made.backend.put(NODES, 'b', { text: 'It supersedes [[c]]' });
    expect(await made.graph.verify('b', EVERYTHING)).toMatchObject({ moved: 2, cleared: 1 });
    const cleared = (await made.ego('c')).links.map(({ evidence }) => evidence?.['stale_at']);
    expect(cleared).toEqual([undefined]);
  });

  test('names what is missing, and leaves out what needs no check', async () => {
    const made = notes();
    const quote = (source?: string, field?: string): JsonObject => ({
      evidence: { quote: 'Plan', ...(source ? { source } : {}), ...(field ? { field } : {}) },
    });
    await made.link('c', 'x1', quote());
    await made.link('x', 'x2', quote('nobody'));
    await made.link('x', 'x3', quote('a', 'body'));
    await made.link('x', 'x4');
    const ended = await made.link('x', 'x5', quote('nobody'));
    await made.graph.unlink('b', ended, undefined);
    const answer = await made.graph.verify('b', EVERYTHING);
    expect(answer).toMatchObject({ checked: 3, ok: 1, stale: 2, marked: 2 });
    expect(answer.links.map(({ reason }) => reason).sort()).toEqual([
      'field_missing',
      'source_missing',
    ]);
    expect(await made.graph.verify('b', { ...EVERYTHING, nodes: ['a'] })).toMatchObject({
      checked: 1,
    });
    expect(await made.graph.verify('b', { ...EVERYTHING, types: ['x'] })).toMatchObject({
      checked: 0,
    });
  });
});
