// `highlight`, `collapse` and `rescore` of a body: the parsed options, and the errors.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/backend/index.ts';
import { parseCollapse } from '../../src/query/collapse.ts';
import { parseHighlight } from '../../src/query/fetch/highlight.ts';
import { DEFAULT_LIMITS } from '../../src/query/limits.ts';
import { combined, parseRescore } from '../../src/query/rescore.ts';
import { compile, label, refusal } from './compile.ts';

const defaults = {
  plain: false,
  preTag: '<em>',
  postTag: '</em>',
  html: false,
  byScore: false,
  requireFieldMatch: true,
  fragmentSize: 100,
  numberOfFragments: 5,
  noMatchSize: 0,
  boundaryScanner: 'sentence',
  boundaryChars: '.,!? \t\n',
  boundaryMaxScan: 20,
  maxAnalyzedOffset: 0,
  phraseLimit: 0,
  matchedFields: [],
};

const options: readonly (readonly [Json, object])[] = [
  [{ fields: { a: {} } }, {}],
  [{ fields: [{ a: {} }] }, {}],
  [{ type: 'plain', fields: { a: { type: 'fvh' } } }, {}],
  [{ type: 'fvh', fields: { a: { type: 'plain' } } }, { plain: true }],
  [
    { fragment_size: '40', fields: { a: { number_of_fragments: 0 } } },
    { fragmentSize: 40, numberOfFragments: 0 },
  ],
  [{ fragment_size: 7, fields: { a: { fragment_size: -1 } } }, {}],
  [{ tags_schema: 'styled', fields: { a: {} } }, { preTag: '<em class="hlt1">' }],
  [
    { pre_tags: ['<b>'], post_tags: ['</b>'], tags_schema: 'styled', fields: { a: {} } },
    { preTag: '<em class="hlt1">' },
  ],
  [
    {
      pre_tags: ['<b>'],
      post_tags: ['</b>'],
      tags_schema: 'styled',
      fields: { a: { pre_tags: ['<i>'], post_tags: ['</i>'] } },
    },
    { preTag: '<i>', postTag: '</i>' },
  ],
  [
    { pre_tags: ['<b>', '<i>'], post_tags: '</b>', fields: { a: {} } },
    { preTag: '<b>', postTag: '</b>' },
  ],
  [
    { order: 'score', encoder: 'HTML', fields: { a: {} } },
    { byScore: true, html: true },
  ],
  [{ fields: { a: { encoder: 'html' } } }, { html: true }],
  [{ encoder: 'html', fields: { a: { encoder: 'default' } } }, { html: false }],
  [{ fields: { a: { tags_schema: 'styled' } } }, { preTag: '<em class="hlt1">' }],
  [
    { pre_tags: ['<b>'], post_tags: ['</b>'], fields: { a: { tags_schema: 'styled' } } },
    { preTag: '<em class="hlt1">' },
  ],
  [{ require_field_match: 'false', fields: { a: {} } }, { requireFieldMatch: false }],
  [
    { boundary_scanner: 'WORD', boundary_chars: '.', boundary_max_scan: 3, fields: { a: {} } },
    { boundaryScanner: 'word', boundaryChars: '.', boundaryMaxScan: 3 },
  ],
  [
    { fields: { a: { matched_fields: ['a', 'a.b'], no_match_size: 9, phrase_limit: 2 } } },
    { matchedFields: ['a', 'a.b'], noMatchSize: 9, phraseLimit: 2 },
  ],
  [{ max_analyzed_offset: 5, options: {}, fields: { a: {} } }, { maxAnalyzedOffset: 5 }],
  [
    {
      force_source: true,
      highlight_filter: false,
      boundary_scanner_locale: 'de',
      fields: { a: {} },
    },
    {},
  ],
  [{ fragmenter: 'span', fields: { a: { fragment_offset: 2 } } }, {}],
];

const field = (own: Json): Json => ({ fields: { a: own } });
const refusedHighlights: readonly (readonly [Json, string])[] = [
  [[], 'parsing_exception: Unknown key for a START_ARRAY in [highlight].'],
  ['x', 'Unknown key for a VALUE_STRING in [highlight].'],
  [{ fields: 'a' }, "fields doesn't support values of type: VALUE_STRING"],
  [{ fields: ['a'] }, 'an array where each entry is an object with a single field'],
  [{ fields: [{ a: {}, b: {} }] }, 'an array where each entry is an object with a single field'],
  [field(null), 'Expected START_OBJECT but was: VALUE_NULL'],
  [{ foo: 1 }, 'parsing_exception: [highlight] unknown field [foo]'],
  [
    field({ fragmentsize: 1 }),
    'unknown field [fragmentsize] did you mean any of [fragment_size, fragmenter, fragment_offset]?',
  ],
  [{ matched_fields: ['a'] }, '[highlight] unknown field [matched_fields]'],
  [field({ type: 'semantic' }), 'unknown highlighter type [semantic] for the field [a]'],
  [field({ fragmenter: 'x' }), 'unknown fragmenter option [x] for the field [a]'],
  [{ order: 'best' }, 'unknown value [best] of [order]'],
  [{ encoder: 'xml' }, 'unknown value [xml] of [encoder]'],
  [{ tags_schema: 'x' }, 'unknown value [x] of [tags_schema]'],
  [{ boundary_scanner: 'x' }, 'unknown value [x] of [boundary_scanner]'],
  [{ pre_tags: [], post_tags: [] }, 'pre_tags or post_tags must not be empty'],
  [field({ pre_tags: ['<b>'], post_tags: [] }), 'pre_tags or post_tags must not be empty'],
  [{ pre_tags: ['<b>'] }, 'parsing_exception: pre_tags are set but post_tags are not set'],
  [{ pre_tags: 5, post_tags: 5 }, "pre_tags doesn't support values of type: VALUE_NUMBER"],
  [{ number_of_fragments: 'x' }, 'illegal_argument_exception: failed to parse'],
  [{ number_of_fragments: -2 }, '[number_of_fragments] cannot be negative, got [-2]'],
  [{ fragment_size: {} }, "fragment_size doesn't support values of type: START_OBJECT"],
  [{ fragment_size: 1.5 }, 'cannot be converted to Integer without data loss'],
  [{ no_match_size: true }, 'failed to parse [no_match_size]'],
  [{ boundary_max_scan: -3 }, '[boundary_max_scan] cannot be negative'],
  [{ max_analyzed_offset: 0 }, '[max_analyzed_offset] must be a positive integer'],
  [{ phrase_limit: 0 }, '[phrase_limit] must be a positive integer'],
  [{ require_field_match: 'x' }, 'only [true] or [false] are allowed'],
  [{ highlight_filter: 1 }, 'only [true] or [false] are allowed'],
  [{ force_source: 'x' }, 'only [true] or [false] are allowed'],
  [{ boundary_chars: 5 }, "boundary_chars doesn't support values of type: VALUE_NUMBER"],
  [{ boundary_scanner_locale: 5 }, "boundary_scanner_locale doesn't support values"],
  [{ options: { a: 1 } }, '[options] of other highlighters are not supported'],
  [field({ matched_fields: [1] }), "matched_fields doesn't support values of type: VALUE_NUMBER"],
  [{ highlight_query: { nope: {} } }, 'unknown query [nope]'],
  [field({ highlight_query: { knn: { field: 'v', query_vector: [1] } } }), '[knn] has no terms'],
];

const refusedCollapses: readonly (readonly [Json, string])[] = [
  ['k', 'parsing_exception: Unknown key for a VALUE_STRING in [collapse].'],
  [{}, '[collapse] requires [field]'],
  [{ field: 5 }, '[collapse] requires [field]'],
  [{ field: 'k', foo: 1 }, '[collapse] unknown field [foo]'],
  [{ field: 'k', max_concurrent_group_searches: 0 }, 'must be positive, got [0]'],
  [{ field: 'k', inner_hits: 'x' }, 'Unknown key for a VALUE_STRING in [inner_hits].'],
  [{ field: 'k', inner_hits: {} }, 'inner_hits must have a [name]'],
  [{ field: 'k', inner_hits: { name: 'a', foo: 2 } }, '[inner_hits] unknown field [foo]'],
  [{ field: 'k', inner_hits: [{ name: 'a' }, { name: 'a' }] }, 'already contains an entry'],
  [{ field: 'k', inner_hits: { name: 'a', size: 101 } }, 'Inner result window is too large'],
  [{ field: 'k', inner_hits: { name: 'a', from: -1 } }, 'illegal from value'],
  [
    { field: 'k', inner_hits: { name: 'a', collapse: { field: 'g', inner_hits: { name: 'b' } } } },
    'not supported inside the [collapse] of [inner_hits]',
  ],
];

const one = (query: Json): Json => ({ query });
const rescoring = { rescore_query: { match_all: {} } };
const refusedRescores: readonly (readonly [Json, string])[] = [
  ['x', 'parsing_exception: Unknown key for a VALUE_STRING in [rescore].'],
  [{}, 'parsing_exception: missing rescore type'],
  [{ window_size: 10 }, 'missing rescore type'],
  [{ foo: 1, query: rescoring }, "rescore doesn't support [foo]"],
  [one({}), 'illegal_argument_exception: rescore_query cannot be null'],
  [one('x'), '[rescore] [query] must be an object'],
  [one({ ...rescoring, foo: 1 }), '[query] unknown field [foo]'],
  [one({ ...rescoring, score_mode: 'nope' }), 'illegal score_mode [nope]'],
  [one({ ...rescoring, query_weight: 'x' }), 'failed to parse [query_weight]'],
  [one({ rescore_query: { nope: {} } }), 'unknown query [nope]'],
  [one({ rescore_query: { semantic: { field: 'a', query: 'b' } } }), '[semantic] is not supported'],
  [{ window_size: 'x', query: rescoring }, 'failed to parse [window_size]'],
  [{ window_size: -1, query: rescoring }, 'cannot be negative'],
  [{ window_size: 10_001, query: rescoring }, 'Rescore window [10001] is too large'],
  [
    Array.from({ length: 11 }, () => one(rescoring)),
    'illegal_argument_exception: [rescore] may hold up to [10] rescorers, got [11]: put their queries together',
  ],
];

describe('highlight', () => {
  test.each(
    options.map(([body, reported]) => [label(body), body, reported] as const),
  )('%s', (_, body, reported) => {
    expect(parseHighlight(body, DEFAULT_LIMITS)).toEqual([
      {
        field: 'a',
        options: { ...defaults, ...reported },
        query: undefined,
        longestText: 1_000_000,
      },
    ]);
  });

  test('the query of a field goes before that of all', () => {
    const body = {
      highlight_query: { match_all: {} },
      fields: { a: {}, b: { highlight_query: { match_none: {} } } },
    };
    const found = parseHighlight(body, DEFAULT_LIMITS);
    expect(found.map(({ query }) => query?.kind)).toEqual(['match_all', 'match_none']);
  });

  test.each(
    refusedHighlights.map(([body, words]) => [label(body), body, words] as const),
  )('%s is refused', (_, body, words) =>
    expect(refusal(() => parseHighlight(body, DEFAULT_LIMITS))).toContain(words));
});

describe('collapse', () => {
  test.each(
    refusedCollapses.map(([body, words]) => [label(body), body, words] as const),
  )('%s is refused', (_, body, words) =>
    expect(refusal(() => parseCollapse(body, DEFAULT_LIMITS))).toContain(words));

  test.each<[Json, string]>([
    [
      { sort: ['s'], search_after: [1] },
      'cannot use `collapse` in conjunction with `search_after`',
    ],
    [{ rescore: { query: rescoring } }, 'cannot use `collapse` in conjunction with `rescore`'],
  ])('beside %j it is refused', (other, words) => {
    const body = { collapse: { field: 'k' }, ...(other as object) };
    expect(refusal(() => compile(body))).toContain(words);
  });
});

describe('rescore', () => {
  test.each(
    refusedRescores.map(([body, words]) => [label(body), body, words] as const),
  )('%s is refused', (_, body, words) =>
    expect(refusal(() => parseRescore(body, DEFAULT_LIMITS))).toContain(words));

  test('beside a sort it is refused', () => {
    const body = { sort: ['s'], rescore: { query: rescoring } };
    expect(refusal(() => compile(body))).toBe(
      'illegal_argument_exception: Cannot use [sort] option in conjunction with [rescore].',
    );
  });

  test.each([
    ['total', 8],
    ['multiply', 12],
    ['avg', 4],
    ['max', 6],
    ['min', 2],
  ] as const)('score_mode %s', (mode, score) => {
    const query = { score_mode: mode, query_weight: 2, rescore_query_weight: 3, ...rescoring };
    const [rescore] = parseRescore({ query }, DEFAULT_LIMITS);
    if (rescore === undefined) throw new Error('nothing was read');
    expect(combined(rescore, 1, 2)).toBe(score);
    expect(combined(rescore, 1, null)).toBe(2);
  });
});
