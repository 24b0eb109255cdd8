// Long lists in requests other than searches: limits with their error messages, and work in
// proportion to their length.
import { describe, expect, test } from 'vitest';
import { readActions } from '../../src/api/indices/alias-actions.ts';
import { UrlParams } from '../../src/api/kit/params.ts';
import type { ApiRequest } from '../../src/api/kit/routes.ts';
import { type Column, tableAnswer } from '../../src/api/kit/table.ts';
import type { JsonObject } from '../../src/backend/index.ts';
import { flatten } from '../../src/coordinator/catalog/settings.ts';
import { checkFieldCount } from '../../src/coordinator/inference/mapped-embedders.ts';

const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe('alias actions', () => {
  const add = (indices: number, aliases: number) => ({
    add: { indices: many(indices, (i) => `i${i}`), aliases: many(aliases, (i) => `a${i}`) },
  });

  test('change at most 2,000 pairs of an index and an alias', () => {
    expect(readActions({ actions: [add(20, 100)] })[0]?.actions).toHaveLength(2000);
    const refused =
      'pairs of an index and an alias, more than [2000]: send them in several requests';
    expect(() => readActions({ actions: [add(21, 100)] })).toThrow(refused);
    expect(() => readActions({ actions: [add(20, 100), add(1, 1)] })).toThrow(refused);
  });

  test('are refused before pairs are made of them', () => {
    // A billion pairs would not fit into memory.
    expect(() => readActions({ actions: [add(40_000, 40_000)] })).toThrow('[1600000000] or more');
  });
});

describe('a table', () => {
  const columns: readonly Column[] = many(60, (i) => ({
    name: `c${i}`,
    aliases: [`other${i}`],
    about: '',
    shown: i < 2,
  }));
  const rows = [
    { c0: 'b', c1: 2 },
    { c0: 'a', c1: 1 },
  ];
  const shown = (params: Record<string, string>): string | undefined =>
    tableAnswer(
      { params: new UrlParams(params), accept: undefined } as unknown as ApiRequest,
      columns,
      rows,
    ).text;

  test('shows a column that is named twice once, and under another name again', () => {
    expect(shown({ h: 'c0,c1,c0,c*0', v: 'true' })?.split('\n')[0]).toBe(
      'c0 c1 c10 c20 c30 c40 c50',
    );
    expect(shown({ h: 'c0,other0', v: 'true' })?.split('\n')[0]).toBe('c0 other0');
  });

  test('names at most 500 columns', () => {
    expect(shown({ h: 'c0,'.repeat(500) })).toBe('b\na\n');
    expect(() => shown({ h: 'c0,'.repeat(501) })).toThrow(
      '[h] names [501] columns, more than [500]: name each once, or use patterns',
    );
    expect(() => shown({ s: 'c0,'.repeat(501) })).toThrow('[s] names [501] columns');
  });

  test('is sorted by the first order that names a column', () => {
    expect(shown({ h: 'c0', s: 'c0:desc,c0:asc' })).toBe('b\na\n');
    expect(shown({ h: 'c0', s: 'c1,c0:desc' })).toBe('a\nb\n');
  });
});

test('a mapping has at most 20,000 fields in one request, of all levels', () => {
  const properties = (count: number): JsonObject =>
    Object.fromEntries(many(count, (i) => [`f${i}`, { type: 'keyword' }] as const));
  const nested = (inner: number): JsonObject => ({
    properties: { ...properties(9999), object: { properties: properties(inner) } },
  });
  expect(() => checkFieldCount(nested(10_000))).not.toThrow();
  expect(() => checkFieldCount(nested(10_001))).toThrow(
    '[mappings] has more than [20000] fields, add them in several requests',
  );
});

test('dynamic templates of a mapping are limited', () => {
  const mappings = (count: number): JsonObject => ({
    dynamic_templates: Array.from({ length: count }, (_, i) => ({ [`t${i}`]: { mapping: {} } })),
  });
  expect(() => checkFieldCount(mappings(1000))).not.toThrow();
  expect(() => checkFieldCount(mappings(1001))).toThrow(
    '[dynamic_templates] has [1001] entries, more than [1000]: let one match more fields',
  );
});

test('settings of an index are limited, those of a list count as one', () => {
  const settings = (count: number): JsonObject => ({
    index: Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}`, { a: '1' }])),
  });
  expect(flatten(settings(10_000)).size).toBe(10_000);
  expect(() => flatten(settings(10_001))).toThrow('[settings] are more than [10000]');
  const words = Array.from({ length: 20_000 }, (_, i) => `w${i}`);
  expect(flatten({ analysis: { filter: { f: { stopwords: words } } } }).size).toBe(1);
});
