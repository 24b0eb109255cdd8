// Hybrid queries and retrievers: the resulting lists and fusions. Errors are in test/e2e/bad-input.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import type { RankedPlans } from '../../src/query/compiled-ranked.ts';
import { DEFAULT_LIMITS } from '../../src/query/limits.ts';
import type { Fusion } from '../../src/query/ranking.ts';
import { compileCount } from '../../src/query/search-body.ts';
import { readOpcodes } from '../tools/opcodes.ts';
import { compile, label } from './compile.ts';

const a = { term: { f: 'a' } };
const b = { term: { f: 'b' } };
const near = { knn: { field: 'v', query_vector: [1, 2], k: 7 } };
const mine = (...queries: readonly JsonObject[]) => queries.map((query) => ({ query }));

function rankedOf(body: JsonObject, filters: readonly JsonObject[] = []): RankedPlans {
  const { ranked } = compile(body, filters);
  if (ranked === undefined) throw new Error('no lists');
  return ranked;
}

const hybrid = (clause: JsonObject, more: JsonObject = {}) =>
  rankedOf({ query: { hybrid: clause }, ...more });
const weights = ({ parts }: Fusion) => parts.map(({ weight }) => weight);

describe('the fusion of a hybrid query', () => {
  const queries = mine(a, b);
  const rrf = (rankConstant?: number) => ({ method: { kind: 'rrf', rankConstant } });
  const linear = { method: { kind: 'linear' } };
  const cases: readonly (readonly [JsonObject, object, readonly number[]])[] = [
    [{ queries }, rrf(), [1, 1]],
    [{ queries, fusion: 'rrf' }, rrf(), [1, 1]],
    [{ queries, fusion: 'rrf', rrf_k: 3 }, rrf(3), [1, 1]],
    [{ queries, rrf_k: '3' }, rrf(3), [1, 1]],
    [{ queries, fusion: { type: 'rrf', k: 5 } }, rrf(5), [1, 1]],
    [{ queries, fusion: { type: 'rrf', rank_constant: 5 }, rrf_k: 5 }, rrf(5), [1, 1]],
    [{ queries, fusion: 'linear' }, linear, [1, 1]],
    [{ queries, fusion: 'linear', rrf_k: 60 }, linear, [1, 1]],
    [{ queries, fusion: { type: 'linear', weights: [0.7, 0.3] } }, linear, [0.7, 0.3]],
    [{ queries: [{ query: a, weight: 0 }, { query: b }] }, rrf(), [0, 1]],
    [{ queries: [a, b] }, linear, [0.5, 0.5]],
    [{ queries: [a, b], fusion: 'rrf' }, rrf(), [1, 1]],
    [{ queries: [a, b], fusion: { type: 'linear', weights: [3, 1] } }, linear, [3, 1]],
  ];
  test.each(
    cases.map((row) => [label(row[0]), ...row] as const),
  )('%s', (_, clause, reported, sums) => {
    const { root } = hybrid(clause);
    expect(root).toMatchObject({ kind: 'fusion', depth: Number.POSITIVE_INFINITY, ...reported });
    expect(weights(root)).toEqual(sums);
    expect(root.parts.map(({ ranking }) => ranking)).toEqual([
      { kind: 'leg', leg: 0 },
      { kind: 'leg', leg: 1 },
    ]);
  });

  const pipelines: readonly (readonly [JsonObject, object, string, readonly number[]])[] = [
    [{ 'normalization-processor': {} }, { kind: 'linear' }, 'minmax', [0.5, 0.5]],
    [
      {
        'normalization-processor': {
          normalization: { technique: 'l2' },
          combination: { technique: 'arithmetic_mean', parameters: { weights: [3, 1] } },
        },
      },
      { kind: 'linear' },
      'l2_norm',
      [0.75, 0.25],
    ],
    [
      { 'score-ranker-processor': { combination: { technique: 'rrf', rank_constant: 4 } } },
      { kind: 'rrf', rankConstant: 4 },
      'none',
      [1, 1],
    ],
  ];
  test.each(
    pipelines.map((row) => [label(row[0]), ...row] as const),
  )('by the pipeline %s', (_, processor, method, normalizer, sums) => {
    const { root } = hybrid(
      { queries: [a, b] },
      { search_pipeline: { phase_results_processors: [processor] } },
    );
    expect(root.method).toEqual(method);
    expect(root.parts.map((part) => part.normalizer)).toEqual([normalizer, normalizer]);
    expect(weights(root)).toEqual(sums);
  });

  test('weights that are all 0 stay 0 in a mean', () => {
    const processor = {
      'normalization-processor': { combination: { parameters: { weights: [0, 0] } } },
    };
    const { root } = hybrid(
      { queries: [a, b] },
      { search_pipeline: { phase_results_processors: [processor] } },
    );
    expect(weights(root)).toEqual([0, 0]);
  });
});

describe('the lists of a hybrid query', () => {
  const depths = (clause: JsonObject, more: JsonObject = {}) =>
    hybrid(clause, more).legs.map(({ depth }) => depth);

  test('are fifty deep, as deep as the page or as the longest list of neighbours', () => {
    const queries = mine(a, near);
    expect(depths({ queries })).toEqual([50, 7]);
    expect(depths({ queries }, { from: 40, size: 30 })).toEqual([70, 7]);
    expect(depths({ queries: [a, near], pagination_depth: 200 }, { size: 5 })).toEqual([200, 7]);
    const many = { knn: { ...near.knn, k: 300 } };
    expect(depths({ queries: mine(many) })).toEqual([300]);
    expect(depths({ queries: mine(a, near, many, b) })).toEqual([300, 7, 300, 300]);
  });

  test('are narrowed by its filter, neighbours before they are chosen', () => {
    const [first, second] = hybrid({ queries: mine(a, near), filter: [b, b] }).legs;
    expect(first?.clause).toMatchObject({
      kind: 'bool',
      must: [{ kind: 'term' }],
      filter: [{ kind: 'bool', filter: [{ kind: 'term' }, { kind: 'term' }] }],
    });
    expect(second?.clause).toMatchObject({ kind: 'knn', filter: { kind: 'bool' } });
  });

  test('are narrowed by the filters of aliases', () => {
    const { legs } = rankedOf({ query: { hybrid: { queries: mine(a, near) } } }, [b]);
    expect(legs.map(({ clause }) => clause)).toMatchObject([
      { kind: 'bool', filter: [{ kind: 'term' }] },
      { kind: 'knn', filter: { kind: 'term' } },
    ]);
  });

  test('need no phase for neighbours of their own, only for those inside', () => {
    const inner = { knn: { ...near.knn, k: 3 } };
    const compiled = compile({
      query: { hybrid: { queries: mine(near, { bool: { must: [inner] } }) } },
      post_filter: { knn: { ...near.knn, k: 2 } },
    });
    expect(compiled.vectorClauses.map(({ k }) => k)).toEqual([3, 2]);
    expect(compiled.nearest).toBeUndefined();
  });

  test('are asked for one hit more than counts', () => {
    const { plan } = compile({ query: { hybrid: { queries: mine(a, b) } } });
    const view = new DataView(plan.buffer);
    expect(view.getUint16(6, true)).toBe(2);
    expect([8, 12, 32, 36, 40].map((at) => view.getUint32(at, true))).toEqual([0, 0, 0, 0, 51]);
  });

  test('of an empty aggs are as without', () => {
    expect(hybrid({ queries: mine(a) }, { aggs: {} }).legs).toHaveLength(1);
  });

  test('are counted as one query', () => {
    const context = { opcodes: readOpcodes(), nowMs: 5, limits: DEFAULT_LIMITS };
    const any = { bool: { should: [a, near] } };
    expect(compileCount({ query: { hybrid: { queries: [a, near] } } }, context).plan).toEqual(
      compileCount({ query: any }, context).plan,
    );
  });
});

describe('a retriever', () => {
  const standard = { standard: { query: a } };

  test('alone is another way to write a search', () => {
    const same: readonly (readonly [JsonObject, JsonObject])[] = [
      [standard, { query: a }],
      [{ standard: {} }, {}],
      [{ standard: { query: a, filter: b } }, { query: { bool: { must: [a], filter: [b] } } }],
      [{ standard: { filter: [a, b] } }, { query: { bool: { filter: [a, b] } } }],
      [
        { standard: { query: a, sort: ['f'], min_score: 2, search_after: [1] } },
        { query: a, sort: ['f'], min_score: 2, search_after: [1] },
      ],
      [near, near],
      [{ knn: { ...near.knn, min_score: 0.5 } }, { ...near, min_score: 0.5 }],
    ];
    for (const [retriever, body] of same) {
      expect(compile({ retriever, size: 3 }).plan).toEqual(compile({ ...body, size: 3 }).plan);
    }
  });

  test('rrf has lists as deep as its window, the page where it does not say', () => {
    const retrievers = [standard, near, { retriever: standard, weight: 2 }];
    const { legs, root } = rankedOf({ retriever: { rrf: { retrievers } }, from: 5, size: 20 });
    expect(legs.map(({ depth }) => depth)).toEqual([25, 7, 25]);
    expect(root).toMatchObject({ method: { kind: 'rrf' }, depth: 25 });
    expect(weights(root)).toEqual([1, 1, 2]);
    const small = { rrf: { retrievers, rank_window_size: 5, rank_constant: 1, min_score: 0.5 } };
    const cut = rankedOf({ retriever: small, size: 5 });
    expect(cut.legs.map(({ depth }) => depth)).toEqual([5, 5, 5]);
    expect(cut.root).toMatchObject({ method: { rankConstant: 1 }, depth: 5, minScore: 0.5 });
  });

  test('linear takes scores as they are unless a normalizer is named', () => {
    const retrievers = [{ retriever: standard }, { retriever: near, normalizer: 'l2_norm' }];
    const normalizers = (more: JsonObject) =>
      rankedOf({ retriever: { linear: { retrievers, ...more } } }).root.parts.map(
        ({ normalizer }) => normalizer,
      );
    expect(normalizers({})).toEqual(['none', 'l2_norm']);
    expect(normalizers({ normalizer: 'minmax' })).toEqual(['minmax', 'l2_norm']);
  });

  test('holds others, none deeper than the one around it', () => {
    const inner = { linear: { retrievers: [standard, near], rank_window_size: 100 } };
    const { legs, root } = rankedOf({
      retriever: { rrf: { retrievers: [inner, standard], rank_window_size: 20 } },
    });
    expect(legs.map(({ depth }) => depth)).toEqual([100, 7, 20]);
    expect(root.parts[0]?.ranking).toMatchObject({ kind: 'fusion', depth: 20 });
    expect(root.parts[1]?.ranking).toEqual({ kind: 'leg', leg: 2 });
  });

  test('narrows the lists in it by filters of every level', () => {
    const inner = { rrf: { retrievers: [{ standard: { query: a, filter: b } }, near], filter: a } };
    const { legs } = rankedOf({ retriever: { rrf: { retrievers: [inner], filter: [b] } } });
    expect(legs[0]?.clause).toMatchObject({ filter: [{ kind: 'bool' }] });
    expect(legs[1]?.clause).toMatchObject({ kind: 'knn', filter: { kind: 'bool' } });
  });

  test('keeps the least score of each list', () => {
    const retrievers = [
      { standard: { query: a, min_score: 2 } },
      { knn: { ...near.knn, min_score: 0.5 } },
    ];
    const { legs } = rankedOf({ retriever: { rrf: { retrievers } } });
    expect(legs.map(({ minScore }) => minScore)).toEqual([2, 0.5]);
  });
});
