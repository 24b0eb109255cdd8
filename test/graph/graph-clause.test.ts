// The `graph` clause is replaced by ids wherever a clause is allowed, and nowhere else.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { type World, world } from './world.ts';

/** a -> b -> c -> d, and e -> a, which has ended. */
async function chain(): Promise<World> {
  const made = world();
  await made.link('a', 'b');
  await made.link('b', 'c', { type: 'cites' });
  await made.link('c', 'd');
  const ended = await made.link('e', 'a', { valid_at: 1000 });
  await made.graph.unlink('b', ended, 2000);
  return made;
}

async function resolve(made: World, body: JsonObject, index = 'notes'): Promise<JsonObject> {
  return (await made.graph.resolveClauses({ index, body })).body;
}

async function idsFor(made: World, clause: JsonObject): Promise<string[]> {
  const body = await resolve(made, { query: { graph: { brain: 'b', ...clause } } });
  return [...(body as { query: { ids: { values: string[] } } }).query.ids.values].sort();
}

describe('the graph clause stands for', () => {
  test('the node and what is within its hops', async () => {
    const made = await chain();
    expect(await idsFor(made, { node: 'a' })).toEqual(['a', 'b']);
    expect(await idsFor(made, { node: 'a', hops: 2 })).toEqual(['a', 'b', 'c']);
    expect(await idsFor(made, { seeds: ['a', 'd'] })).toEqual(['a', 'b', 'c', 'd']);
    expect(await idsFor(made, { node: 'nobody' })).toEqual(['nobody']);
  });

  test('links of types, of a direction, and of a moment', async () => {
    const made = await chain();
    expect(await idsFor(made, { node: 'b', types: ['cites'] })).toEqual(['b', 'c']);
    expect(await idsFor(made, { node: 'b', types: [] })).toEqual(['a', 'b', 'c']);
    expect(await idsFor(made, { node: 'b', direction: 'in' })).toEqual(['a', 'b']);
    expect(await idsFor(made, { node: 'a', as_of: '1970-01-01T00:00:01.5Z' })).toEqual(['a', 'e']);
    expect(await idsFor(made, { node: 'a', as_of: 1500, known_at: 1500 })).toEqual(['a']);
  });
});

describe('the graph clause is replaced', () => {
  const graph = { graph: { brain: 'b', node: 'a' } };
  const ids = { ids: { values: ['a', 'b'] } };

  test.each<[string, JsonObject, JsonObject]>([
    ['as the query', { query: graph }, { query: ids }],
    [
      'in bool',
      { query: { bool: { must: [{ match_all: {} }, graph], filter: graph } } },
      { query: { bool: { must: [{ match_all: {} }, ids], filter: ids } } },
    ],
    [
      'as the filter of neighbours',
      { knn: { field: 'v', query_vector: [1, 2], filter: graph } },
      { knn: { field: 'v', query_vector: [1, 2], filter: ids } },
    ],
    [
      'in every part of a hybrid query',
      {
        query: {
          hybrid: { queries: [{ query: graph }, { query: { semantic: { filter: graph } } }] },
        },
      },
      {
        query: { hybrid: { queries: [{ query: ids }, { query: { semantic: { filter: ids } } }] } },
      },
    ],
    ['after the search', { post_filter: graph }, { post_filter: ids }],
    [
      'in aggregations',
      { aggs: { near: { filter: graph }, some: { filters: { filters: { x: graph } } } } },
      { aggs: { near: { filter: ids }, some: { filters: { filters: { x: ids } } } } },
    ],
    [
      'as what significant terms are compared with',
      { aggs: { odd: { significant_terms: { field: 'x', background_filter: graph } } } },
      { aggs: { odd: { significant_terms: { field: 'x', background_filter: ids } } } },
    ],
  ])('%s', async (_where, body, expected) => {
    expect(await resolve(await chain(), body)).toEqual(expected);
  });

  test('one after the other, however many there are', async () => {
    const made = await chain();
    const { backend } = made;
    const columns = backend.columns.bind(backend);
    let running = 0;
    let most = 0;
    backend.columns = async (request) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return columns(request);
    };
    const should = Array.from({ length: 300 }, () => graph);
    const body = { query: { bool: { should } } };
    expect(await resolve(made, body)).toEqual({
      query: { bool: { should: should.map(() => ids) } },
    });
    expect(most).toBe(1);
  });

  test('with its boost and name', async () => {
    const body = { query: { graph: { brain: 'b', node: 'd', boost: 2, _name: 'near' } } };
    expect(await resolve(await chain(), body)).toEqual({
      query: { ids: { values: ['d', 'c'], boost: 2, _name: 'near' } },
    });
  });

  test('by the links of the namespace that is searched', async () => {
    const made = await chain();
    made.backend.put('.svc-memory-b', 'a', {});
    const body = { query: { graph: { node: 'a' } } };
    expect(await resolve(made, body, '.svc-memory-b')).toEqual({ query: ids });
  });

  test('but a field of that name is none', async () => {
    const made = await chain();
    for (const query of [
      { match: { graph: { query: 'x' } } },
      { term: { graph: 'x' } },
      { range: { graph: { gte: 1 } } },
      { bool: { filter: [{ term: { graph: { value: 'x' } } }] } },
    ]) {
      const request = { index: 'notes', body: { query, sort: [{ graph: { order: 'desc' } }] } };
      expect(await made.graph.resolveClauses(request)).toBe(request);
    }
  });
});

describe('a graph clause is refused', () => {
  test.each<[string, JsonObject, string]>([
    ['without a start', {}, 'needs [node]'],
    ['with two starts', { node: 'a', seeds: ['b'] }, 'needs [node]'],
    ['with no seeds', { seeds: [] }, 'at least one id in [seeds]'],
    ['with seeds that are no list', { seeds: 'a' }, '[seeds] must be a list of strings, got ["a"]'],
    [
      'with more seeds than a clause may name',
      { seeds: Array.from({ length: 65_537 }, (_, i) => `s${i}`) },
      '[graph] [seeds] has 65537 ids, at most 65536 are allowed',
    ],
    ['with a seed that is a number', { seeds: [1] }, '[seeds] must be a list of strings'],
    ['with an empty seed', { seeds: [''] }, '[seeds] must not be empty'],
    ['with a node that is a number', { node: 1 }, '[node] must be a string, got [1]'],
    ['with NUL in the node', { node: 'a\0b' }, 'must not contain the character NUL'],
    ['with a key of other clauses', { node: 'a', field: 'x' }, 'does not know [field]'],
    ['with hops of 0', { node: 'a', hops: 0 }, '[hops] must be 1 or 2, got [0]'],
    ['with hops of 3', { node: 'a', hops: 3 }, '[hops] must be 1 or 2, got [3]'],
    ['with hops of 1.5', { node: 'a', hops: 1.5 }, '[hops] must be 1 or 2'],
    ['with hops as text', { node: 'a', hops: '1' }, '[hops] must be 1 or 2, got ["1"]'],
    ['with types that are no list', { node: 'a', types: 'x' }, '[types] must be a list of strings'],
    [
      'with a direction of its own',
      { node: 'a', direction: 'up' },
      'one of [out, in, both], got ["up"]',
    ],
    [
      'with a time that is none',
      { node: 'a', as_of: 'soon' },
      '[as_of] must be epoch milliseconds',
    ],
    ['with a brain that is none', { node: 'a', brain: 'No' }, 'brain name [No] must start with'],
    ['with an unknown brain', { node: 'a', brain: 'none' }, 'no such brain [none]'],
    ['with a brain that is a number', { node: 'a', brain: 7 }, '[brain] must be a string, got [7]'],
  ])('%s', async (_why, clause, reason) => {
    const made = await chain();
    const body = { query: { graph: { brain: 'b', ...clause } } };
    await expect(resolve(made, body)).rejects.toThrow(reason);
  });

  test('without a brain in a search of other indexes', async () => {
    const made = await chain();
    made.backend.put('notes', 'a', {});
    const body = { query: { graph: { node: 'a' } } };
    await expect(resolve(made, body)).rejects.toThrow('needs [brain]');
  });

  test('when it reaches more than a clause may name', async () => {
    const made = world();
    const links = Array.from({ length: 65_536 }, (_, i) => ({
      src: 'hub',
      dst: `n${i}`,
      type: 't',
    }));
    await made.graph.assertLinks('b', links);
    await expect(idsFor(made, { node: 'hub' })).rejects.toThrow('[graph] reaches 65537 documents');
  });
});
