// Every clause in every form that Elasticsearch accepts, and its parsed tree.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/backend/index.ts';
import { DEFAULT_MATCH_OPTIONS } from '../../src/query/match-options.ts';
import { compile, label, parseClause } from './compile.ts';

const base = { boost: 1, name: '' };
const str = (text: string) => ({ kind: 'string', text });
const num = (text: string) => ({ kind: 'number', text });
const all = { kind: 'match_all', ...base };
const match = { kind: 'match', ...base, field: 'f', options: DEFAULT_MATCH_OPTIONS };
const phrase = { ...base, field: 'f', text: str('a b'), slop: 0, analyzer: '', zeroTerms: 'none' };
const multi = {
  kind: 'multi_match',
  ...base,
  fields: [],
  text: str('x'),
  type: 'best_fields',
  tieBreaker: undefined,
  slop: 0,
  options: DEFAULT_MATCH_OPTIONS,
};
const lenientOptions = { ...DEFAULT_MATCH_OPTIONS, lenient: true };
const term = { kind: 'term', ...base, field: 'f', value: str('x'), caseInsensitive: false };
const terms = { kind: 'terms', ...base, field: 'f' };
const range = {
  kind: 'range',
  ...base,
  field: 'f',
  lower: undefined,
  upper: undefined,
  format: '',
  timeZone: '',
};
const low = (text: string, inclusive: boolean) => ({ value: num(text), inclusive });
const place = { ...base, field: 'p', validation: 0, ignoreUnmapped: false };
const prefix = { kind: 'prefix', ...base, field: 'f', value: 'x', caseInsensitive: false };
const wildcard = { kind: 'wildcard', ...base, field: 'f', pattern: 'x*', caseInsensitive: false };
const regexp = {
  kind: 'regexp',
  ...base,
  field: 'f',
  pattern: 'x.*',
  caseInsensitive: false,
  maxDeterminizedStates: 10_000,
  flags: 'ALL',
};
const fuzzy = {
  kind: 'fuzzy',
  ...base,
  field: 'f',
  value: str('x'),
  fuzziness: 'AUTO',
  prefixLength: 0,
  maxExpansions: 50,
  transpositions: true,
};
const feature = {
  kind: 'rank_feature',
  ...base,
  field: 'r',
  pivot: Number.NaN,
  exponent: Number.NaN,
};
const bool = {
  kind: 'bool',
  ...base,
  must: [],
  filter: [],
  should: [],
  mustNot: [],
  minimumShouldMatch: '',
};
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const cases: readonly (readonly [Json, unknown])[] = [
  [{ match_all: {} }, all],
  [{ match_all: { boost: 2.5, _name: 'q' } }, { kind: 'match_all', boost: 2.5, name: 'q' }],
  [{ match_all: { boost: '2' } }, { ...all, boost: 2 }],
  [{ match_none: { _name: 'n' } }, { kind: 'match_none', boost: 1, name: 'n' }],

  [{ match: { f: 'x' } }, { ...match, text: str('x') }],
  [{ match: { f: { query: 'x' } } }, { ...match, text: str('x') }],
  [{ match: { f: 7 } }, { ...match, text: num('7') }],
  [{ match: { f: true } }, { ...match, text: { kind: 'boolean', text: 'true' } }],
  [{ match: { f: 9007199254740993n } }, { ...match, text: num('9007199254740993') }],
  [
    {
      match: {
        'a.b': {
          query: 'x y',
          operator: 'AND',
          minimum_should_match: '2<75%',
          analyzer: 'english',
          fuzziness: 'auto:2,5',
          prefix_length: 1,
          max_expansions: '20',
          fuzzy_transpositions: false,
          fuzzy_rewrite: 'top_terms_blended_freqs_20',
          lenient: true,
          zero_terms_query: 'ALL',
          auto_generate_synonyms_phrase_query: false,
          boost: 3,
          _name: 'm',
        },
      },
    },
    {
      kind: 'match',
      boost: 3,
      name: 'm',
      field: 'a.b',
      text: str('x y'),
      options: {
        operator: 'and',
        minimumShouldMatch: '2<75%',
        analyzer: 'english',
        fuzziness: 'AUTO:2,5',
        prefixLength: 1,
        maxExpansions: 20,
        transpositions: false,
        zeroTerms: 'all',
        lenient: true,
        synonymPhrases: false,
        constantWords: false,
      },
    },
  ],
  [{ match_bool_prefix: { f: 'x y' } }, { ...match, kind: 'match_bool_prefix', text: str('x y') }],
  [
    { match_bool_prefix: { f: { query: 'x', operator: 'and', fuzziness: 1 } } },
    {
      ...match,
      kind: 'match_bool_prefix',
      text: str('x'),
      options: { ...DEFAULT_MATCH_OPTIONS, operator: 'and', fuzziness: '1' },
    },
  ],
  [{ match_phrase: { f: 'a b' } }, { kind: 'match_phrase', ...phrase }],
  [
    { match_phrase: { f: { query: 'a b', slop: 2, analyzer: 'simple', zero_terms_query: 'all' } } },
    { kind: 'match_phrase', ...phrase, slop: 2, analyzer: 'simple', zeroTerms: 'all' },
  ],
  [
    { match_phrase_prefix: { f: { query: 'a b', max_expansions: 5 } } },
    { kind: 'match_phrase_prefix', ...phrase, maxExpansions: 5 },
  ],

  [
    {
      combined_fields: {
        query: 'x y',
        fields: ['a^2', 'b*'],
        operator: 'AND',
        minimum_should_match: '2',
        zero_terms_query: 'all',
        auto_generate_synonyms_phrase_query: false,
        boost: 3,
      },
    },
    {
      kind: 'combined_fields',
      ...base,
      boost: 3,
      fields: [
        { field: 'a', boost: 2 },
        { field: 'b*', boost: 1 },
      ],
      text: { kind: 'string', text: 'x y' },
      options: {
        ...multi.options,
        operator: 'and',
        minimumShouldMatch: '2',
        zeroTerms: 'all',
        synonymPhrases: false,
      },
    },
  ],
  [{ multi_match: { query: 'x' } }, { ...multi, options: lenientOptions }],
  [{ multi_match: { query: 'x', lenient: false } }, multi],
  [
    { multi_match: { query: 'x', fields: '*' } },
    { ...multi, fields: [{ field: '*', boost: 1 }], options: lenientOptions },
  ],
  [
    {
      match: {
        f: { query: 'x', fuzziness: 1, fuzzy_rewrite: 'constant_score', max_expansions: 3 },
      },
    },
    {
      ...match,
      text: str('x'),
      options: {
        ...DEFAULT_MATCH_OPTIONS,
        fuzziness: '1',
        maxExpansions: 2 ** 31 - 1,
        constantWords: true,
      },
    },
  ],
  [
    { match: { f: { query: 'x', fuzziness: 1, fuzzy_rewrite: 'top_terms_7' } } },
    {
      ...match,
      text: str('x'),
      options: { ...DEFAULT_MATCH_OPTIONS, fuzziness: '1', maxExpansions: 7 },
    },
  ],
  [{ bool: { must_not: { match_all: {} }, minimum_should_match: 1 } }, { ...bool, mustNot: [all] }],
  [
    { multi_match: { query: 'x', fields: 'a^2' } },
    { ...multi, fields: [{ field: 'a', boost: 2 }] },
  ],
  [
    { multi_match: { query: 1, fields: ['a', 'b*^0.5'], type: 'MOST_FIELDS', tie_breaker: 0.3 } },
    {
      ...multi,
      text: { ...num('1'), kind: 'string' },
      fields: [
        { field: 'a', boost: 1 },
        { field: 'b*', boost: 0.5 },
      ],
      type: 'most_fields',
      tieBreaker: 0.3,
    },
  ],
  [
    { multi_match: { query: 'x', type: 'phrase', slop: 3 } },
    { ...multi, type: 'phrase', slop: 3, options: lenientOptions },
  ],

  [{ term: { f: 'x' } }, term],
  [{ term: { f: { value: 'x', case_insensitive: true } } }, { ...term, caseInsensitive: true }],
  [{ term: { f: { term: 'x' } } }, term],
  [{ term: { f: 1.5 } }, { ...term, value: num('1.5') }],
  [{ term: { f: -0 } }, { ...term, value: num('-0') }],
  [{ term: { f: 18446744073709551615n } }, { ...term, value: num('18446744073709551615') }],
  [{ term: { f: false } }, { ...term, value: { kind: 'boolean', text: 'false' } }],
  [
    { terms: { f: ['x', 1, true] } },
    {
      ...terms,
      values: [str('x'), num('1'), { kind: 'boolean', text: 'true' }],
    },
  ],
  [{ terms: { f: [], boost: 2, _name: 't' } }, { ...terms, values: [], boost: 2, name: 't' }],

  [
    { range: { f: { gte: 1, lt: 2 } } },
    { ...range, lower: low('1', true), upper: low('2', false) },
  ],
  [
    { range: { f: { gt: 1, lte: 2 } } },
    { ...range, lower: low('1', false), upper: low('2', true) },
  ],
  [{ range: { f: { gte: null, lt: 2 } } }, { ...range, upper: low('2', false) }],
  [{ range: { f: {} } }, range],
  [
    { range: { f: { gte: 1, format: 'yyyy' } } },
    { ...range, lower: low('1', true), format: 'yyyy' },
  ],
  [{ range: { f: { gt: 1, gte: 2 } } }, { ...range, lower: low('2', true) }],
  [{ range: { f: { gte: 2, gt: 1 } } }, { ...range, lower: low('1', false) }],
  [
    { range: { f: { from: 1, to: 2, include_lower: false } } },
    { ...range, lower: low('1', false), upper: low('2', true) },
  ],
  [
    {
      range: {
        f: { gte: 'now-1d/d', format: 'yyyy', time_zone: '+01:00', relation: 'WITHIN', boost: 2 },
        _name: 'r',
      },
    },
    {
      ...range,
      relation: 32,
      boost: 2,
      name: 'r',
      lower: { value: str('now-1d/d'), inclusive: true },
      format: 'yyyy',
      timeZone: '+01:00',
    },
  ],

  [
    { geo_distance: { distance: '12km', p: { lat: 1, lon: 2 } } },
    { kind: 'geo_distance', ...place, shape: '{"lat":1,"lon":2}', distance: str('12km'), unit: '' },
  ],
  [
    {
      geo_distance: {
        distance: 12,
        unit: 'mi',
        'a.p.lat': 1,
        'a.p.lon': 2,
        distance_type: 'PLANE',
        validation_method: 'COERCE',
        ignore_unmapped: true,
        boost: 2,
        _name: 'near',
      },
    },
    {
      kind: 'geo_distance',
      boost: 2,
      name: 'near',
      field: 'a.p',
      shape: '{"lat":1,"lon":2}',
      validation: 2,
      ignoreUnmapped: true,
      distance: num('12'),
      unit: 'mi',
    },
  ],
  [
    { geo_bounding_box: { p: { top_left: 's0', bottom_right: [1, 2] }, type: 'memory' } },
    { kind: 'geo_bounding_box', ...place, shape: '{"top_left":"s0","bottom_right":[1,2]}' },
  ],
  [
    {
      geo_polygon: { p: { points: ['0,0', [3, 0], '3,3'] }, validation_method: 'ignore_malformed' },
    },
    { kind: 'geo_polygon', ...place, shape: '["0,0",[3,0],"3,3"]', validation: 1 },
  ],
  [{ exists: { field: 'a.*', _name: 'e' } }, { kind: 'exists', boost: 1, name: 'e', field: 'a.*' }],
  [{ prefix: { f: 'x' } }, prefix],
  [
    { prefix: { f: { value: 'x', case_insensitive: true, rewrite: 'constant_score' } } },
    { ...prefix, caseInsensitive: true },
  ],
  [{ prefix: { f: { prefix: 'x' } } }, prefix],
  [
    { prefix: { f: { value: 'x', rewrite: 'top_terms_boost_1024' } } },
    { ...prefix, scores: { scoring: 'boost', most: 1024 } },
  ],
  [
    { wildcard: { f: { value: 'x*', rewrite: 'top_terms_blended_freqs_5' } } },
    { ...wildcard, scores: { scoring: 'blended', most: 5 } },
  ],
  [
    { regexp: { f: { value: 'x.*', rewrite: 'SCORING_BOOLEAN' } } },
    { ...regexp, scores: { scoring: 'own', most: 0 } },
  ],
  [
    { fuzzy: { f: { value: 'x', rewrite: 'top_terms_boost_9' } } },
    { ...fuzzy, maxExpansions: 9, scoring: 'boost' },
  ],
  [
    { fuzzy: { f: { value: 'x', rewrite: 'top_terms_blended_freqs_9' } } },
    { ...fuzzy, maxExpansions: 9 },
  ],
  [{ wildcard: { f: 'x*' } }, wildcard],
  [{ wildcard: { f: { wildcard: 'x*', boost: 2 } } }, { ...wildcard, boost: 2 }],
  [{ regexp: { f: 'x.*' } }, regexp],
  [
    {
      regexp: {
        f: { value: 'x.*', flags: 'intersection|EMPTY', max_determinized_states: 20000 },
      },
    },
    { ...regexp, flags: 'INTERSECTION|EMPTY', maxDeterminizedStates: 20_000 },
  ],
  [{ regexp: { f: { value: 'x.*', flags: 'NONE' } } }, { ...regexp, flags: 'NONE' }],
  [{ regexp: { f: { value: 'x.*', flags_value: 255 } } }, regexp],
  [
    { regexp: { f: { value: 'x.*', flags_value: 3, case_insensitive: true } } },
    { ...regexp, flags: 'INTERSECTION|COMPLEMENT', caseInsensitive: true },
  ],
  [{ fuzzy: { f: 'x' } }, fuzzy],
  [
    { fuzzy: { f: { value: 'x', rewrite: 'constant_score' } } },
    { ...fuzzy, constant: true, maxExpansions: 2 ** 31 - 1 },
  ],
  [
    {
      fuzzy: {
        f: {
          value: 'x',
          fuzziness: 2,
          prefix_length: 1,
          max_expansions: 9,
          transpositions: false,
          rewrite: 'top_terms_7',
        },
      },
    },
    {
      ...fuzzy,
      fuzziness: '2',
      prefixLength: 1,
      maxExpansions: 7,
      transpositions: false,
      scoring: 'own',
    },
  ],
  [{ ids: { values: ['a', 1] } }, { kind: 'ids', ...base, values: ['a', '1'] }],
  [{ ids: { values: 'a' } }, { kind: 'ids', ...base, values: ['a'] }],
  [{ ids: { values: [] } }, { kind: 'ids', ...base, values: [] }],

  [{ bool: {} }, bool],
  [{ bool: { must: null } }, bool],
  [{ bool: { mustNot: { match_all: {} } } }, { ...bool, mustNot: [all] }],
  [{ ids: {} }, { kind: 'ids', ...base, values: [] }],
  [{ bool: { must: { match_all: {} } } }, { ...bool, must: [all] }],
  [
    {
      bool: {
        must: [{ match_all: {} }],
        filter: [{ match_all: {} }, { match_all: {} }],
        should: [],
        must_not: { term: { f: 'x' } },
        minimum_should_match: -1,
        adjust_pure_negative: true,
        boost: 2,
        _name: 'b',
      },
    },
    {
      ...bool,
      boost: 2,
      name: 'b',
      must: [all],
      filter: [all, all],
      mustNot: [term],
      minimumShouldMatch: '-1',
    },
  ],
  [
    { constant_score: { filter: { match_all: {} }, boost: 3 } },
    { kind: 'constant_score', boost: 3, name: '', filter: all },
  ],
  [
    { dis_max: { queries: [{ match_all: {} }], tie_breaker: 0.7 } },
    { kind: 'dis_max', ...base, tieBreaker: 0.7, queries: [all] },
  ],
  [
    { dis_max: { queries: { match_all: {} } } },
    { kind: 'dis_max', ...base, tieBreaker: 0, queries: [all] },
  ],
  [
    {
      boosting: { positive: { match_all: {} }, negative: { term: { f: 'x' } }, negative_boost: 0 },
    },
    { kind: 'boosting', ...base, positive: all, negative: term, negativeBoost: 0 },
  ],
  [
    { rank_feature: { field: 'r', boost: 2, _name: 'n' } },
    { ...feature, boost: 2, name: 'n', score: 'saturation' },
  ],
  [{ rank_feature: { field: 'r', saturation: {} } }, { ...feature, score: 'saturation' }],
  [
    { rank_feature: { field: 'r', saturation: { pivot: '3.5' } } },
    { ...feature, score: 'saturation', pivot: 3.5 },
  ],
  [
    { rank_feature: { field: 'r', log: { scaling_factor: 4 } } },
    { ...feature, score: 'log', pivot: 4 },
  ],
  [
    { rank_feature: { field: 'r', sigmoid: { pivot: 7, exponent: 0.5 } } },
    { ...feature, score: 'sigmoid', pivot: 7, exponent: 0.5 },
  ],
  [{ rank_feature: { field: 'r', linear: {} } }, { ...feature, score: 'linear' }],
  [{ wrapper: { query: base64('{"match_all":{}}') } }, all],
  [
    { wrapper: { query: base64('{"term":{"f":9007199254740993}}') } },
    { ...term, value: num('9007199254740993') },
  ],
];

const named = cases.map(([query, tree]) => [label(query), query, tree] as const);

describe('a clause', () => {
  test.each(named)('%s', (_, query, tree) => {
    expect(parseClause(query)).toEqual(tree);
  });

  test.each(named)('%s compiles', (_, query) => {
    expect(compile({ query }).plan.length).toBeGreaterThan(64);
  });
});

describe('minimum_should_match', () => {
  test.each([
    [2, '2'],
    ['2', '2'],
    [-1, '-1'],
    ['75%', '75%'],
    ['-25%', '-25%'],
    [' 3 < 90% ', '3<90%'],
    ['2<-25%  9<-3', '2<-25% 9<-3'],
  ])('%j is %s', (value, canonical) => {
    const clause = parseClause({ bool: { minimum_should_match: value } });
    expect(clause).toMatchObject({ minimumShouldMatch: canonical });
  });
});

describe('fuzziness', () => {
  test.each([
    ['AUTO', 'AUTO'],
    ['auto', 'AUTO'],
    ['AUTO:3,6', 'AUTO:3,6'],
    ['auto: 4 , 7', 'AUTO:4,7'],
    [0, '0'],
    [1.0, '1'],
    ['2.0', '2'],
  ])('%j is %s', (fuzziness, canonical) => {
    expect(parseClause({ fuzzy: { f: { value: 'x', fuzziness } } })).toMatchObject({
      fuzziness: canonical,
    });
  });
});
