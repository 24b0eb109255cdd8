// Ego networks: their nodes and links, their limits, and the errors for missing brains and nodes.
import { describe, expect, test } from 'vitest';
import { world } from './world.ts';

describe('ego', () => {
  test('of an unknown brain is 404', async () => {
    await expect(world().ego('a')).rejects.toMatchObject({
      status: 404,
      type: 'resource_not_found_exception',
    });
  });

  test('of an unknown brain has no links, where links alone are asked for', async () => {
    expect(await world().ego('a', { includeNodes: false })).toMatchObject({
      exists: false,
      links: [],
      reachable: [],
    });
  });

  test('of an unknown node in a known brain says that it does not exist', async () => {
    const made = world();
    await made.link('a', 'b');
    expect(await made.ego('nobody')).toMatchObject({ exists: false, links: [], reachable: [] });
  });

  test('of a brain with nodes and no links makes no index', async () => {
    const made = world();
    made.backend.put('.svc-memory-b', 'a', { text: 'Alone' });
    expect(await made.ego('a')).toMatchObject({
      exists: true,
      nodes: { a: { title: null, preview: 'Alone', exists: true, in: 0, out: 0 } },
      not_shown: { links: 0, exact: true },
    });
    expect([...made.backend.indexes.keys()]).toEqual(['.svc-memory-b']);
  });

  test('sees a link, its ends and their degrees from both sides', async () => {
    const made = world();
    made.backend.put('.svc-memory-b', 'a', { title: 'Alpha', text: 'The first' });
    await made.link('a', 'b');
    await made.link('c', 'a');
    const answer = await made.ego('a');
    expect(answer.links.map(({ src, dst, direction, hop }) => [src, dst, direction, hop])).toEqual(
      expect.arrayContaining([
        ['a', 'b', 'out', 1],
        ['c', 'a', 'in', 1],
      ]),
    );
    expect(answer.nodes).toEqual({
      a: { title: 'Alpha', preview: 'The first', exists: true, in: 1, out: 1 },
      b: { title: null, preview: null, exists: false, in: 1, out: 0 },
      c: { title: null, preview: null, exists: false, in: 0, out: 1 },
    });
    expect(answer.reachable.map(({ id }) => id).sort()).toEqual(['b', 'c']);
  });

  test('names the neighbour by which a second hop came', async () => {
    const made = world();
    await made.link('a', 'b');
    await made.link('b', 'c');
    expect((await made.ego('a', { hops: 2 })).reachable).toEqual([
      { id: 'b', hop: 1, via: 'a' },
      { id: 'c', hop: 2, via: 'b' },
    ]);
  });

  test('clamps hops and limit, and tells', async () => {
    const made = world();
    await made.link('a', 'b');
    await made.link('b', 'c');
    expect(await made.ego('a', { hops: 9, limit: 0 })).toMatchObject({
      hops: 2,
      hops_asked: 9,
      links: [{ dst: 'b' }],
      not_shown: { links: 1, by_hop: { 2: 1 }, reasons: { limit: 1 } },
    });
    expect(await made.ego('a', { limit: 5000 })).not.toHaveProperty('hops_asked');
  });

  test('looks at every link of a hub, and counts what it does not show', async () => {
    const made = world();
    await made.link('hub', 'b', { confidence: 0 });
    for (let i = 0; i < 10_050; i++) {
      made.backend.put('.svc-memory-b-edges', `e${i}`, {
        src: 'hub',
        dst: `leaf${i}`,
        type: 't',
        valid_at: 0,
        strength: i / 20_000,
        confidence: i / 20_000,
      });
    }
    const answer = await made.ego('hub', { hops: 2, limit: 3 });
    expect(answer.links.map(({ dst }) => dst)).toEqual(['leaf10049', 'leaf10048', 'leaf10047']);
    expect(answer.not_shown).toMatchObject({
      links: 10_048,
      by_type: { t: 10_047, mentions: 1 },
      reasons: { limit: 10_048, fan_cap: 0, expired: 0, not_yet: 0 },
      exact: false,
    });
    expect(answer.nodes['hub']).toMatchObject({ out: 10_051 });
  });

  test('counts the links of hubs again after each change', async () => {
    const made = world();
    const edge = await made.link('hub', 'far', { confidence: 0.1 });
    for (let i = 0; i < 300; i++) await made.link(`n${i}`, 'hub');
    const first = await made.ego('n1', { hops: 2, limit: 1000 });
    expect(first.nodes['hub']).toMatchObject({ in: 300, out: 1 });
    await made.graph.unlink('b', edge, undefined);
    for (let i = 0; i < 5; i++) await made.link('hub', `m${i}`);
    expect((await made.ego('n1')).nodes['hub']).toMatchObject({ in: 300, out: 5 });
  });

  test('shows of a second hop around hubs the strongest links, and counts the rest', async () => {
    const made = world();
    await made.link('a', 'hub');
    const put = (i: number): void =>
      made.backend.put('.svc-memory-b-edges', `e${i}`, {
        src: 'hub',
        dst: `leaf${i}`,
        type: 't',
        valid_at: i % 10 === 0 ? 1 : 2,
        ...(i % 10 === 0 ? { invalid_at: 3, expired_at: 3 } : {}),
        strength: i / 10_000,
        confidence: i / 10_000,
      });
    for (let i = 0; i < 900; i++) put(i);
    const some = await made.ego('a', { hops: 2, limit: 3 });
    expect(some.links.map(({ dst }) => dst)).toEqual(['hub', 'leaf899', 'leaf898']);
    expect(some.not_shown).toMatchObject({
      by_hop: { 2: 898 },
      by_type: { t: 898 },
      reasons: { limit: 808, fan_cap: 0, expired: 90, not_yet: 0 },
      exact: true,
    });
    for (let i = 900; i < 2000; i++) put(i);
    const many = await made.ego('a', { hops: 2, limit: 3 });
    expect(many.links.map(({ dst }) => dst)).toEqual(['hub', 'leaf1999', 'leaf1998']);
    expect(many.not_shown).toMatchObject({
      links: 1998,
      reasons: { limit: 1798, fan_cap: 0, expired: 200, not_yet: 0 },
      exact: true,
    });
  });

  test('walks both hops and counts degrees in one request', async () => {
    const made = world();
    await made.link('a', 'b');
    await made.link('b', 'c');
    await made.ego('a', { hops: 2 });
    expect(made.backend.walks).toBe(1);
  });

  test('reads what nodes are called once, and again when their index was written to', async () => {
    const made = world();
    made.backend.put('.svc-memory-b', 'a', { title: 'Alpha' });
    await made.link('a', 'b');
    expect((await made.ego('a')).nodes['a']?.title).toBe('Alpha');
    made.backend.searches = 0;
    expect((await made.ego('b')).nodes['a']?.title).toBe('Alpha');
    expect((await made.ego('a', { includeNodes: false })).exists).toBe(true);
    expect(made.backend.searches).toBe(0);
    made.backend.put('.svc-memory-b', 'a', { title: 'Omega' });
    made.backend.put('.svc-memory-b', 'b', { title: 'Beta' });
    const { nodes } = await made.ego('a');
    expect([nodes['a']?.title, nodes['b']?.title]).toEqual(['Omega', 'Beta']);
  });

  test('takes a node of any name', async () => {
    const made = world();
    await made.link('__proto__', 'ünï:,🙂');
    const answer = await made.ego('__proto__');
    expect(Object.keys(answer.nodes)).toEqual(['__proto__', 'ünï:,🙂']);
  });

  test('takes nodes from the index that the brain names', async () => {
    const made = world();
    expect(await made.graph.put('b', { nodes_index: 'notes' })).toMatchObject({
      nodes_index_exists: false,
    });
    made.backend.put('notes', 'a', { name: 'From notes' });
    expect((await made.ego('a')).nodes['a']?.title).toBe('From notes');
  });

  test('reads the settings of a brain once, and again when they changed', async () => {
    const made = world();
    await made.link('a', 'b');
    made.backend.put('notes', 'a', { name: 'From notes' });
    made.backend.put('papers', 'a', { name: 'From papers' });
    const titleOfA = async (): Promise<unknown> => (await made.ego('a')).nodes['a']?.title;
    await made.graph.put('b', { nodes_index: 'notes' });
    expect(await titleOfA()).toBe('From notes');
    made.backend.gets = 0;
    expect(await titleOfA()).toBe('From notes');
    expect(made.backend.gets).toBe(0);
    await made.graph.put('b', { nodes_index: 'papers' });
    expect(await titleOfA()).toBe('From papers');
    made.backend.indexes.delete('.svc-brains');
    expect(await titleOfA()).toBe(null);
    await made.graph.put('b', { nodes_index: 'notes' });
    expect(await titleOfA()).toBe('From notes');
  });
});
