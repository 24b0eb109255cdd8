// knn in a query and at the top level: its parsed form, its combination with `query`, and the plans
// of a search in phases.
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/backend/index.ts';
import { checkAliasFilter } from '../../src/query/queries.ts';
import { readOpcodes } from '../tools/opcodes.ts';
import { compile, label, parseClause, refusal } from './compile.ts';

const near = { field: 'v', query_vector: [1, 0.5, -2] };
const plain = {
  kind: 'knn',
  boost: 1,
  name: '',
  field: 'v',
  vector: [1, 0.5, -2],
  k: 10,
  numCandidates: 15,
  similarity: Number.NaN,
  filter: undefined,
  level: 0,
};
const term = (value: string) => ({ term: { f: value } });

const accepted: readonly (readonly [JsonObject, object])[] = [
  [near, {}],
  [{ field: 'v', vector: [1, 0.5, -2] }, {}],
  [
    { ...near, k: 3 },
    { k: 3, numCandidates: 5 },
  ],
  [
    { ...near, k: 3, num_candidates: 3 },
    { k: 3, numCandidates: 3 },
  ],
  [{ ...near, num_candidates: 100 }, { numCandidates: 100 }],
  // Less than the default k, which the request does not specify.
  [{ ...near, num_candidates: 4 }, { numCandidates: 10 }],
  [
    { ...near, k: 10_000, num_candidates: 10_000 },
    { k: 10_000, numCandidates: 10_000 },
  ],
  [
    { ...near, k: 10_000 },
    { k: 10_000, numCandidates: 10_000 },
  ],
  [{ ...near, similarity: 0.5 }, { similarity: 0.5 }],
  [{ ...near, similarity: -3 }, { similarity: -3 }],
  [
    { ...near, boost: 0, _name: 'n' },
    { boost: 0, name: 'n' },
  ],
  [{ ...near, rescore_vector: { oversample: 2 } }, {}],
  [{ ...near, filter: [] }, {}],
  [{ ...near, field: '' }, { field: '' }],
  [{ ...near, query_vector: [9007199254740993n] }, { vector: [9007199254740992] }],
  [{ ...near, query_vector: [0, 0, 0] }, { vector: [0, 0, 0] }],
  [{ ...near, query_vector: [3.4028234e38, -1e-45] }, { vector: [3.4028234e38, -1e-45] }],
];

const P = 'parsing_exception';
const I = 'illegal_argument_exception';
const refused: readonly (readonly [Json, string, ...string[]])[] = [
  [{}, I, 'Required [field]'],
  [{ field: 3, query_vector: [1] }, P, "field doesn't support values of type: VALUE_NUMBER"],
  [{ field: null, query_vector: [1] }, P, 'VALUE_NULL'],
  [{ field: 'v' }, I, '[query_vector] must be provided'],
  [{ ...near, vector: [1] }, I, '[query_vector] and [vector] are one parameter'],
  [{ ...near, query_vector: null }, P, 'VALUE_NULL'],
  [{ ...near, query_vector: 1 }, P, 'VALUE_NUMBER'],
  [{ ...near, query_vector: 'AAAA' }, P, 'VALUE_STRING'],
  [{ ...near, query_vector: {} }, P, 'START_OBJECT'],
  [{ ...near, query_vector: [] }, I, '0 dimensions'],
  [{ ...near, query_vector: [1, null] }, P, 'Type [VALUE_NULL] not supported', 'dim [1]'],
  [{ ...near, query_vector: ['1'] }, P, 'Type [VALUE_STRING] not supported', 'dim [0]'],
  [{ ...near, query_vector: [true] }, P, 'Type [VALUE_BOOLEAN] not supported'],
  [{ ...near, query_vector: [[1]] }, P, 'Type [START_ARRAY] not supported'],
  [{ ...near, query_vector: [0, 1e39] }, I, 'infinite', '1e+39', 'dim [1]', '32-bit'],
  [{ ...near, query_vector: [-3.5e38] }, I, 'infinite', '-3.5e+38'],
  [{ ...near, query_vector: [Number.POSITIVE_INFINITY] }, I, 'infinite', 'Infinity'],
  [{ ...near, query_vector: [10n ** 40n] }, I, 'infinite'],
  [{ ...near, k: 0 }, I, '[k] must be greater than 0'],
  [{ ...near, k: -1 }, I, '[k] must be greater than 0', '-1'],
  [{ ...near, k: 1.5 }, I, '[k]', '1.5'],
  [{ ...near, k: 10_001 }, I, '[k] cannot exceed [10000]', '10001'],
  [{ ...near, k: 2 ** 40 }, I, '[k]', 'out of range'],
  [{ ...near, k: '3' }, P, "k doesn't support values of type: VALUE_STRING"],
  [{ ...near, k: true }, P, 'VALUE_BOOLEAN'],
  [{ ...near, k: null }, P, 'VALUE_NULL'],
  [{ ...near, k: [1] }, P, 'START_ARRAY'],
  [{ ...near, num_candidates: 0 }, I, '[num_candidates] must be greater than 0'],
  [{ ...near, num_candidates: -7 }, I, '[num_candidates]', '-7'],
  [{ ...near, num_candidates: 2.5 }, I, '[num_candidates]', '2.5'],
  [{ ...near, num_candidates: 10_001 }, I, '[num_candidates] cannot exceed [10000]'],
  [{ ...near, num_candidates: 'x' }, P, "num_candidates doesn't support values of type"],
  [{ ...near, k: 5, num_candidates: 4 }, I, '[num_candidates] cannot be less than [k]', '4', '5'],
  [{ ...near, similarity: 'x' }, I, 'similarity', 'x'],
  [{ ...near, similarity: null }, P, 'VALUE_NULL', 'similarity'],
  [{ ...near, similarity: 1e39 }, I, 'similarity'],
  [{ ...near, boost: -1 }, I, 'negative [boost]', '[knn]'],
  [{ ...near, filter: 'x' }, P, "filter doesn't support values of type: VALUE_STRING"],
  [{ ...near, filter: null }, P, 'VALUE_NULL'],
  [{ ...near, filter: {} }, P, 'empty clause'],
  [{ ...near, filter: { nosuch: {} } }, P, 'unknown query [nosuch]'],
  [{ ...near, filter: [3] }, P, 'must start with start_object'],
  [{ ...near, shiny: 1 }, P, '[knn] query does not support [shiny]'],
  [{ field: 'v', query_vector_builder: {} }, P, '[query_vector_builder] is not supported'],
  [{ ...near, rescore_vector: {} }, I, '[rescore_vector] needs an [oversample]'],
  [{ ...near, rescore_vector: { oversample: 0.5 } }, I, 'got [0.5]'],
  [{ ...near, rescore_vector: { oversample: 2, more: 1 } }, P, '[more]'],
  [{ ...near, visit_percentage: 2 }, P, '[visit_percentage] is not supported'],
];

describe('a knn clause', () => {
  test.each(
    accepted.map(([body, reported]) => [label(body), body, reported] as const),
  )('%s', (_, body, reported) => {
    expect(parseClause({ knn: body })).toEqual({ ...plain, ...reported });
    expect(compile({ knn: body }).vectorClauses).toEqual([{ ...plain, ...reported }]);
  });

  test.each(
    refused.map(([body, type, ...words]) => [label(body), body, type, words] as const),
  )('%s is refused, in a query and at the top level', (_, body, type, words) => {
    const inQuery = refusal(() => parseClause({ knn: body }));
    expect(inQuery.startsWith(`${type}: `), inQuery).toBe(true);
    for (const word of words) expect(inQuery).toContain(word);
    expect(refusal(() => compile({ knn: body }))).toBe(inQuery);
  });

  test('joins several filters', () => {
    const [one] = compile({ knn: { ...near, filter: term('a') } }).vectorClauses;
    expect(one?.filter).toMatchObject({ kind: 'term' });
    const [two] = compile({ knn: { ...near, filter: [term('a'), term('b')] } }).vectorClauses;
    expect(two?.filter).toMatchObject({ kind: 'bool', filter: [{ kind: 'term' }, {}] });
  });

  test('counts its filters as clauses', () => {
    const filter = Array.from({ length: 16_384 }, () => term('a'));
    expect(refusal(() => compile({ knn: { ...near, filter } }))).toContain('16384');
  });
});

describe('the top-level knn', () => {
  const shapes: readonly (readonly [Json, string])[] = [
    ['x', 'parsing_exception: Unknown key for a VALUE_STRING in [knn].'],
    [null, 'parsing_exception: Unknown key for a VALUE_NULL in [knn].'],
    [3, 'parsing_exception: Unknown key for a VALUE_NUMBER in [knn].'],
    [
      [[]],
      'parsing_exception: malformed knn format, within the knn search array only objects are allowed; found START_ARRAY',
    ],
    [
      [near, 1],
      'parsing_exception: malformed knn format, within the knn search array only objects are allowed; found VALUE_NUMBER',
    ],
  ];
  test.each(
    shapes.map(([knn, reason]) => [label(knn), knn, reason] as const),
  )('%s is refused', (_, knn, reason) => {
    expect(refusal(() => compile({ knn }))).toBe(reason);
  });

  test('an empty array asks for nothing', () => {
    expect(compile({ knn: [] }).plan).toEqual(compile({}).plan);
  });

  test('more than 1024 are refused', () => {
    const knn = Array.from({ length: 1025 }, () => near);
    expect(refusal(() => compile({ knn }))).toContain('too_many_nested_clauses');
    expect(compile({ knn: knn.slice(1) }).vectorClauses).toHaveLength(1024);
  });

  test('is the query when there is no other', () => {
    expect(compile({ knn: near }).plan).toEqual(compile({ query: { knn: near } }).plan);
  });

  test('is added to the query', () => {
    const joined = compile({ query: term('a'), knn: [near, { ...near, k: 3 }] });
    const should = [term('a'), { knn: near }, { knn: { ...near, k: 3 } }];
    expect(joined.plan).toEqual(compile({ query: { bool: { should } } }).plan);
  });

  test('gets the filters of aliases, which narrow the query as well', () => {
    const both = compile({ query: term('a'), knn: near }, [term('x')]);
    const should = [
      { bool: { must: term('a'), filter: term('x') } },
      { knn: { ...near, filter: term('x') } },
    ];
    expect(both.plan).toEqual(compile({ query: { bool: { should } } }).plan);
    const alone = compile({ knn: near }, [term('x'), term('y')]);
    const filter = { bool: { should: [term('x'), term('y')] } };
    expect(alone.plan).toEqual(compile({ knn: { ...near, filter } }).plan);
  });

  test('no alias has a filter with knn in it', () => {
    const filter = { bool: { must: [{ knn: near }] } };
    expect(refusal(() => checkAliasFilter(filter))).toContain('[knn] is not supported in');
  });
});

describe('a search for neighbours alone', () => {
  const alone: readonly JsonObject[] = [
    { knn: near },
    { knn: [near] },
    { query: { knn: near } },
    { knn: { ...near, filter: term('a'), boost: 2 }, from: 3, size: 2, min_score: 0.5 },
    { knn: near, sort: '_score', explain: true, track_total_hits: false },
  ];
  test.each(alone.map((body) => [label(body), body] as const))('%s', (_, body) => {
    expect(compile(body).nearest).toBe(10);
  });

  const more: readonly JsonObject[] = [
    { query: term('a') },
    { knn: near, query: term('a') },
    { knn: [near, near] },
    { knn: near, post_filter: term('a') },
    { knn: near, sort: 'f' },
    { knn: near, terminate_after: 3 },
    { knn: near, indices_boost: [{ a: 2 }] },
    { knn: { ...near, filter: { knn: near } } },
    { query: { constant_score: { filter: { knn: near } } } },
  ];
  test.each(more.map((body) => [label(body), body] as const))('not %s', (_, body) => {
    expect(compile(body).nearest).toBeUndefined();
  });
});

describe('the plans of a search in phases', () => {
  const opcodes = readOpcodes();
  const nodes = (plan: Uint8Array<ArrayBuffer>): readonly number[] => {
    const view = new DataView(plan.buffer);
    const found: number[] = [];
    for (let at = 64; at < plan.length; at += 8 + view.getUint32(at + 4, true)) {
      found.push(view.getUint16(at, true));
    }
    return found;
  };
  const inner = { ...near, k: 40 };
  const search = compile({
    query: { bool: { must: [term('a'), { knn: { ...near, filter: { knn: inner } } }] } },
    post_filter: { knn: { ...near, k: 2 } },
    timeout: '1s',
  });
  const nothing = { nearest: new Map(), vectors: new Map(), snapshots: [], timeoutUs: 5 };

  test('inner clauses come first', () => {
    expect(search.vectorClauses.map(({ k, level }) => [k, level])).toEqual([
      [40, 0],
      [10, 1],
      [2, 0],
    ]);
  });

  test('each clause is a leg, the window fits the largest k', () => {
    const [first, , last] = search.vectorClauses;
    if (first === undefined || last === undefined) throw new Error('clauses are missing');
    const plan = search.nearestPlan([last, first], nothing);
    const view = new DataView(plan.buffer);
    expect(nodes(plan)).toEqual([opcodes['leg'], opcodes['leg'], opcodes['fetch']]);
    expect([24, 40].map((at) => view.getUint32(at, true))).toEqual([5, 40]);
  });

  test('boost and name wait for the neighbours', () => {
    const named = compile({ knn: { ...near, boost: 7, _name: 'n' } });
    expect(named.nearestPlan(named.vectorClauses, nothing)).toEqual(
      compile({ knn: near }).nearestPlan(compile({ knn: near }).vectorClauses, nothing),
    );
  });

  test('what was found takes the place of its clause', () => {
    const scores = [{ index: 7, shard: 0, docs: [3], scores: [0.5] }];
    const found = {
      vectors: new Map(),
      nearest: new Map(search.vectorClauses.map((clause) => [clause, scores])),
      snapshots: [{ index: 7, shard: 0, generation: 9n }],
      timeoutUs: 5,
    };
    const plan = search.planWith(found);
    const kinds = ['leg', 'post_filter', 'fetch', 'snapshots'].map((name) => opcodes[name]);
    expect(nodes(plan)).toEqual(kinds);
    const vector = Buffer.from(Float32Array.of(0.5, -2).buffer);
    expect(Buffer.from(search.plan).includes(vector)).toBe(true);
    expect(Buffer.from(plan).includes(vector)).toBe(false);
  });
});
