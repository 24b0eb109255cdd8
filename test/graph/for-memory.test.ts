// Functions of the graph for memories: many links at once, and the complete removal of a forgotten
// node.
import { describe, expect, test } from 'vitest';
import { world } from './world.ts';

describe('asserting many links', () => {
  test('gives the ids of asserting each, and creates each once', async () => {
    const made = world();
    const one = await made.link('a', 'b', { valid_at: 1000 });
    const links = [
      { src: 'a', dst: 'b', type: 'mentions', validAt: 1000, detector: 'session@1' },
      { src: 'b', dst: 'c', type: 'follows', validAt: 1000, detector: 'session@1' },
      { src: 'b', dst: 'c', type: 'follows', validAt: 1000 },
    ];
    const answers = await made.graph.assertLinks('b', links);
    expect(answers.map(({ created }) => created)).toEqual([false, true, false]);
    expect(answers[0]?.edgeId).toBe(one);
    expect(answers[1]?.edgeId).toBe(answers[2]?.edgeId);
    const { links: shown } = await made.ego('b');
    expect(shown.map(({ dst, detector }) => [dst, detector]).sort()).toEqual([
      ['b', null],
      ['c', 'session@1'],
    ]);
  });

  test('refuses a link of a node with itself before anything is written', async () => {
    const made = world();
    const bad = made.graph.assertLinks('b', [
      { src: 'a', dst: 'b', type: 't' },
      { src: 'a', dst: 'a', type: 't' },
    ]);
    await expect(bad).rejects.toThrow('must join two different nodes');
    expect(made.graph.hasEdges('b')).toBe(false);
  });

  test('reads the clock once', async () => {
    const made = world();
    await made.graph.assertLinks('b', [{ src: 'a', dst: 'b', type: 't' }]);
    const [link] = (await made.ego('a')).links;
    expect(link).toMatchObject({ valid_at: made.now, created_at: made.now, confidence: 1 });
  });
});

describe('forgetting', () => {
  test('a node takes its links of both directions and all times', async () => {
    const made = world();
    await made.link('a', 'b');
    const retired = await made.link('c', 'a');
    await made.graph.unlink('b', retired, undefined);
    await made.link('c', 'd');
    expect(await made.graph.forgetNodes('b', ['a'])).toEqual({ links: 2 });
    const everything = { includeExpired: true };
    expect((await made.ego('a', everything)).links).toEqual([]);
    expect((await made.ego('c', everything)).links.map(({ dst }) => dst)).toEqual(['d']);
    expect(await made.graph.forgetNodes('b', ['a'])).toEqual({ links: 0 });
  });

  test('a brain takes links and settings', async () => {
    const made = world();
    await made.link('a', 'b');
    await made.graph.dropBrain('b');
    expect(made.graph.hasEdges('b')).toBe(false);
    await expect(made.ego('a')).rejects.toMatchObject({ status: 404 });
    await made.graph.dropBrain('b');
  });

  test('of what there is not does nothing', async () => {
    const made = world();
    expect(await made.graph.forgetNodes('b', ['a'])).toEqual({ links: 0 });
  });
});
