// The estimated cost of searches, which decides on inline execution.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { compile } from './compile.ts';

const match = (query: string, more: object = {}): JsonObject => ({
  match: { text: { query, ...more } },
});

test.each<[number, JsonObject]>([
  [1, {}],
  [1, { query: { term: { tag: 'a' } } }],
  [3, { query: match('one two three') }],
  [8, { query: { match_phrase: { text: 'one two' } } }],
  [4, { query: { prefix: { text: 'abc' } } }],
  [8, { query: { prefix: { text: 'ab' } } }],
  [16, { query: { prefix: { text: 'a' } } }],
  [4, { query: { wildcard: { text: 'abc' } } }],
  [8, { query: { wildcard: { text: 'ab*d' } } }],
  [16, { query: { wildcard: { text: 'a\\\\*' } } }],
  [16, { query: { wildcard: { text: '*bcd' } } }],
  [16, { query: { wildcard: { text: '?a*bcd*' } } }],
  [12, { knn: { field: 'v', query_vector: [1, 2], k: 3, num_candidates: 5 } }],
  [12, { knn: { field: 'v', query_vector: [1, 2], k: 3, num_candidates: 100 } }],
  [49, { query: match('a'), knn: { field: 'v', query_vector: [1], k: 3, num_candidates: 1000 } }],
  [
    14,
    {
      knn: { field: 'v', query_vector: [1], k: 3, num_candidates: 9, filter: [match('a b')] },
    },
  ],
  [12, { query: { fuzzy: { text: 'abc' } } }],
  [24, { query: match('abc def', { fuzziness: 1 }) }],
  [2, { query: { terms: { tag: ['a', 'b'] } } }],
  [3, { query: { bool: { must: [match('a b')], filter: [{ range: { n: { lt: 3 } } }] } } }],
  [2, { query: { constant_score: { filter: match('a b') } } }],
  [2, { query: match('a'), post_filter: { term: { tag: 'a' } } }],
  [6, { query: match('a b'), sort: [{ n: 'desc' }] }],
  [13, { query: match('a'), size: 0, aggs: { t: { terms: { field: 'tag' } } } }],
  [
    25,
    {
      query: match('a'),
      size: 0,
      aggs: { t: { terms: { field: 'tag' }, aggs: { n: { max: { field: 'n' } } } } },
    },
  ],
])('%d: %j', (weight, body) => {
  expect(compile(body).weight).toBe(weight);
});

test.each<[JsonObject]>([
  [{ query: { wildcard: { text: '*a' } } }],
  [{ query: { wildcard: { text: '?a' } } }],
  [{ query: { wildcard: { text: { value: 'abc*', case_insensitive: true } } } }],
  [{ query: { prefix: { text: '' } } }],
  [{ query: { prefix: { text: { value: 'abc', case_insensitive: true } } } }],
  [{ query: { regexp: { text: 'a.*' } } }],
  [{ query: match('x'.repeat(101)) }],
  [{ query: { bool: { must: [match('a')], should: [{ wildcard: { text: '*a' } }] } } }],
  [{ query: { term: { tag: { value: 'a', case_insensitive: true } } } }],
  [{ query: match('a'), size: 21 }],
  [{ query: match('a'), from: 11 }],
  [{ query: match('a'), explain: true }],
  [{ query: match('a'), highlight: { fields: { text: {} } } }],
  [{ query: match('a'), collapse: { field: 'tag' } }],
  [{ query: match('a'), rescore: { query: { rescore_query: match('b') }, window_size: 10 } }],
  [
    {
      knn: {
        field: 'v',
        query_vector: [1],
        k: 3,
        num_candidates: 9,
        filter: { regexp: { text: 'a' } },
      },
    },
  ],
  [{ query: { wildcard: { text: '*ab*' } } }],
  [
    {
      query: match('a'),
      aggs: {
        t: {
          terms: { field: 'tag' },
          aggs: { u: { terms: { field: 'tag' }, aggs: { n: { max: { field: 'n' } } } } },
        },
      },
    },
  ],
  [{ query: match('a'), aggs: { t: { terms: { field: 'tag' }, aggs: { h: { top_hits: {} } } } } }],
])('not to be told: %j', (body) => {
  expect(compile(body).weight).toBe(Number.POSITIVE_INFINITY);
});
