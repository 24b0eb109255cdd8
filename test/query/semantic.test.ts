// The semantic clause: its parsed form, its errors, and the vectors that are sent with its text.
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/backend/index.ts';
import { checkAliasFilter } from '../../src/query/queries.ts';
import { compile, label, parseClause, refusal } from './compile.ts';

const like = { field: 'body', query: 'a quick fox' };
const plain = {
  kind: 'semantic',
  boost: 1,
  name: '',
  field: 'body',
  text: 'a quick fox',
  k: 10,
  numCandidates: 0,
  passages: true,
  filter: undefined,
  level: 0,
};
const term = { term: { f: 'a' } };

const accepted: readonly (readonly [JsonObject, object])[] = [
  [like, {}],
  [{ ...like, k: 3 }, { k: 3 }],
  [
    { ...like, k: 3, num_candidates: 3 },
    { k: 3, numCandidates: 3 },
  ],
  [{ ...like, num_candidates: 4 }, { numCandidates: 4 }],
  [
    { ...like, boost: 0.5, _name: 'n' },
    { boost: 0.5, name: 'n' },
  ],
  [{ ...like, passages: false }, { passages: false }],
  [{ ...like, filter: [] }, {}],
  [{ ...like, filter: term }, { filter: parseClause(term) }],
  [{ ...like, query: ' 42 ' }, { text: ' 42 ' }],
  [
    { ...like, filter: { semantic: like } },
    { filter: plain, level: 1 },
  ],
  [
    { ...like, filter: { knn: { field: 'v', vector: [1] } } },
    { level: 1, filter: { kind: 'knn' } },
  ],
];

const P = 'parsing_exception';
const I = 'illegal_argument_exception';
const refused: readonly (readonly [Json, string, ...string[]])[] = [
  [{}, I, '[semantic] Required [field]'],
  [{ query: 'x' }, I, 'Required [field]'],
  [{ field: 'body' }, I, '[semantic] Required [query]'],
  [{ ...like, field: 3 }, P, "field doesn't support values of type: VALUE_NUMBER"],
  [{ ...like, field: null }, P, 'VALUE_NULL'],
  [{ ...like, query: 3 }, P, "[semantic] query doesn't support values of type: VALUE_NUMBER"],
  [{ ...like, query: null }, P, 'VALUE_NULL'],
  [{ ...like, query: ['x'] }, P, 'START_ARRAY'],
  [{ ...like, query: { match: 'x' } }, P, 'START_OBJECT'],
  [{ ...like, query: '' }, I, '[semantic] [query] is empty'],
  [{ ...like, query: ' \n\t' }, I, '[semantic] [query] is empty'],
  [{ ...like, k: 0 }, I, '[semantic] [k] must be greater than 0'],
  [{ ...like, k: -1 }, I, '[k] must be greater than 0', '-1'],
  [{ ...like, k: 1.5 }, I, '[k] of [semantic]', '1.5'],
  [{ ...like, k: 10_001 }, I, '[k] cannot exceed [10000]'],
  [{ ...like, k: '3' }, P, "[semantic] k doesn't support values of type: VALUE_STRING"],
  [{ ...like, k: null }, P, 'VALUE_NULL'],
  [{ ...like, num_candidates: 0 }, I, '[num_candidates] must be greater than 0'],
  [{ ...like, k: 5, num_candidates: 4 }, I, '[num_candidates] cannot be less than [k]'],
  [{ ...like, boost: -1 }, I, 'negative [boost]', '[semantic]'],
  [{ ...like, boost: 'high' }, I, 'boost', 'high'],
  [{ ...like, filter: 'x' }, P, "[semantic] filter doesn't support values of type"],
  [{ ...like, filter: {} }, P, 'empty clause'],
  [{ ...like, filter: { nosuch: {} } }, P, 'unknown query [nosuch]'],
  [{ ...like, shiny: 1 }, P, '[semantic] query does not support [shiny]'],
  [{ ...like, query_vector: [1] }, P, '[semantic] query does not support [query_vector]'],
  ['text', P, '[semantic] query malformed'],
];

describe('a semantic clause', () => {
  test.each(
    accepted.map(([body, reported]) => [label(body), body, reported] as const),
  )('%s', (_, body, reported) => {
    expect(parseClause({ semantic: body })).toMatchObject({ ...plain, ...reported });
  });

  test.each(
    refused.map(([body, type, ...words]) => [label(body), body, type, words] as const),
  )('%s is refused', (_, body, type, words) => {
    const reason = refusal(() => parseClause({ semantic: body }));
    expect(reason.startsWith(`${type}: `), reason).toBe(true);
    for (const word of words) expect(reason).toContain(word);
  });

  test('as the whole query is a search for its neighbours alone', () => {
    const compiled = compile({ query: { semantic: { ...like, k: 4 } } });
    expect(compiled.nearest).toBe(4);
    expect(compiled.vectorClauses).toEqual(compiled.semantic);
    const inside = compile({ query: { bool: { must: { semantic: like } } } });
    expect(inside.nearest).toBeUndefined();
    expect(inside.semantic).toHaveLength(1);
  });

  test('is no filter of an alias', () => {
    expect(refusal(() => checkAliasFilter({ semantic: like }))).toContain(
      '[semantic] is not supported in the filter of an alias',
    );
  });

  test('as a list of a hybrid query is as long as its k', () => {
    const queries = [{ query: term }, { query: { semantic: { ...like, k: 33 } } }];
    const { ranked, semantic, vectorClauses } = compile({ query: { hybrid: { queries } } });
    expect(ranked?.legs.map(({ depth }) => depth)).toEqual([50, 33]);
    expect([semantic.length, vectorClauses.length]).toEqual([1, 0]);
  });

  test('travels with the vectors of its text', () => {
    const compiled = compile({ query: { semantic: like } });
    const embedded = { embedder: 'mini@http://x/', vector: Float32Array.of(0.5, -2) };
    const plan = compiled.planWith({
      nearest: new Map(),
      vectors: new Map([
        ['a quick fox', [embedded]],
        ['another text', [{ embedder: 'other', vector: Float32Array.of(3) }]],
      ]),
      snapshots: [],
      timeoutUs: 0,
    });
    const bytes = Buffer.from(plan);
    expect(bytes.includes('mini@http://x/')).toBe(true);
    expect(bytes.includes(Buffer.from(Float32Array.of(0.5, -2).buffer))).toBe(true);
    expect(bytes.includes('other')).toBe(false);
    expect(Buffer.from(compiled.plan).includes('mini')).toBe(false);
  });
});
