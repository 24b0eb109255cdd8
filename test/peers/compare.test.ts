// What the comparison with a peer treats as equal, and what it must not.
import { describe, expect, test } from 'vitest';
import { compare } from './compare.ts';
import { KNOWN } from './differences.ts';
import { nestedRequests } from './nested/requests.ts';
import { REQUESTS } from './requests/index.ts';

const ALL = [...REQUESTS, ...nestedRequests(39)];

const hit = (_id: string, _score: number) => ({ _index: 'i', _id, _score });
const inside = (offset: number) => ({ ...hit('a', 1), _nested: { field: 'c', offset }, n: offset });
const page = (...hits: readonly object[]) => ({ took: 1, hits: { hits } });
const refusal = (type: string, cause: string, status = 400) => ({
  status,
  error: { type, reason: 'words', root_cause: [{ type: cause }] },
});

describe('the same', () => {
  test.each([
    ['times', { took: 1 }, { took: 9 }],
    ['rounded scores', page(hit('a', 1.234567)), page(hit('a', 1.2345671))],
    [
      'ties in any order',
      page(hit('a', 1), hit('b', 1), hit('c', 0.5)),
      page(hit('b', 1), hit('a', 1), hit('c', 0.5)),
    ],
    ['nested documents of one document', page(inside(0), inside(1)), page(inside(1), inside(0))],
    ['any of the ties at the end', page(hit('a', 2), hit('b', 1)), page(hit('a', 2), hit('c', 1))],
    ['names in any order', { matched_queries: ['a', 'b'] }, { matched_queries: ['b', 'a'] }],
    ['refusals of one type', refusal('a', 'a'), refusal('a', 'a')],
    [
      'refusals before the shards',
      refusal('search_phase_execution_exception', 'a'),
      refusal('a', 'a'),
    ],
  ])('%s', (_name, peer, quarry) => {
    expect(compare(peer, quarry)).toEqual([]);
  });
});

describe('different', () => {
  test.each([
    ['another value', { a: { b: 1 } }, { a: { b: 2 } }, 'a.b'],
    ['a member less', { a: 1, b: null }, { a: 1 }, 'b'],
    ['a member more', { a: 1 }, { a: 1, b: null }, 'b'],
    ['a list that is shorter', { a: [1, 2] }, { a: [1] }, 'a'],
    ['a text for a number', { a: 1 }, { a: '1' }, 'a'],
    ['another score', page(hit('a', 1)), page(hit('a', 1.1)), 'hits.hits[i/a]._score'],
    [
      'another order',
      page(hit('a', 2), hit('b', 1)),
      page(hit('b', 2), hit('a', 1)),
      'hits.hits[i/a]',
    ],
    [
      'a tie before the end',
      page(hit('a', 2), hit('b', 1)),
      page(hit('c', 2), hit('b', 1)),
      'hits.hits[i/a]',
    ],
    [
      'a name less',
      { matched_queries: ['a', 'b'] },
      { matched_queries: ['a'] },
      'matched_queries as a set',
    ],
    ['another type', refusal('a', 'a'), refusal('b', 'a'), '.error.type'],
    ['another status', refusal('a', 'a'), refusal('a', 'a', 500), '.status'],
    ['a refusal for an answer', refusal('a', 'a'), { a: 1 }, 'status'],
  ])('%s', (_name, peer, quarry, path) => {
    expect(compare(peer, quarry)[0]?.path).toBe(path);
  });
});

test('there are at least 300 requests of nested documents, and each has a name of its own', () => {
  expect(nestedRequests(39).length).toBe(300);
  const names = ALL.map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(300);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test('every known difference belongs to a request', () => {
  for (const { request } of KNOWN) expect(ALL.some(({ name }) => request.test(name))).toBe(true);
});
