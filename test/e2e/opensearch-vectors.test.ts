// What clients for OpenSearch send for vectors (langchain's OpenSearchVectorSearch, LlamaIndex,
// Haystack, mem0), over real HTTP: scores are those that OpenSearch documents, computed here one by
// one, and mappings are shown as they were sent wherever they go.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bulk, startServer, type TestServer } from '../tools/server.ts';
import { clusteredVectors } from '../tools/vectors.ts';

const DIMS = 8;
const DOCS = 120;
const K = 4;
const PATIENCE_MS = 120_000;

const dataDir = mkdtempSync(join(tmpdir(), 'quarry-test-'));
const repositories = mkdtempSync(join(tmpdir(), 'quarry-test-'));
const start = (): Promise<TestServer> =>
  startServer({ dataDir, args: ['--snapshot.path', repositories] });
let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
  rmSync(repositories, { recursive: true, force: true });
});

async function ok(method: string, path: string, body?: unknown) {
  const reply = await server.call(method, path, body);
  expect(reply.status, reply.text.slice(0, 500)).toBeLessThan(300);
  return reply.json;
}

const fieldOf = async (index: string, field: string): Promise<unknown> =>
  (await ok('GET', `/${index}/_mapping`))[index].mappings.properties[field];

type Vector = readonly number[];
type Space = 'l2' | 'cosinesimil' | 'innerproduct';

/** langchain's _default_text_mapping. */
function langchainIndex(engine: string, space: Space) {
  return {
    settings: { index: { knn: true, 'knn.algo_param.ef_search': 512 } },
    mappings: {
      properties: {
        vector_field: {
          type: 'knn_vector',
          dimension: DIMS,
          method: {
            name: 'hnsw',
            space_type: space,
            engine,
            parameters: { ef_construction: 512, m: 16 },
          },
        },
      },
    },
  };
}

/** langchain's _default_approximate_search_query. */
const nearestQuery = (vector: Vector, more: object = {}) => ({
  size: K,
  min_score: 0,
  query: { knn: { vector_field: { vector, k: K, ...more } } },
});

const vectors: readonly Vector[] = clusteredVectors(DOCS, DIMS, { seed: 7 }).map((one) => [...one]);
const probe: Vector = [...(clusteredVectors(3, DIMS, { seed: 8 })[2] ?? [])];
const isOdd = (id: number): boolean => id % 2 === 1;

const dot = (a: Vector, b: Vector): number => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
const SCORES: Readonly<Record<Space, (a: Vector, b: Vector) => number>> = {
  l2: (a, b) => 1 / (1 + a.reduce((sum, x, i) => sum + (x - (b[i] ?? 0)) ** 2, 0)),
  cosinesimil: (a, b) => (1 + dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))) / 2,
  innerproduct: (a, b) => (dot(a, b) < 0 ? 1 / (1 - dot(a, b)) : 1 + dot(a, b)),
};

interface Scored {
  readonly id: string;
  readonly score: number;
}

/** All documents that pass, the best first. */
function naive(space: Space, passes: (id: number) => boolean = () => true): readonly Scored[] {
  return vectors
    .map((vector, id) => ({ id: String(id), score: SCORES[space](probe, vector) }))
    .filter(({ id }) => passes(Number(id)))
    .sort((a, b) => b.score - a.score);
}

async function found(index: string, body: object): Promise<readonly Scored[]> {
  const { hits } = await ok('POST', `/${index}/_search`, body);
  return hits.hits.map((hit: { _id: string; _score: number }) => ({
    id: hit._id,
    score: hit._score,
  }));
}

function expectScores(hits: readonly Scored[], expected: readonly Scored[]): void {
  expect(hits.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  for (const [i, { score }] of expected.entries()) expect(hits[i]?.score).toBeCloseTo(score, 5);
}

async function fill(index: string): Promise<void> {
  const lines = vectors.flatMap((vector, id) => [
    JSON.stringify({ index: { _index: index, _id: String(id) } }),
    JSON.stringify({
      vector_field: vector,
      text: `text ${id}`,
      metadata: { odd: isOdd(id), source: `s${id % 3}` },
    }),
  ]);
  await bulk(server, '/_bulk?refresh=true', lines);
}

const variants = (['nmslib', 'faiss', 'lucene'] as const).flatMap((engine) =>
  (['l2', 'cosinesimil', 'innerproduct'] as const).map((space) => [engine, space] as const),
);

describe.each(variants)('langchain with %s and %s', (engine, space) => {
  const index = `langchain-${engine}-${space}`;

  test('finds what a comparison with every document finds', { timeout: PATIENCE_MS }, async () => {
    const given = langchainIndex(engine, space);
    await ok('PUT', `/${index}`, given);
    await fill(index);
    expectScores(await found(index, nearestQuery(probe)), naive(space).slice(0, K));
    // Efficient and boolean filters.
    const filter = { term: { 'metadata.odd': true } };
    expectScores(
      await found(index, nearestQuery(probe, { filter })),
      naive(space, isOdd).slice(0, K),
    );
    const { query, ...page } = nearestQuery(probe);
    expectScores(
      await found(index, { ...page, query: { bool: { filter, must: [query] } } }),
      naive(space)
        .slice(0, K)
        .filter(({ id }) => isOdd(Number(id))),
    );
    // All documents above a score.
    const least = naive(space)[20]?.score ?? 0;
    const radial = { vector: probe, min_score: least - 1e-6 };
    expectScores(
      await found(index, { size: DOCS, query: { knn: { vector_field: radial } } }),
      naive(space).slice(0, 21),
    );
    expect(await fieldOf(index, 'vector_field')).toEqual(given.mappings.properties.vector_field);
    const { settings } = (await ok('GET', `/${index}/_settings`))[index];
    expect(settings.index).toMatchObject({
      knn: 'true',
      'knn.algo_param': { ef_search: '512' },
    });
  });
});

test('langchain’s hybrid search takes the vector query as a list', async () => {
  const index = 'langchain-lucene-l2';
  const hits = await found(index, {
    query: {
      hybrid: {
        queries: [
          { match: { text: { query: 'text 3' } } },
          { knn: { vector_field: { vector: probe, k: K } } },
        ],
      },
    },
    size: K,
    _source: { exclude: ['vector_field'] },
  });
  const ids = hits.map(({ id }) => id);
  expect(ids).toContain(naive('l2')[0]?.id);
  expect(ids).toHaveLength(K);
});

test.each<[string, object, string, object]>([
  [
    'mem0',
    { 'index.knn': true },
    'vector_field',
    { method: { engine: 'nmslib', name: 'hnsw', space_type: 'cosinesimil' } },
  ],
  [
    'llama-index',
    { index: { knn: true, 'knn.algo_param.ef_search': 100 } },
    'embedding',
    {
      method: {
        name: 'hnsw',
        space_type: 'l2',
        engine: 'nmslib',
        parameters: { ef_construction: 256, m: 48 },
      },
    },
  ],
  ['haystack', { 'index.knn': true }, 'embedding', { index: true }],
  [
    'on disk',
    { knn: true },
    'v',
    { space_type: 'innerproduct', data_type: 'float', mode: 'on_disk', compression_level: '32x' },
  ],
])('the index of %s is taken and shown', async (name, settings, field, more) => {
  const index = name.replace(' ', '-');
  const definition = { type: 'knn_vector', dimension: DIMS, ...more };
  await ok('PUT', `/${index}`, { settings, mappings: { properties: { [field]: definition } } });
  expect(await fieldOf(index, field)).toEqual(definition);
  await ok('PUT', `/${index}/_doc/1?refresh=true`, { [field]: probe });
  expect(await found(index, { query: { knn: { [field]: { vector: probe, k: 1 } } } })).toHaveLength(
    1,
  );
});

describe('the mapping', () => {
  const definition = {
    type: 'knn_vector',
    dimension: 2,
    space_type: 'innerproduct',
    meta: { model: 'm' },
  };
  const search = { query: { knn: { v: { vector: [3, 4], k: 1 } } } };

  test('is added later, again, and not changed', async () => {
    await ok('PUT', '/later', {});
    await ok('PUT', '/later/_mapping', { properties: { v: definition } });
    await ok('PUT', '/later/_mapping', { properties: { v: definition, n: { type: 'long' } } });
    expect(await fieldOf('later', 'v')).toEqual(definition);
    for (const [change, reason] of [
      [{ dimension: 3 }, '[dims] from [2] to [3]'],
      [{ space_type: 'l2' }, '[similarity] from [max_inner_product] to [l2_norm]'],
      [{ space_type: 'hamming' }, '[space_type] [hamming], which is not supported'],
    ] as const) {
      const changed = { properties: { v: { ...definition, ...change } } };
      const reply = await server.call('PUT', '/later/_mapping', changed);
      expect(reply.status).toBe(400);
      expect(reply.text).toContain(reason);
    }
    const tuned = { ...definition, mode: 'on_disk' };
    await ok('PUT', '/later/_mapping', { properties: { v: tuned } });
    expect(await fieldOf('later', 'v')).toEqual(tuned);
  });

  test('comes from templates of every kind, which are shown as they were sent', async () => {
    const properties = { v: definition };
    await ok('PUT', '/_component_template/part', { template: { mappings: { properties } } });
    await ok('PUT', '/_index_template/whole', {
      index_patterns: ['made-*'],
      composed_of: ['part'],
      template: { settings: { 'index.knn': true } },
    });
    await ok('PUT', '/_template/old', { index_patterns: ['old-*'], mappings: { properties } });
    for (const index of ['made-1', 'old-1']) {
      await ok('PUT', `/${index}/_doc/1?refresh=true`, { v: [3, 4] });
      expect(await fieldOf(index, 'v')).toEqual(definition);
      expect(await found(index, search)).toEqual([{ id: '1', score: 26 }]);
    }
    const shown = await ok('GET', '/_component_template/part');
    expect(shown.component_templates[0].component_template.template.mappings).toEqual({
      properties,
    });
    const refused = await server.call('PUT', '/_component_template/part', {
      template: { mappings: { properties: { v: { type: 'knn_vector', dimension: 'x' } } } },
    });
    expect(refused.status).toBe(400);
  });

  test('comes from dynamic templates', async () => {
    const rule = { v: { match: 'v', mapping: definition } };
    await ok('PUT', '/dynamic', { mappings: { dynamic_templates: [rule] } });
    await ok('PUT', '/dynamic/_doc/1?refresh=true', { v: [3, 4] });
    const { mappings } = (await ok('GET', '/dynamic/_mapping')).dynamic;
    expect(mappings).toEqual({ dynamic_templates: [rule], properties: { v: definition } });
    expect(await found('dynamic', search)).toEqual([{ id: '1', score: 26 }]);
  });

  test('is that of nested documents, too', async () => {
    const items = { type: 'nested', properties: { v: definition } };
    await ok('PUT', '/nested', { mappings: { properties: { items } } });
    await ok('PUT', '/nested/_doc/1?refresh=true', { items: [{ v: [1, 1] }, { v: [3, 4] }] });
    expect(await fieldOf('nested', 'items')).toEqual(items);
    const query = { knn: { 'items.v': { vector: [3, 4], k: 2 } } };
    const nested = { query: { nested: { path: 'items', score_mode: 'max', query } } };
    expect(await found('nested', nested)).toEqual([{ id: '1', score: 26 }]);
  });

  test('is in field capabilities, mappings of fields and copies by _reindex', async () => {
    const { fields } = await ok('GET', '/later/_field_caps?fields=v');
    expect(fields.v.knn_vector).toMatchObject({ type: 'knn_vector', meta: { model: ['m'] } });
    const { mappings } = (await ok('GET', '/later/_mapping/field/v')).later;
    expect(mappings.v.mapping.v).toMatchObject({ type: 'knn_vector', dimension: 2 });
    await ok('PUT', '/again', { mappings: { properties: { v: definition } } });
    await ok('POST', '/_reindex?refresh=true', {
      source: { index: 'made-1' },
      dest: { index: 'again' },
    });
    expect(await found('again', search)).toEqual([{ id: '1', score: 26 }]);
  });

  test('is restored from a snapshot', { timeout: PATIENCE_MS }, async () => {
    await ok('PUT', '/_snapshot/r', { type: 'fs', settings: { location: 'vectors' } });
    const body = { indices: 'made-1' };
    await ok('PUT', '/_snapshot/r/s?wait_for_completion=true', body);
    await ok('DELETE', '/made-1');
    await ok('POST', '/_snapshot/r/s/_restore?wait_for_completion=true', body);
    expect(await fieldOf('made-1', 'v')).toEqual(definition);
    expect(await found('made-1', search)).toEqual([{ id: '1', score: 26 }]);
  });

  test('survives a restart', { timeout: PATIENCE_MS }, async () => {
    const before = await ok('GET', '/_mapping');
    const settings = await ok('GET', '/langchain-faiss-l2/_settings');
    await server.stop();
    server = await start();
    expect(await ok('GET', '/_mapping')).toEqual(before);
    expect(await ok('GET', '/langchain-faiss-l2/_settings')).toEqual(settings);
    expectScores(await found('langchain-faiss-l2', nearestQuery(probe)), naive('l2').slice(0, K));
  });
});
