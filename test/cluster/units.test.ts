import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { treatmentOf } from '../../src/api/cluster-mode.ts';
import type { ApiDeps } from '../../src/api/kit/routes.ts';
import { allRoutes } from '../../src/api/route-table.ts';
import type { Json, JsonObject } from '../../src/backend/index.ts';
import { fieldAt } from '../../src/cluster/cluster-mappings.ts';
import { Deadlines } from '../../src/cluster/deadlines.ts';
import { readEngine } from '../../src/cluster/engine.ts';
import { legBodies } from '../../src/cluster/fused-search.ts';
import { IndexNames } from '../../src/cluster/index-names.ts';
import { itemsOf, membersOf } from '../../src/cluster/json-slices.ts';
import { readClusterOptions } from '../../src/cluster/options.ts';
import { ownSettings, withoutOwnSettings } from '../../src/cluster/own-settings.ts';
import { Refreshes } from '../../src/cluster/refreshes.ts';
import { needsRewrite, QueryRewriter, type RewriteContext } from '../../src/cluster/rewrite.ts';
import { offsetsNamed } from '../../src/cluster/search.ts';
import { loadConfig } from '../../src/config/load.ts';

const ELASTIC = {
  kind: 'elasticsearch',
  version: '8.19.0',
  clusterName: '',
  clusterUuid: '',
} as const;
const OPEN = { ...ELASTIC, kind: 'opensearch', version: '2.19.0' } as const;

describe('slices of JSON', () => {
  test('are the members and items as they are spelled', () => {
    expect(membersOf(' { "a\\"b" : 1.0 , "c":{"d":"}"}, "e":[] } ')).toEqual(
      new Map([
        ['a"b', '1.0'],
        ['c', '{"d":"}"}'],
        ['e', '[]'],
      ]),
    );
    expect(itemsOf('[1, "]", [2,3] ,{}]')).toEqual(['1', '"]"', '[2,3]', '{}']);
    expect([membersOf('{}').size, itemsOf('[ ]').length]).toEqual([0, 0]);
  });

  test('of any value parse to its parts', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (object, isSpaced) => {
        const text = JSON.stringify(object, null, isSpaced ? 2 : 0);
        const read = [...membersOf(text)].map(([name, value]) => [name, JSON.parse(value)]);
        expect(Object.fromEntries(read)).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('settings of the service', () => {
  const engine = (answer: JsonObject, plugins?: Json): ReturnType<typeof readEngine> =>
    readEngine({ cluster_name: 'c', ...answer }, plugins);
  const nine = engine({ version: { number: '9.2.0' } });
  const open = { version: { number: '3.3.2', distribution: 'opensearch' } };
  const withPlugin = engine(open, [{ component: 'opensearch-knn' }]);

  test('keep documents and scores as on a single node, by the engine', () => {
    expect(ownSettings(engine({ version: { number: '8.19.0' } }))).toEqual({});
    expect(ownSettings(nine)).toEqual({ 'mapping.exclude_source_vectors': false });
    expect(ownSettings(withPlugin)).toEqual({
      knn: true,
      'knn.derived_source.enabled': false,
      'similarity.default.type': 'LegacyBM25',
    });
    // Credentials that may not see the plugins: the distribution has it.
    expect(ownSettings(engine(open))).toEqual(ownSettings(withPlugin));
    expect(ownSettings(engine(open, []))).toEqual({ 'similarity.default.type': 'LegacyBM25' });
    const two = { version: { number: '2.19.0', distribution: 'opensearch' } };
    expect(ownSettings(engine(two))).toEqual({ knn: true });
  });

  test('are not shown, those of others are', () => {
    const own = {
      number_of_shards: '1',
      knn: 'true',
      'knn.derived_source': { enabled: 'false' },
      similarity: { default: { type: 'LegacyBM25' } },
      mapping: { exclude_source_vectors: 'false', total_fields: { limit: '5' } },
    };
    expect(withoutOwnSettings(own)).toEqual({
      number_of_shards: '1',
      mapping: { total_fields: { limit: '5' } },
    });
    const others = { similarity: { default: { type: 'boolean' } }, mapping: { depth: '3' } };
    expect(withoutOwnSettings(others)).toEqual(others);
  });
});

describe('the engine', () => {
  const answer = (version: JsonObject): JsonObject => ({ version });

  test('is told by GET /, and refused by name where it is too old', () => {
    expect(readEngine(answer({ number: '8.12.0' })).kind).toBe('elasticsearch');
    expect(readEngine(answer({ number: '9.2.0' })).kind).toBe('elasticsearch');
    expect(readEngine(answer({ number: '2.19.1', distribution: 'opensearch' })).kind).toBe(
      'opensearch',
    );
    expect(() => readEngine(answer({ number: '8.11.4' }))).toThrow(
      /Elasticsearch \[8\.11\.4\].*8\.12/,
    );
    expect(() => readEngine(answer({ number: '2.18.0', distribution: 'opensearch' }))).toThrow(
      /OpenSearch.*2\.19/,
    );
    expect(() => readEngine({})).toThrow(/neither/);
  });
});

describe('queries', () => {
  const context = (engine: RewriteContext['engine']): RewriteContext => ({
    aliasFilters: [],
    engine,
    names: new IndexNames(''),
    made: [
      {
        path: 't',
        vector: { field: 't_vector', dims: 2, embedder: 'svc-lex-1' },
        words: { field: 't_words', analyzer: 'memory' },
      },
      {
        path: 'u',
        vector: { field: 'u_vector', dims: 2, embedder: 'svc-lex-2' },
        words: undefined,
      },
    ],
    analysis: {
      words: (_analyzer: string, text: string) => `<${text}>`,
      terms: () => ['w'],
      queryVector: (embedder: string) => Float32Array.of(embedder === 'svc-lex-2' ? 2 : 1, 0),
    } as unknown as RewriteContext['analysis'],
    mapped: (path) =>
      fieldAt(
        {
          properties: {
            v: { type: 'dense_vector' },
            near: { type: 'dense_vector', similarity: 'l2_norm' },
            n: { type: 'nested', properties: { v: { type: 'dense_vector' } } },
          },
        },
        path,
      ),
    weights: async () => ({ w: 1 }),
    groups: async () =>
      new Map([
        ['a', 2],
        ['b', 5],
      ]),
    waiter: undefined,
  });
  const rewritten = (
    query: JsonObject,
    engine: RewriteContext['engine'] = ELASTIC,
  ): Promise<unknown> => new QueryRewriter(context(engine)).query(query);

  test('by meaning become vector clauses of the engine that answers', async () => {
    const query = { semantic: { field: 't', query: 'boats', k: 3, filter: { match: { t: 'x' } } } };
    expect(await rewritten(query)).toEqual({
      knn: {
        field: 't_vector',
        query_vector: [1, 0],
        k: 3,
        num_candidates: 5,
        filter: { match: { t_words: { query: '<x>' } } },
      },
    });
    expect(await rewritten(query, { ...ELASTIC, version: '8.12.0' })).toMatchObject({
      knn: { num_candidates: 3, query_vector: [1, 0] },
    });
    expect(await rewritten(query, OPEN)).toEqual({
      knn: { t_vector: { vector: [1, 0], k: 3, filter: { match: { t_words: { query: '<x>' } } } } },
    });
  });

  test('by meaning have a vector of the recipe that the field names', async () => {
    expect(await rewritten({ semantic: { field: 'u', query: 'boats' } })).toMatchObject({
      knn: { field: 'u_vector', query_vector: [2, 0] },
    });
  });

  test('for words of our analyzers ask for the words that documents hold', async () => {
    const query = { bool: { must: [{ match: { t: 'a b' } }], filter: { match: { other: 'c' } } } };
    expect(await rewritten(query)).toEqual({
      bool: {
        must: [{ match: { t_words: { query: '<a b>' } } }],
        filter: { match: { other: 'c' } },
      },
    });
    expect(await rewritten({ term: { match: 'x' } })).toEqual({ term: { match: 'x' } });
  });

  test('for the nearest through a filtered alias look at what the alias has', async () => {
    const aliasFilters = [{ term: { mine: true } }];
    const through = new QueryRewriter({ ...context(OPEN), aliasFilters });
    const knn = { field: 'v', query_vector: [1], k: 2 };
    const mine = { bool: { should: aliasFilters, minimum_should_match: 1 } };
    expect(await through.knnClause(knn)).toEqual({
      knn: { v: { vector: [1], k: 2, filter: mine } },
    });
    const own = { term: { a: 1 } };
    expect(await through.knnClause({ ...knn, filter: own })).toEqual({
      knn: { v: { vector: [1], k: 2, filter: { bool: { filter: [own, mine] } } } },
    });
  });

  test('below the name of a field stay so in OpenSearch, and are clauses of Elasticsearch', async () => {
    const options = { vector: [1], k: 2, method_parameters: { ef_search: 50 }, boost: 2 };
    const filter = { match: { t: 'x' } };
    const wanted = { match: { t_words: { query: '<x>' } } };
    const query = { bool: { must: [{ knn: { v: { ...options, filter } } }] } };
    expect(await rewritten(query, OPEN)).toEqual({
      bool: { must: [{ knn: { v: { ...options, filter: wanted } } }] },
    });
    const own = { field: 'v', query_vector: [1], k: 2, num_candidates: 50, boost: 2 };
    expect(await rewritten(query)).toEqual({
      bool: { must: [{ knn: { ...own, filter: wanted } }] },
    });
    expect(await rewritten({ knn: { v: { vector: [1], min_score: 0.5 } } })).toEqual({
      function_score: {
        query: { knn: { field: 'v', query_vector: [1], k: 10_000, num_candidates: 10_000 } },
        min_score: 0.5,
      },
    });
    const aliasFilters = [{ term: { mine: true } }];
    const through = new QueryRewriter({ ...context(OPEN), aliasFilters });
    expect(await through.query({ knn: { v: { vector: [1], min_score: 0.5 } } })).toEqual({
      knn: {
        v: {
          vector: [1],
          min_score: 0.5,
          filter: { bool: { should: aliasFilters, minimum_should_match: 1 } },
        },
      },
    });
  });

  test('for ranges with both ends by other names become such as all versions have', async () => {
    const range = (given: JsonObject): Promise<unknown> => rewritten({ range: { at: given } });
    expect(await range({ from: 1, to: 5, include_upper: false, boost: 2 })).toEqual({
      range: { at: { gte: 1, lt: 5, boost: 2 } },
    });
    expect(await range({ from: null, to: 5, include_lower: false })).toEqual({
      range: { at: { lte: 5 } },
    });
    expect(await range({ from: 1, include_lower: false })).toEqual({ range: { at: { gt: 1 } } });
    expect(await range({ gte: 1 })).toEqual({ range: { at: { gte: 1 } } });
    expect(needsRewrite({ query: { range: { at: { to: 5 } } } }, [], new IndexNames(''))).toBe(
      true,
    );
  });

  test('for the nearest leave out in OpenSearch what is less similar, by the score', async () => {
    const knn = { query_vector: [1], k: 2, similarity: 0.5 };
    const nearest = (clause: JsonObject): Promise<unknown> => rewritten({ knn: clause }, OPEN);
    expect(await nearest({ ...knn, field: 'v' })).toEqual({
      function_score: { query: { knn: { v: { vector: [1], k: 2 } } }, min_score: 0.75 },
    });
    expect(await nearest({ ...knn, field: 'near', boost: 2, _name: 'n' })).toEqual({
      function_score: {
        query: { knn: { near: { vector: [1], k: 2, boost: 2, _name: 'n' } } },
        min_score: 1.6,
      },
    });
  });

  test('for the nearest of a field that no index maps find nothing in OpenSearch', async () => {
    const knn = { field: 'nobody', query_vector: [1], _name: 'n' };
    expect(await rewritten({ knn }, OPEN)).toEqual({ match_none: { _name: 'n' } });
  });

  test('of the top level for vectors of nested objects find these in OpenSearch', async () => {
    const rewriter = new QueryRewriter(context(OPEN));
    const knn = { field: 'n.v', query_vector: [1], k: 2 };
    const vector = { vector: [1], k: 2 };
    expect(await rewriter.topNearest(knn)).toEqual({
      nested: { path: 'n', query: { knn: { 'n.v': vector } }, score_mode: 'max' },
    });
    expect(await rewriter.topNearest({ ...knn, inner_hits: { size: 1 } })).toEqual({
      nested: {
        path: 'n',
        query: { knn: { 'n.v': { ...vector, expand_nested_docs: true } } },
        score_mode: 'max',
        inner_hits: { size: 1 },
      },
    });
    expect(await rewriter.topNearest({ ...knn, field: 'v' })).toEqual({ knn: { v: vector } });
  });

  test('with highlights name the longest text as OpenSearch does', () => {
    const highlight_query = { match: { max_analyzed_offset: 'x' } };
    const longest = { max_analyzed_offset: 9 };
    const renamed = { max_analyzer_offset: 9 };
    expect(offsetsNamed({ ...longest, highlight_query, fields: { t: longest, u: {} } })).toEqual({
      ...renamed,
      highlight_query,
      fields: { t: renamed, u: {} },
    });
    expect(offsetsNamed({ fields: [{ max_analyzed_offset: {} }, { t: longest }] })).toEqual({
      fields: [{ max_analyzed_offset: {} }, { t: renamed }],
    });
  });

  test('for scores of groups name the groups', async () => {
    expect(
      await rewritten({ group_score: { field: 'g', queries: [{ match_all: {} }], _name: 'n' } }),
    ).toEqual({
      bool: {
        should: [
          { constant_score: { filter: { term: { g: 'b' } }, boost: 5 } },
          { constant_score: { filter: { term: { g: 'a' } }, boost: 2 } },
        ],
        minimum_should_match: 1,
        _name: 'n',
      },
    });
  });

  test('that fuse lists are taken apart in the order of the lists', () => {
    const retriever = {
      rrf: {
        filter: { term: { a: 1 } },
        retrievers: [
          { standard: { query: { match: { t: 'x' } } } },
          {
            linear: {
              retrievers: [{ retriever: { knn: { field: 'v', query_vector: [1] } }, weight: 2 }],
            },
          },
        ],
      },
    };
    expect(legBodies({ retriever })).toEqual([
      { query: { bool: { must: [{ match: { t: 'x' } }], filter: [{ term: { a: 1 } }] } } },
      { knn: { field: 'v', query_vector: [1], filter: [{ term: { a: 1 } }] } },
    ]);
  });

  test('have the nearest of a field in the form of OpenSearch, too', () => {
    const near = { knn: { v: { vector: [1], k: 2 } } };
    const query = { hybrid: { queries: [near], filter: { term: { a: 1 } } } };
    expect(legBodies({ query })).toEqual([
      { knn: { field: 'v', query_vector: [1], k: 2, filter: [{ term: { a: 1 } }] } },
    ]);
  });
});

describe('names', () => {
  test('have the prefix in the cluster only', () => {
    const names = new IndexNames('q-');
    expect([names.inCluster('a'), names.inCluster('.a')]).toEqual(['q-a', '.q-a']);
    expect([names.shown('q-a'), names.shown('.q-a'), names.shown('other')]).toEqual([
      'a',
      '.a',
      undefined,
    ]);
    expect(names.path(['a b', '.c'])).toBe('q-a%20b,.q-c');
  });
});

describe('refreshes', () => {
  test('are shared, but not with one that began before', async () => {
    const done: (() => void)[] = [];
    const refreshes = new Refreshes(
      new Deadlines(5000),
      () => new Promise((resolve) => done.push(resolve)),
    );
    const first = refreshes.of('i');
    const [second, third] = [refreshes.of('i'), refreshes.of('i')];
    expect(refreshes.count).toBe(1);
    done[0]?.();
    await first;
    await expect.poll(() => refreshes.count).toBe(2);
    done[1]?.();
    await Promise.all([second, third]);
    expect(refreshes.count).toBe(2);
  });
});

describe('the configuration', () => {
  const options = (flags: Record<string, string>): unknown =>
    readClusterOptions(loadConfig({ flags, environment: {} }).config);

  test('names the key that is wrong and the remedy', () => {
    expect(() => options({})).toThrow(/\[cluster\.urls\]/);
    expect(() => options({ 'cluster.urls': 'node:9200' })).toThrow(/https:\/\/node-1:9200/);
    expect(() => options({ 'cluster.urls': 'http://u:p@node:9200' })).toThrow(/cluster\.username/);
    expect(() => options({ 'cluster.urls': 'http://a', 'cluster.index_prefix': 'Q*' })).toThrow(
      /index_prefix/,
    );
    const both = { 'cluster.urls': 'http://a', 'cluster.api_key': 'k', 'cluster.username': 'u' };
    expect(() => options(both)).toThrow(/give one of them/);
    expect(options({ 'cluster.urls': 'http://a/, http://b/es/' })).toMatchObject({
      urls: ['http://a', 'http://b/es'],
    });
  });
});

describe('routes', () => {
  test('have one row of the table each, and what is a node’s own is refused or the cluster’s', () => {
    const routes = allRoutes({ live: { get: () => 1 } } as unknown as ApiDeps);
    const kinds = new Map(
      routes.flatMap((route) =>
        route.paths.map((path) => [`${route.methods[0]} ${path}`, treatmentOf(route).kind]),
      ),
    );
    expect(kinds.get('PUT /_snapshot/:repository/:snapshot')).toBe('refused');
    expect(kinds.get('GET /:index/_segments')).toBe('refused');
    expect(kinds.get('GET /_cluster/health')).toBe('passed');
    expect(kinds.get('GET /:index/_search')).toBe('served');
    expect(kinds.get('POST /_memory/:namespace/_recall')).toBe('served');
  });
});
