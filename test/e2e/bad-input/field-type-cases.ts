// Errors of the less common field types: their mappings, their values, and unsupported queries.
import { type BadCase, bad } from './bad-case.ts';

/** The index of these cases. */
export const TYPES = {
  mappings: {
    dynamic: 'strict',
    properties: {
      at: { type: 'date_nanos' },
      ages: { type: 'integer_range' },
      during: { type: 'date_range', format: 'yyyy-MM-dd' },
      net: { type: 'ip_range' },
      share: { type: 'float_range' },
      off: { type: 'long_range', index: false, doc_values: false },
      words: { type: 'token_count', analyzer: 'standard' },
      region: { type: 'constant_keyword', value: 'eu' },
      line: { type: 'wildcard' },
      release: { type: 'version' },
      note: { type: 'match_only_text' },
      rank: { type: 'rank_feature' },
      length: { type: 'rank_feature', positive_score_impact: false },
      topics: { type: 'rank_features' },
    },
  },
};

const MAPPER = 'mapper_parsing_exception';
const ILLEGAL = 'illegal_argument_exception';
const SHARD = 'query_shard_exception';
const DAYS = { fixed_interval: '1d' };

const mapped = (name: string, field: unknown, ...words: string[]): BadCase =>
  bad(name, ['PUT', '/fresh', { mappings: { properties: { f: field } } }], [400, MAPPER, ...words]);
const changed = (name: string, properties: unknown, ...words: string[]): BadCase =>
  bad(name, ['PUT', '/types/_mapping', { properties }], [400, ILLEGAL, ...words]);
const put = (name: string, body: unknown, ...words: string[]): BadCase =>
  bad(name, ['PUT', '/types/_doc/bad', body], [400, 'document_parsing_exception', ...words]);
const requested = (name: string, body: unknown, words: string, cause: string): BadCase =>
  bad(
    name,
    ['POST', '/types/_search', body],
    [400, 'search_phase_execution_exception', words],
    cause,
  );
const query = (name: string, clause: unknown, words: string, cause = SHARD): BadCase =>
  requested(name, { query: clause }, words, cause);

export const FIELD_TYPE_CASES: readonly BadCase[] = [
  mapped('a token count without an analyzer', { type: 'token_count' }, 'Analyzer must be set'),
  mapped(
    'a token count with an unknown analyzer',
    { type: 'token_count', analyzer: 'nope' },
    'analyzer [nope] has not been configured',
  ),
  mapped(
    'a range of numbers with a format',
    { type: 'long_range', format: 'yyyy' },
    'unknown parameter [format] on mapper [f] of type [long_range]',
  ),
  mapped(
    'a null value of a range',
    { type: 'date_range', null_value: '2024' },
    'unknown parameter [null_value] on mapper [f] of type [date_range]',
  ),
  mapped('a range with a bad format', { type: 'date_range', format: '{' }, 'Invalid format: [{]'),
  mapped(
    'a null value before 1970 in nanoseconds',
    { type: 'date_nanos', null_value: '1960-01-01' },
    'is before the epoch in 1970',
  ),
  mapped(
    'a wildcard without index',
    { type: 'wildcard', index: false },
    'unknown parameter [index] on mapper [f] of type [wildcard]',
  ),
  mapped(
    'a version with a null value',
    { type: 'version', null_value: '1' },
    'unknown parameter [null_value] on mapper [f] of type [version]',
  ),
  ...['index_options', 'norms', 'analyzer', 'similarity', 'index'].map((parameter) =>
    mapped(
      `text that is only matched with ${parameter}`,
      { type: 'match_only_text', [parameter]: 'docs' },
      `unknown parameter [${parameter}] on mapper [f] of type [match_only_text]`,
    ),
  ),
  mapped(
    'features as a multi-field',
    { type: 'keyword', fields: { c: { type: 'rank_features' } } },
    "Field [f.c] of type [rank_features] can't be used in multifields",
  ),
  mapped(
    'a null value of a feature that is a word',
    { type: 'rank_feature', null_value: 'much' },
    'Error parsing [null_value] on field [f]: For input string: "much"',
  ),
  mapped(
    'a null value of a feature that is zero',
    { type: 'rank_feature', null_value: 0 },
    '[null_value] of field [f] must be a positive normal float',
  ),
  mapped(
    'a null value of features',
    { type: 'rank_features', null_value: 1 },
    'unknown parameter [null_value] on mapper [f] of type [rank_features]',
  ),
  bad(
    'a way to keep synthetic sources that is none',
    [
      'PUT',
      '/fresh',
      { mappings: { properties: { f: { type: 'keyword', synthetic_source_keep: 'some' } } } },
    ],
    [
      400,
      ILLEGAL,
      'Unknown synthetic_source_keep value [some], accepted values are [none,arrays,all]',
    ],
  ),
  mapped(
    'an object without subobjects that has a disabled object',
    { subobjects: false, properties: { 'a.b': { type: 'object', enabled: false } } },
    'Auto-flattening [f.a.b] failed because the value of [enabled] is [false]',
  ),
  mapped(
    'a constant as a multi-field',
    { type: 'keyword', fields: { c: { type: 'constant_keyword' } } },
    'Field [f.c] of type [constant_keyword]',
  ),
  ...['annotated_text', 'histogram', 'sparse_vector', 'geo_shape'].map((type) =>
    mapped(`the type ${type}`, { type }, `Field [f] has type [${type}], which is not supported`),
  ),
  changed(
    'another value of a constant',
    { region: { type: 'constant_keyword', value: 'us' } },
    'Cannot update parameter [value] from [eu] to [us]',
  ),
  changed('a date of nanoseconds made a date', { at: { type: 'date' } }, 'from type [date_nanos]'),

  put('a moment before 1970', { at: '1969-12-31' }, 'at', 'before the epoch in 1970'),
  put('a moment behind 2262', { at: '2263-01-01' }, 'at', 'is after 2262-04-11T23:47:16'),
  put('a range upside down', { ages: { gte: 6, lte: 5 } }, 'min value (6) is greater than max'),
  put('an empty range', { ages: { gt: 2147483647 } }, 'no value of field [ages]'),
  put('a range with another key', { ages: { from: 1 } }, 'unknown parameter [from]'),
  put('a number into a range', { ages: 5 }, 'expected an object but got 5'),
  put('a list as an end', { ages: { gte: [1] } }, '[gte] must be a single value'),
  put('an end beyond its type', { ages: { gte: 3000000000 } }, 'out of range of int'),
  put('an end of another format', { during: { gte: '2024/01/01' } }, '[yyyy-MM-dd]'),
  put('the present as an end', { during: { gte: 'now' } }, '[now] is not used at indexing time'),
  put('a network with too many bits', { net: '10.0.0.0/33' }, 'Illegal prefix length [33]'),
  put('another value than the constant', { region: 'us' }, 'only accepts values that are equal'),
  put('an object into a token count', { words: { a: 1 } }, 'words'),
  put('an object into a version', { release: { a: 1 } }, 'release'),
  put(
    'a version with 128 digits',
    { release: `1.${'1'.repeat(128)}` },
    'release',
    'Groups of digits cannot be longer than 127, but found: 128',
  ),
  put('zero as a feature', { rank: 0 }, 'rank', 'featureValue must be a positive normal float'),
  put('a negative feature', { topics: { a: -1 } }, 'topics', 'got: -1.0 for feature a on field'),
  put('zero of a negative impact', { length: 0 }, 'length', 'featureValue must be finite'),
  put('a word as a feature', { rank: 'much' }, 'rank', 'For input string: "much"'),
  put('a truth as a feature', { rank: true }, 'rank', 'For input string: "true"'),
  put(
    'two values of a feature',
    { rank: [1, 2] },
    '[rank_feature] fields do not support indexing multiple values for the same field [rank]',
  ),
  put(
    'two values of one of the features',
    { topics: [{ a: 1 }, { a: 2 }] },
    'do not support indexing multiple values for the same rank feature [topics.a]',
  ),
  put('a number as features', { topics: 5 }, 'topics', 'expected a START_OBJECT but got: VALUE'),
  put('a list as a feature', { topics: { a: [1] } }, 'but got unexpected token START_ARRAY'),
  put('a feature with a dot', { topics: { 'a.b': 1 } }, 'but found [a.b]'),
  put('an object as a feature', { rank: { a: 1 } }, 'rank'),
  put('an object into a wildcard', { line: { a: 1 } }, 'line'),

  query('a word for an end', { term: { ages: 'five' } }, 'For input string: '),
  query(
    'a network as an address of a range',
    { term: { net: '10.0.0.0/8' } },
    "'10.0.0.0/8' is not an IP string literal.",
  ),
  query('a range that is kept for nothing', { term: { off: 1 } }, 'Cannot search on field [off]'),
  query('a prefix of a range', { prefix: { ages: '1' } }, 'Can only use prefix queries on'),
  query('a prefix of text on a version', { match_phrase_prefix: { release: '1' } }, 'release'),
  query(
    'a search for a version with 128 digits',
    { term: { release: '1'.repeat(128) } },
    'Groups of digits cannot be longer than 127, but found: 128',
  ),
  requested(
    'words of text that is only matched',
    { aggs: { a: { terms: { field: 'note' } } } },
    'match_only_text fields do not support sorting and aggregations',
    ILLEGAL,
  ),
  query('a term of a feature', { term: { rank: 1 } }, 'Queries on [rank_feature] fields'),
  query('a range of features', { range: { topics: { gte: 'a' } } }, 'does not support range'),
  query('features that exist', { exists: { field: 'topics' } }, 'do not support [exists]'),
  query(
    'a feature of another field',
    { rank_feature: { field: 'line' } },
    'features of [rank_features] fields, not [wildcard]',
  ),
  query(
    'the logarithm of a negative impact',
    { rank_feature: { field: 'length', log: { scaling_factor: 1 } } },
    'Cannot use the [log] function with a field that has a negative score impact',
  ),
  query(
    'a scaling factor below one',
    { rank_feature: { field: 'rank', log: { scaling_factor: 0.5 } } },
    'scalingFactor must be >= 1, got: 0.5',
  ),
  query(
    'a pivot of nothing',
    { rank_feature: { field: 'rank', saturation: { pivot: 0 } } },
    'pivot must be > 0, got: 0.0',
  ),
  query(
    'an exponent below nothing',
    { rank_feature: { field: 'topics.a', sigmoid: { pivot: 1, exponent: -1 } } },
    'exp must be > 0, got: -1.0',
  ),
  requested('sort by a feature', { sort: ['rank'] }, 'do not support sorting, scripting', ILLEGAL),
  requested(
    'an aggregation of features',
    { aggs: { a: { terms: { field: 'topics' } } } },
    '[rank_features] fields do not support sorting, scripting or aggregating',
    ILLEGAL,
  ),
  ...(
    [
      ['a feature without a field', {}, '[rank_feature] Required [field]'],
      ['two functions', { field: 'rank', log: {}, linear: {} }, 'Required [scaling_factor]'],
      [
        'two whole functions',
        { field: 'rank', saturation: {}, linear: {} },
        'Can only specify one of [log], [saturation], [sigmoid] and [linear]',
      ],
      ['half a sigmoid', { field: 'rank', sigmoid: { pivot: 1 } }, 'Required [exponent]'],
    ] as const
  ).map(([name, rank_feature, words]) =>
    bad(name, ['POST', '/types/_search', { query: { rank_feature } }], [400, ILLEGAL, words]),
  ),
  query('a pattern on a token count', { wildcard: { words: '1*' } }, 'Can only use wildcard'),
  bad(
    'an unknown relation',
    ['POST', '/types/_search', { query: { range: { ages: { gte: 1, relation: 'near' } } } }],
    [400, ILLEGAL, '[range] query does not support relation [near]'],
  ),
  requested('sort by a range', { sort: ['ages'] }, "doesn't support sort", ILLEGAL),
  requested(
    'doc values of a range',
    { docvalue_fields: ['ages'] },
    "Can't load fielddata on [ages]",
    ILLEGAL,
  ),
  requested(
    'a format of a range of numbers',
    { fields: [{ field: 'ages', format: 'yyyy' }] },
    "Field [ages] of type [integer_range] doesn't support formats.",
    ILLEGAL,
  ),
  ...['terms', 'avg', 'rare_terms', 'date_histogram'].map((type) =>
    requested(
      `${type} of addresses' ranges`,
      { aggs: { a: { [type]: { field: 'net', ...(type.startsWith('date') ? DAYS : {}) } } } },
      `Field [net] of type [ip_range] is not supported for aggregation [${type}]`,
      ILLEGAL,
    ),
  ),
  requested(
    'a missing value of ranges',
    { aggs: { a: { histogram: { field: 'ages', interval: 1, missing: 1 } } } },
    '[missing] is not supported on field [ages] of type [integer_range]',
    ILLEGAL,
  ),
];
