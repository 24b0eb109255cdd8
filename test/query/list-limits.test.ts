// The maximum lengths of lists in a search body: longer ones are rejected with an error that names
// an alternative.
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/backend/index.ts';
import { compile, parseClause, refusal } from './compile.ts';

const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const named = (count: number, value: Json): JsonObject =>
  Object.fromEntries(many(count, (i) => [`a${i}`, value] as const));
const agg = (body: JsonObject): JsonObject => ({ aggs: { a: body } });
const wrapped = (query: JsonObject): JsonObject => ({
  wrapper: { query: Buffer.from(JSON.stringify(query)).toString('base64') },
});

/** The place of the list, and a body with `count` entries. */
const LISTS: readonly (readonly [
  name: string,
  most: number,
  make: (count: number) => JsonObject,
])[] = [
  ['[sort]', 100, (count) => ({ sort: many(count, (i) => `f${i}`) })],
  ['[fields]', 1000, (count) => ({ fields: many(count, (i) => `f${i}`) })],
  [
    '[fields] of [highlight]',
    500,
    (count) => ({ query: { match_all: {} }, highlight: { fields: named(count, {}) } }),
  ],
  ['[indices_boost]', 1000, (count) => ({ indices_boost: many(count, (i) => ({ [`i${i}`]: 2 })) })],
  [
    '[fields] of a query',
    1024,
    (count) => ({ query: { multi_match: { query: 'x', fields: many(count, (i) => `f${i}`) } } }),
  ],
  [
    '[functions] of [function_score]',
    1024,
    (count) => ({
      query: { function_score: { functions: many(count, () => ({ weight: 2 })) } },
    }),
  ],
  [
    '[inner_hits] of [collapse]',
    16,
    (count) => ({
      size: 1,
      collapse: { field: 'k', inner_hits: many(count, (i) => ({ name: `h${i}` })) },
    }),
  ],
  [
    '[sources] of [composite]',
    64,
    (count) =>
      agg({
        composite: { sources: many(count, (i) => ({ [`s${i}`]: { terms: { field: 'k' } } })) },
      }),
  ],
  [
    '[terms] of [multi_terms]',
    64,
    (count) => agg({ multi_terms: { terms: many(count, (i) => ({ field: `f${i}` })) } }),
  ],
  [
    '[metrics] of [top_metrics]',
    100,
    (count) =>
      agg({ top_metrics: { sort: 'n', metrics: many(count, (i) => ({ field: `f${i}` })) } }),
  ],
  [
    '[ranges]',
    1000,
    (count) => agg({ range: { field: 'n', ranges: many(count, (i) => ({ from: i })) } }),
  ],
  ['[aggs] of all levels', 2000, (count) => ({ aggs: named(count, { max: { field: 'n' } }) })],
];

describe('lists of a search body', () => {
  test.each(LISTS)('%s has at most %d entries', (name, most, make) => {
    expect(refusal(() => compile(make(most)))).toBe('nothing was refused');
    expect(refusal(() => compile(make(most + 1)))).toMatch(
      `illegal_argument_exception: ${name} has [${most + 1}] entries, more than [${most}]: `,
    );
  });

  test('aggregations of all levels are counted together', () => {
    const inner = { terms: { field: 'k' }, aggs: named(1999, { max: { field: 'n' } }) };
    expect(refusal(() => compile({ aggs: { a: inner } }))).toBe('nothing was refused');
    expect(refusal(() => compile({ aggs: { a: inner, b: { max: { field: 'n' } } } }))).toContain(
      '[aggs] of all levels has [2001] entries',
    );
  });

  test('groups of collapsed hits are searched at most 2,000 times', () => {
    const body = (size: number) => ({
      size,
      collapse: { field: 'k', inner_hits: many(10, (i) => ({ name: `h${i}` })) },
    });
    expect(refusal(() => compile(body(200)))).toBe('nothing was refused');
    expect(refusal(() => compile(body(201)))).toContain(
      'takes [2010] searches, more than [2000]: ask for a smaller page',
    );
  });

  test('wrappers of a query hold no more than a megabyte, one in another', () => {
    let query: JsonObject = { match_all: {} };
    for (let i = 0; i < 40; i++) query = wrapped(query);
    expect(refusal(() => parseClause(query))).toContain(
      'the [wrapper] clauses of a query hold more than [1048576] characters: send the queries as they are',
    );
    expect(parseClause(wrapped(wrapped({ match_all: {} })))).toMatchObject({ kind: 'match_all' });
  });

  test('words of a query string in named fields are clauses', () => {
    const body = (words: number, fields: number) => ({
      query_string: {
        query: many(words, (i) => `"w${i}"`).join(' '),
        fields: many(fields, (i) => `f${i}`),
      },
    });
    expect(refusal(() => parseClause(body(64, 256)))).toBe('nothing was refused');
    expect(refusal(() => parseClause(body(65, 256)))).toContain(
      'the words of a query string in [256] fields are more than [16384] clauses',
    );
  });

  test('a number format is as long as numbers are', () => {
    const format = (pattern: string) =>
      refusal(() => compile({ docvalue_fields: [{ field: 'n', format: pattern }] }));
    expect(format(`0.${'0'.repeat(20)}`)).toBe('nothing was refused');
    expect(format(`0.${'0'.repeat(21)}`)).toContain('more than [21] or [20]');
    expect(format('0'.repeat(22))).toContain('has [22] digits before the point');
    expect(format(`0${' '.repeat(400)}`)).toContain('[format] has [401] characters');
  });
});
