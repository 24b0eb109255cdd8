// OpenSearch's form of knn, below the name of the field: the query that it stands for, and what is
// refused.
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/backend/index.ts';
import { compile, parseClause, refusal } from './compile.ts';

const near = { vector: [1, 0.5, -2], k: 4 };
const own = { field: 'v', query_vector: [1, 0.5, -2], k: 4 };
const radial = { field: 'v', query_vector: [1, 0.5, -2], k: 10_000 };
const term = { term: { f: 'x' } };

describe('is the clause of Elasticsearch', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['alone', { v: near }, { knn: own }],
    ['filtered', { v: { ...near, filter: term } }, { knn: { ...own, filter: term } }],
    ['named', { v: { ...near, boost: 2, _name: 'n' } }, { knn: { ...own, boost: 2, _name: 'n' } }],
    ['tuned', { v: { ...near, rescore: true, ignore_unmapped: true } }, { knn: own }],
    ['rescored', { v: { ...near, rescore: { oversample_factor: 1.5 } } }, { knn: own }],
    [
      'with a narrow search',
      { v: { ...near, method_parameters: { ef_search: 2, nprobes: 3 } } },
      { knn: { ...own, num_candidates: 4 } },
    ],
    [
      'with the widest search',
      { v: { ...near, method_parameters: { ef_search: 20_000 } } },
      { knn: { ...own, num_candidates: 10_000 } },
    ],
    [
      'with a least score',
      { v: { vector: near.vector, min_score: 0.5, filter: term, boost: 3, _name: 'n' } },
      {
        function_score: {
          query: { knn: { ...radial, filter: term } },
          min_score: 1.5,
          boost: 3,
          _name: 'n',
        },
      },
    ],
  ])('%s', (_name, body, wanted) => {
    expect(parseClause({ knn: body })).toEqual(parseClause(wanted));
    expect(compile({ query: { knn: body } }).plan).toEqual(compile({ query: wanted }).plan);
  });

  test.each([
    'field',
    'filter',
    'k',
    'vector',
    'query_vector',
    'inner_hits',
    'a.b',
  ])('for a field of the name [%s]', (field) => {
    expect(parseClause({ knn: { [field]: near } })).toMatchObject({ kind: 'knn', field });
  });

  test('inside other queries, and as a list of a hybrid query', () => {
    const inBool = (knn: Json): Json => ({ bool: { must: { knn }, filter: [term] } });
    expect(parseClause(inBool({ v: near }))).toEqual(parseClause(inBool(own)));
    const hybrid = (knn: Json): JsonObject => ({
      query: { hybrid: { queries: [{ match: { t: 'x' } }, { knn }] } },
    });
    expect(compile(hybrid({ v: near })).plan).toEqual(compile(hybrid(own)).plan);
  });
});

const P = 'parsing_exception';
const I = 'illegal_argument_exception';

test.each<[Json, string, ...string[]]>([
  [{ v: {} }, I, 'requires a [vector] for [v]'],
  [{ v: { k: 3 } }, I, 'requires a [vector] for [v]'],
  [{ v: { vector: [1] } }, I, 'requires one of [k] and [min_score]'],
  [{ v: { vector: [1], k: 1, min_score: 1 } }, I, 'requires one of [k] and [min_score]'],
  [{ v: { vector: [1], k: 0 } }, I, '[k] must be greater than 0'],
  [{ v: { vector: [1], k: 10_001 } }, I, '[k] cannot exceed [10000]'],
  [{ v: { vector: [1], min_score: 0 } }, I, '[min_score] to be greater than 0, got [0]'],
  [{ v: { vector: [1], max_distance: 2 } }, P, '[max_distance] of [v]', 'give a [min_score]'],
  [{ v: { vector: [1], k: 1, similarity: 1 } }, P, 'does not support [similarity]'],
  [{ v: { vector: ['x'], k: 1 } }, P, '[VALUE_STRING]'],
  [{ v: { vector: [1], k: 1, filter: 'x' } }, P, "filter doesn't support values of type"],
  [{ v: { vector: [1], k: 1, expand_nested_docs: true } }, P, 'use [inner_hits] of [nested]'],
  [{ v: { vector: [1], k: 1, ignore_unmapped: 'x' } }, I, '[ignore_unmapped] of [knn]'],
  [{ v: { vector: [1], k: 1, rescore: 3 } }, I, '[rescore] of [knn]'],
  [{ v: { vector: [1], k: 1, rescore: { oversample_factor: 0.5 } } }, I, '1 to 100, got [0.5]'],
  [{ v: { vector: [1], k: 1, rescore: { other: 1 } } }, P, '[other]'],
  [{ v: { vector: [1], k: 1, method_parameters: { m: 1 } } }, P, '[m]'],
  [{ v: { vector: [1], k: 1, method_parameters: { ef_search: 0 } } }, I, '[ef_search]'],
  [{ v: near, w: near }, P, "doesn't support multiple fields, found [v] and [w]"],
  [{ v: near, k: 3 }, P, 'multiple fields'],
  [{ filter: term }, I, 'Required [field]'],
  [{ field: 'v', filter: { vector: 1 }, query_vector: [1] }, P, 'unknown query [vector]'],
  [{ v: [1, 2] }, I, 'Required [field]'],
])('%j is refused', (body, type, ...words) => {
  const error = refusal(() => compile({ query: { knn: body } }));
  expect(error).toContain(`${type}: `);
  for (const one of words) expect(error).toContain(one);
});
