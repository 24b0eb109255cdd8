// The group_score clause: its parsed form and its errors.
import { expect, test } from 'vitest';
import type { Json } from '../../src/backend/index.ts';
import { parseClause, refusal } from './compile.ts';

const match = { match: { body: 'a' } };
const term = { term: { f: 'a' } };

test('groups by a field; queries and filters may be one or several', () => {
  const body = { field: 'thread', queries: [match, term], filter: term, _name: 'n' };
  expect(parseClause({ group_score: body })).toEqual({
    kind: 'group_score',
    boost: 1,
    name: 'n',
    field: 'thread',
    queries: [parseClause(match), parseClause(term)],
    filter: parseClause(term),
  });
  expect(parseClause({ group_score: { field: 'thread', queries: match } })).toMatchObject({
    queries: [parseClause(match)],
    filter: undefined,
  });
});

const refused: readonly (readonly [Json, string])[] = [
  [{}, '[group_score] Required [field]'],
  [{ field: 'f' }, '[group_score] Required [queries]'],
  [{ field: 'f', queries: [] }, '[queries] is empty'],
  [{ field: 3, queries: [match] }, "field doesn't support values of type: VALUE_NUMBER"],
  [{ field: 'f', queries: [match], filter: 3 }, "filter doesn't support values of type"],
  [{ field: 'f', queries: [{}] }, 'query malformed'],
  [{ field: 'f', queries: [match], nope: 1 }, 'nope'],
];

test.each(refused)('refuses %j', (body, reason) => {
  expect(refusal(() => parseClause({ group_score: body }))).toContain(reason);
});
