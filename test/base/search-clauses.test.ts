// Clauses of one kind are found and replaced wherever a search body has a clause, and nowhere else.
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/backend/index.ts';
import { mentionsClause, replaceClauses } from '../../src/base/search-clauses.ts';

const one = { mine: { a: 1 } };
const places: readonly [string, (clause: Json) => JsonObject][] = [
  ['the query', (query) => ({ query })],
  ['a list of bool', (clause) => ({ query: { bool: { must_not: [{ match_all: {} }, clause] } } })],
  ['functions', (filter) => ({ query: { function_score: { functions: [{ filter }] } } })],
  ['the filter of vectors', (filter) => ({ knn: { field: 'v', filter } })],
  ['an aggregation', (filter) => ({ aggs: { a: { filter, aggs: {} } } })],
  ['named filters', (clause) => ({ aggs: { a: { filters: { filters: { filter: clause } } } } })],
  ['filters without names', (clause) => ({ aggs: { a: { filters: { filters: [clause] } } } })],
  [
    'an adjacency matrix',
    (clause) => ({ aggs: { a: { adjacency_matrix: { filters: { clause } } } } }),
  ],
  ['a rescore', (clause) => ({ rescore: { query: { rescore_query: clause } } })],
  ['a retriever', (query) => ({ retriever: { rrf: { retrievers: [{ standard: { query } }] } } })],
];

test.each(places)('in %s', async (_name, place) => {
  expect(mentionsClause(place(one), 'mine')).toBe(true);
  const body = await replaceClauses(place(one), 'mine', async (value, isNested) => ({
    found: { value, isNested },
  }));
  expect(body).toEqual(place({ found: { value: { a: 1 }, isNested: false } }));
});

test('a clause inside a nested query is known to be', async () => {
  const body = { query: { bool: { must: { nested: { path: 'p', query: { bool: one } } } } } };
  expect(mentionsClause(body, 'mine')).toBe(false);
  const inside = { query: { nested: { path: 'p', query: { bool: { filter: [one] } } } } };
  const found: boolean[] = [];
  await replaceClauses(inside, 'mine', async (_value, isNested) => {
    found.push(isNested);
    return {};
  });
  expect(found).toEqual([true]);
});

test('fields and values of the name are no clauses', () => {
  for (const body of [
    { query: { term: { mine: 'a' } } },
    { query: { match: { mine: { query: 'a' } } } },
    { sort: [{ mine: 'asc' }] },
    { query: { bool: { must: [{ mine: {}, other: {} }] } } },
    { knn: { field: 'v', query_vector: [1, 2] } },
  ]) {
    expect(mentionsClause(body, 'mine')).toBe(false);
  }
});
