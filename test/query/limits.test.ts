// Limits of one search: every bounded place with given limits, and the combined limits of several
// indexes.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { limitsOf } from '../../src/coordinator/catalog/limit-settings.ts';
import { createSettings } from '../../src/coordinator/catalog/settings.ts';
import { DEFAULT_LIMITS, leastLimits, type SearchLimits } from '../../src/query/limits.ts';
import { compileCount, compileSearch } from '../../src/query/search-body.ts';
import { readOpcodes } from '../tools/opcodes.ts';
import { label, refusal } from './compile.ts';

const opcodes = readOpcodes();
const set: SearchLimits = {
  resultWindow: 20,
  rescoreWindow: 12,
  innerResultWindow: 4,
  docvalueFields: 2,
  scriptFields: 5,
  topMetrics: 6,
  termsCount: 2,
  regexLength: 3,
  highlightOffset: 7,
};
const compile = (body: JsonObject, limits = set, filters: readonly JsonObject[] = []): unknown =>
  compileSearch(body, { opcodes, nowMs: 0, limits, filters });

const matchAll = { match_all: {} };
const three = { terms: { k: ['1', '2', '3'] } };
const four = { regexp: { k: 'abcd' } };
const TERMS =
  'The number of terms [3] used in the Terms Query request has exceeded the allowed maximum of [2]. This maximum can be set by changing the [index.max_terms_count] index level setting.';
const REGEX =
  'The length of regex [4] used in the Regexp Query request has exceeded the allowed maximum of [3]. This maximum can be set by changing the [index.max_regex_length] index level setting.';
const inner = (from: number, size: number): JsonObject => ({
  collapse: { field: 'k', inner_hits: { name: 'n', from, size } },
});

const beyond: readonly (readonly [JsonObject, string])[] = [
  [{ query: three }, TERMS],
  [{ query: { bool: { filter: [three] } } }, TERMS],
  [{ post_filter: three }, TERMS],
  [{ aggs: { f: { filter: three } } }, TERMS],
  [{ aggs: { all: { global: {}, aggs: { f: { filter: three } } } } }, TERMS],
  [{ rescore: { query: { rescore_query: three } } }, TERMS],
  [{ highlight: { fields: { k: { highlight_query: three } } } }, TERMS],
  [{ knn: { field: 'v', query_vector: [1], k: 1, filter: three } }, TERMS],
  [{ query: four }, REGEX],
  [{ query: { query_string: { query: 'k:/abcd/' } } }, 'regex [4] used in the [query_string] has'],
  [inner(2, 3), "definition's [n]'s from + size must be less than or equal to: [4] but was [5]"],
  [
    { aggs: { x: { top_hits: { from: 1, size: 4 } } } },
    "aggregator [x]'s from + size must be less than or equal to: [4] but was [5]",
  ],
  [
    { rescore: { window_size: 13, query: { rescore_query: matchAll } } },
    'Rescore window [13] is too large. It must be less than [12].',
  ],
  [{ size: 21 }, 'must be less than or equal to: [20] but was [21]'],
  [{ docvalue_fields: ['a', 'b', 'c'] }, 'Must be less than or equal to: [2] but was [3]'],
];

describe('a search', () => {
  test.each(
    beyond.map(([body, words]) => [label(body), body, words] as const),
  )('%s goes beyond what is set', (_, body, words) => {
    expect(refusal(() => compile(body))).toContain(`illegal_argument_exception: `);
    expect(refusal(() => compile(body))).toContain(words);
    expect(refusal(() => compile(body, DEFAULT_LIMITS))).toBe('nothing was refused');
  });

  test.each<[JsonObject]>([
    [{ query: { terms: { k: ['1', '2'] } } }],
    [{ query: { regexp: { k: 'abc' } } }],
    [{ query: { query_string: { query: 'k:/abc/' } } }],
    [inner(1, 3)],
    [{ aggs: { x: { top_hits: { size: 4 } } } }],
    [{ rescore: { window_size: 12, query: { rescore_query: matchAll } } }],
    [{ size: 20, docvalue_fields: ['a', 'b'] }],
  ])('may ask for all that is set: %o', (body) => {
    expect(refusal(() => compile(body))).toBe('nothing was refused');
  });

  test('is bounded in the filters of its aliases, and as a count', () => {
    expect(refusal(() => compile({}, set, [three]))).toContain(TERMS);
    const context = { opcodes, nowMs: 0, limits: set };
    expect(refusal(() => compileCount({ query: three }, context))).toContain(TERMS);
  });

  test('may ask for more than the defaults where more is set', () => {
    const more = { ...set, termsCount: 70_000, regexLength: 2000, innerResultWindow: 500 };
    const values = Array.from({ length: 70_000 }, (_, n) => n);
    const bodies = [
      { query: { terms: { n: values } } },
      { query: { regexp: { k: 'x'.repeat(2000) } } },
      { aggs: { x: { top_hits: { size: 500 } } } },
    ];
    for (const body of bodies) {
      expect(refusal(() => compile(body))).toContain('illegal_argument_exception');
      expect(refusal(() => compile(body, more))).toBe('nothing was refused');
    }
  });
});

describe('limits', () => {
  test('of several indexes are the least of each', () => {
    const other = { ...DEFAULT_LIMITS, termsCount: 1, regexLength: 4000 };
    expect(leastLimits([set, other])).toEqual({ ...set, termsCount: 1 });
    expect(leastLimits([set])).toBe(set);
    expect(leastLimits([])).toBe(DEFAULT_LIMITS);
  });

  test('come from settings, the rescore window from the result window where it is not set', () => {
    expect(limitsOf(createSettings({ refresh_interval: '1s' }))).toBe(DEFAULT_LIMITS);
    expect(limitsOf(createSettings({ max_result_window: 50_000 }))).toEqual({
      ...DEFAULT_LIMITS,
      resultWindow: 50_000,
      rescoreWindow: 50_000,
    });
    const all = {
      max_result_window: 20,
      max_rescore_window: 12,
      max_inner_result_window: 4,
      max_docvalue_fields_search: 2,
      max_script_fields: 5,
      top_metrics_max_size: 6,
      max_terms_count: 2,
      max_regex_length: 3,
      highlight: { max_analyzed_offset: 7 },
    };
    expect(limitsOf(createSettings(all))).toEqual(set);
  });

  test.each([
    ['max_terms_count', 0, 'must be >= 1'],
    ['max_terms_count', 1_048_577, 'must be <= 1048576'],
    ['top_metrics_max_size', 0, 'must be >= 1'],
    ['top_metrics_max_size', 10_001, 'must be <= 10000'],
    ['max_regex_length', 0, 'must be >= 1'],
    ['max_regex_length', 10_001, 'must be <= 10000'],
    ['max_inner_result_window', 0, 'must be >= 1'],
    ['max_rescore_window', 0, 'must be >= 1'],
  ])('[index.%s] cannot be %s', (name, value, words) => {
    expect(() => createSettings({ [name]: value })).toThrowError(
      `Failed to parse value [${value}] for setting [index.${name}] ${words}`,
    );
  });
});
