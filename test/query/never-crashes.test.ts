// Arbitrary input: a search body compiles to a plan or is rejected with a QuarryError, and never
// fails otherwise.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/backend/index.ts';
import { QuarryError } from '../../src/errors.ts';
import { compile } from './compile.ts';

const words = [
  'query',
  'post_filter',
  'sort',
  'size',
  'from',
  'search_after',
  '_source',
  'fields',
  'timeout',
  'match',
  'match_all',
  'match_phrase',
  'multi_match',
  'term',
  'terms',
  'range',
  'bool',
  'prefix',
  'wildcard',
  'regexp',
  'fuzzy',
  'exists',
  'ids',
  'constant_score',
  'dis_max',
  'boosting',
  'knn',
  'query_vector',
  'vector',
  'k',
  'num_candidates',
  'similarity',
  'wrapper',
  'query_string',
  'must',
  'filter',
  'should',
  'must_not',
  'minimum_should_match',
  'value',
  'values',
  'field',
  'operator',
  'boost',
  '_name',
  'fuzziness',
  'gte',
  'lt',
  'order',
  'missing',
  'queries',
  'positive',
  'negative',
  'negative_boost',
  'semantic',
  'hybrid',
  'fusion',
  'rrf_k',
  'type',
  'weight',
  'weights',
  'retriever',
  'retrievers',
  'standard',
  'rrf',
  'linear',
  'rank_window_size',
  'rank_constant',
  'normalizer',
  'min_score',
  'search_pipeline',
  'f',
  '',
  '__proto__',
  'constructor',
];
const scalar = fc.oneof(
  fc.constantFrom(...words, 'and', 'AUTO', '2<75%', 'now-1d/d', 'a:b', '*', 'e30='),
  fc.constantFrom<Json>(null, true, false, -1, 0, 1, 2.5, 1e300, 2n ** 70n),
  fc.string({ unit: 'binary' }),
);
const { body } = fc.letrec<{ body: Json }>((tie) => ({
  body: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    scalar,
    fc.array(tie('body'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...words), tie('body'), { maxKeys: 3 }),
  ),
}));
const signs = [
  'AND',
  'OR',
  'NOT',
  '+',
  '-',
  '!',
  '(',
  ')',
  ':',
  '^',
  '~',
  '*',
  '?',
  '\\',
  '/',
  '"',
  '[',
  ']',
  '{',
  '}',
];
const piece = fc.constantFrom(
  ...signs,
  ' TO ',
  ' ',
  '1',
  '2.5',
  'f',
  'fox',
  '&&',
  '||',
  '>',
  '<=',
  '\u3000',
  'é',
);

function compilesOrRefuses(value: JsonObject): void {
  try {
    expect(compile(value).plan.length).toBeGreaterThan(64);
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error;
    expect(error.status).toBe(400);
    expect(error.message.length).toBeGreaterThan(0);
    expect(error.message.length).toBeLessThan(2000);
  }
}

describe('any body', () => {
  test('compiles or is refused', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...words), body, { maxKeys: 4 }),
        compilesOrRefuses,
      ),
      { numRuns: 1000 },
    );
  });

  test('with any query compiles or is refused', () => {
    fc.assert(
      fc.property(fc.constantFrom(...words), body, (name, value) => {
        compilesOrRefuses({ query: { [name]: value } });
        compilesOrRefuses({ query: { [name]: { f: value } } });
      }),
      { numRuns: 1000 },
    );
  });

  const processor = fc.constantFrom('normalization-processor', 'score-ranker-processor', 'f');
  const item = fc.oneof(
    body,
    fc.constant<Json>({ match_all: {} }),
    fc.record({ query: fc.constant<Json>({ match_all: {} }), weight: body }),
    fc.record({ retriever: fc.constant<Json>({ standard: {} }), weight: body }),
  );
  const list = fc.array(item, { maxLength: 3 });

  test('with any lists compiles or is refused', () => {
    fc.assert(
      fc.property(list, body, processor, body, (items, value, name, options) => {
        const hybrid = { queries: items, fusion: value };
        compilesOrRefuses({ query: { hybrid } });
        compilesOrRefuses({ query: { hybrid: { queries: items, rrf_k: value, filter: options } } });
        const pipeline = { phase_results_processors: [{ [name]: options }] };
        compilesOrRefuses({ query: { hybrid: { queries: items } }, search_pipeline: pipeline });
        compilesOrRefuses({ query: { hybrid: { queries: items } }, search_pipeline: value });
        for (const kind of ['rrf', 'linear']) {
          compilesOrRefuses({ retriever: { [kind]: { retrievers: items, normalizer: value } } });
          compilesOrRefuses({ retriever: { [kind]: { retrievers: items, filter: options } } });
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('with any query string compiles or is refused', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.boolean(), (pieces, every) => {
        const options: JsonObject = every ? {} : { default_field: 'f' };
        compilesOrRefuses({ query: { query_string: { query: pieces.join(''), ...options } } });
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a very long body', () => {
  const long = 1_000_000;

  test.each([
    ['backslashes', { query_string: { query: `${'\\'.repeat(long)}*` } }],
    ['spaces as base64', { wrapper: { query: `${' '.repeat(long)}?` } }],
    ['spaces as a condition', { bool: { minimum_should_match: `1${' '.repeat(long)}x` } }],
    ['signs', { query_string: { query: '+-'.repeat(long / 2) } }],
    ['ranges', { query_string: { query: '[a TO b]'.repeat(long / 8) } }],
    ['groups', { query_string: { query: '('.repeat(long) } }],
    ['a fusion', { hybrid: { queries: [{ match_all: {} }], fusion: 'm'.repeat(long) } }],
    ['a key', { hybrid: { queries: [{ match_all: {} }], ['m'.repeat(long)]: 1 } }],
    ['lists', { hybrid: { queries: Array(long).fill({}) } }],
    ['a text', { semantic: { field: 'f', query: ' '.repeat(long) } }],
    ['a clause name', { ['m'.repeat(long)]: {} }],
    ['a number', { term: { f: { value: 'x', boost: '1'.repeat(long) } } }],
  ])('of %s is answered at once', (_, query) => {
    compilesOrRefuses({ query });
  });

  test.each([
    ['a kind', { ['m'.repeat(long)]: {} }],
    ['a parameter', { rrf: { retrievers: [{ standard: {} }], ['m'.repeat(long)]: 1 } }],
    ['a second kind', { rrf: {}, ['m'.repeat(long)]: {} }],
  ])('of a retriever with %s is answered at once', (_, retriever) => {
    compilesOrRefuses({ retriever });
  });

  test.each([
    ['name', 'm'.repeat(long)],
    ['key', { ['m'.repeat(long)]: 1 }],
    ['processor', { phase_results_processors: [{ ['m'.repeat(long)]: 1 }] }],
    [
      'option',
      { phase_results_processors: [{ 'normalization-processor': { ['m'.repeat(long)]: 1 } }] },
    ],
  ])('of a search pipeline with a long %s is answered at once', (_, pipeline) => {
    const hybrid = { queries: [{ match_all: {} }] };
    compilesOrRefuses({ query: { hybrid }, search_pipeline: pipeline });
  });
});
