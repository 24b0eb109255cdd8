// Refusals of the options of aggregations: bounds, dates, ranges, metrics, filters and composite aggregations.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';

const search = (aggs: unknown) => ['POST', '/books/_search', { size: 0, aggs }] as const;
const illegal = (name: string, aggs: unknown, words: string): BadCase =>
  bad(name, search(aggs), [400, ILLEGAL, words]);
const parsing = (name: string, aggs: unknown, words: string): BadCase =>
  bad(name, search(aggs), [400, 'parsing_exception', words]);
const tooMany = (name: string, aggs: unknown, words: string): BadCase =>
  bad(name, search(aggs), [400, 'too_many_buckets_exception', words]);
/** What only the mapping of an index can tell. */
const ofShard = (name: string, aggs: unknown, words: string, cause = ILLEGAL): BadCase =>
  bad(name, search(aggs), [400, 'search_phase_execution_exception', words], cause);
const one = (type: string, body: unknown) => ({ a: { [type]: body } });

export const AGGREGATION_OPTION_CASES: readonly BadCase[] = [
  illegal(
    'histogram bounds reversed',
    one('histogram', { field: 'year', interval: 1, extended_bounds: { min: 5, max: 1 } }),
    'max bound [1] must be greater than min bound [5]: [a]',
  ),
  illegal(
    'histogram bounds text',
    one('histogram', { field: 'year', interval: 1, hard_bounds: { min: 'x', max: 1 } }),
    '[hard_bounds] of [a] must be numbers, got [x]',
  ),
  parsing(
    'histogram bounds unknown',
    one('histogram', { field: 'year', interval: 1, hard_bounds: { mim: 1 } }),
    '[hard_bounds] unknown field [mim] did you mean [min]?',
  ),
  parsing(
    'histogram bounds list',
    one('histogram', { field: 'year', interval: 1, hard_bounds: [1, 2] }),
    '[histogram] [hard_bounds] must be an object, found [START_ARRAY]',
  ),
  illegal(
    'ip_range with an address as mask',
    one('ip_range', { field: 'host', ranges: [{ mask: '10.0.0.0' }] }),
    'Expected [ip/prefix] but was [10.0.0.0] in a range of [a]',
  ),
  illegal(
    'histogram extended beyond hard',
    one('histogram', {
      field: 'year',
      interval: 1,
      hard_bounds: { min: 1, max: 2 },
      extended_bounds: { min: 1, max: 3 },
    }),
    'Extended bounds have to be inside hard bounds',
  ),
  tooMany(
    'histogram too many',
    one('histogram', {
      field: 'year',
      interval: 1,
      min_doc_count: 0,
      extended_bounds: { min: 0, max: 65537 },
    }),
    'Trying to create too many buckets. Must be less than or equal to: [65536] but was',
  ),
  tooMany(
    'histogram 65537',
    one('histogram', {
      field: 'year',
      interval: 1,
      min_doc_count: 0,
      extended_bounds: { min: 0, max: 65536 },
    }),
    'Trying to create too many buckets. Must be less than or equal to: [65536] but was',
  ),
  illegal(
    'date no interval',
    one('date_histogram', { field: 'bought' }),
    'Invalid interval specified, must be non-null and non-empty: [a]',
  ),
  illegal(
    'date two intervals',
    one('date_histogram', { field: 'bought', fixed_interval: '1d', calendar_interval: '1d' }),
    'Cannot use [fixed_interval] with [calendar_interval] or another interval: [a]',
  ),
  illegal(
    'date calendar 2d',
    one('date_histogram', { field: 'bought', calendar_interval: '2d' }),
    'The supplied interval [2d] could not be parsed as a calendar interval.',
  ),
  illegal(
    'date fixed month',
    one('date_histogram', { field: 'bought', fixed_interval: '1M' }),
    'failed to parse setting [a.fixedInterval] with value [1M] as a time value: unit is',
  ),
  illegal(
    'date fixed 0',
    one('date_histogram', { field: 'bought', fixed_interval: '0d' }),
    'failed to parse setting [a.fixedInterval] with value [0d] as a time value: unit is',
  ),
  illegal(
    'date fixed text',
    one('date_histogram', { field: 'bought', fixed_interval: 'often' }),
    'failed to parse setting [a.fixedInterval] with value [often] as a time value: unit is',
  ),
  illegal(
    'date zone',
    one('date_histogram', { field: 'bought', fixed_interval: '1d', time_zone: 'Mars/Olympus' }),
    'Unknown time-zone ID: [Mars/Olympus]',
  ),
  illegal(
    'date offset',
    one('date_histogram', { field: 'bought', fixed_interval: '1d', offset: 'late' }),
    'failed to parse setting [DateHistogramAggregationBuilder.parseOffset] with value [late]',
  ),
  ofShard(
    'date bounds',
    one('date_histogram', {
      field: 'bought',
      fixed_interval: '1d',
      extended_bounds: { min: 'someday', max: '2020-01-01' },
    }),
    'failed to parse date field [someday] with format',
    'parse_exception',
  ),
  illegal(
    'date bounds reversed',
    one('date_histogram', {
      field: 'bought',
      fixed_interval: '1d',
      extended_bounds: { min: '2021-01-01', max: '2020-01-01' },
    }),
    '[extended_bounds.min][1609459200000] cannot be greater than',
  ),
  tooMany(
    'date too many',
    one('date_histogram', {
      field: 'bought',
      fixed_interval: '1m',
      extended_bounds: { min: '2020-01-01', max: '2021-01-01' },
    }),
    'Trying to create too many buckets. Must be less than or equal to: [65536] but was',
  ),
  tooMany(
    'date too many calendar',
    one('date_histogram', {
      field: 'bought',
      calendar_interval: '1d',
      time_zone: 'Europe/Berlin',
      extended_bounds: { min: '1000-01-01', max: '2021-01-01' },
    }),
    'Trying to create too many buckets. Must be less than or equal to: [65536] but this',
  ),
  illegal(
    'auto buckets 0',
    one('auto_date_histogram', { field: 'bought', buckets: 0 }),
    'buckets must be greater than 0 for [a], got [0]',
  ),
  illegal(
    'auto buckets many',
    one('auto_date_histogram', { field: 'bought', buckets: 100000 }),
    'buckets must be less than 2185 for [a], got [100000]',
  ),
  illegal(
    'auto minimum',
    one('auto_date_histogram', { field: 'bought', minimum_interval: 'week' }),
    'minimum_interval must be one of [second, minute, hour, day, month, year], got [week]:',
  ),
  ofShard(
    'auto keyword',
    one('auto_date_histogram', { field: 'author' }),
    'Field [author] of type [keyword] is not supported for aggregation [auto_date_histogram]',
  ),
  illegal(
    'auto zone',
    one('auto_date_histogram', { field: 'bought', time_zone: 'Mars' }),
    'Unknown time-zone ID: [Mars]',
  ),
  parsing(
    'range no ranges',
    one('range', { field: 'year' }),
    '[range] [ranges] must be an array: [a]',
  ),
  illegal(
    'range empty',
    one('range', { field: 'year', ranges: [] }),
    'No [ranges] specified for the [a] aggregation',
  ),
  parsing(
    'range text',
    one('range', { field: 'year', ranges: ['x'] }),
    '[range] a range must be an object: [a]',
  ),
  illegal(
    'range from text',
    one('range', { field: 'year', ranges: [{ from: 'x' }] }),
    'For input string: "x" in a range of [a], expected a number',
  ),
  parsing(
    'range unknown',
    one('range', { field: 'year', ranges: [{ form: 1 }] }),
    '[range] unknown field [form]',
  ),
  ofShard(
    'date_range bad',
    one('date_range', { field: 'bought', ranges: [{ from: 'someday' }] }),
    'failed to parse date field [someday] with format',
    'parse_exception',
  ),
  ofShard(
    'ip_range bad',
    one('ip_range', { field: 'host', ranges: [{ from: '300.1.1.1' }] }),
    "'300.1.1.1' is not an IP string literal.",
  ),
  ofShard(
    'ip_range mask',
    one('ip_range', { field: 'host', ranges: [{ mask: '10.0.0.0/99' }] }),
    'Illegal prefix length [99] in [10.0.0.0/99]. Must be 0-32 for IPv4 ranges, 0-128 for',
  ),
  illegal(
    'percents 101',
    one('percentiles', { field: 'year', percents: [101] }),
    'percent must be in [0,100], got [101.0]: [a]',
  ),
  illegal(
    'percents -1',
    one('percentiles', { field: 'year', percents: [-1] }),
    'percent must be in [0,100], got [-1.0]: [a]',
  ),
  illegal(
    'percents none',
    one('percentiles', { field: 'year', percents: [] }),
    '[percents] must not be empty: [a]',
  ),
  illegal(
    'percents text',
    one('percentiles', { field: 'year', percents: ['x'] }),
    'failed to parse [percents] of [percentiles] with value [x], expected a number',
  ),
  parsing(
    'percents number',
    one('percentiles', { field: 'year', percents: 50 }),
    '[percentiles] [percents] must be an array of numbers',
  ),
  illegal(
    'ranks no values',
    one('percentile_ranks', { field: 'year' }),
    '[values] must not be an empty array: [a]',
  ),
  illegal(
    'hdr and tdigest',
    one('percentiles', { field: 'year', hdr: {}, tdigest: {} }),
    '[percentiles] takes one of [tdigest] and [hdr], got both in [a]',
  ),
  illegal(
    'hdr 6',
    one('percentiles', { field: 'year', hdr: { number_of_significant_value_digits: 6 } }),
    '[numberOfSignificantValueDigits] must be between 0 and 5: [a]',
  ),
  illegal(
    'compression',
    one('percentiles', { field: 'year', tdigest: { compression: -1 } }),
    '[compression] must be greater than or equal to 0. Found [-1.0] in [a]',
  ),
  illegal(
    'cardinality threshold',
    one('cardinality', { field: 'year', precision_threshold: -1 }),
    '[precisionThreshold] must be greater than or equal to 0. Found [-1] in [a]',
  ),
  illegal(
    'sigma',
    one('extended_stats', { field: 'year', sigma: -1 }),
    '[sigma] must be greater than or equal to 0. Found [-1] in [a]',
  ),
  illegal(
    'weighted no weight',
    one('weighted_avg', { value: { field: 'year' } }),
    '[weighted_avg] [weight] is required in [a]',
  ),
  parsing(
    'weighted unknown',
    one('weighted_avg', { value: { field: 'year' }, weight: { field: 'price' }, x: 1 }),
    '[weighted_avg] unknown field [x]',
  ),
  illegal(
    'top_hits size -1',
    one('top_hits', { size: -1 }),
    '[size] must be greater than -1. Found [-1] in [top_hits]',
  ),
  illegal(
    'top_hits window',
    one('top_hits', { from: 50, size: 100 }),
    "Top hits result window is too large, the top hits aggregator [a]'s from + size must be",
  ),
  parsing(
    'top_hits unknown',
    one('top_hits', { sizes: 1 }),
    '[top_hits] unknown field [sizes] did you mean [size]?',
  ),
  ofShard(
    'top_hits sort text',
    one('top_hits', { sort: 'title' }),
    'Fielddata is disabled on [title] in [books]. Text fields are not optimised for',
  ),
  parsing(
    'filter unknown query',
    one('filter', { termm: { author: 'x' } }),
    'unknown query [termm] did you mean any of [term, terms]?',
  ),
  parsing('filter empty', one('filter', {}), 'query malformed, empty clause found'),
  parsing(
    'filters empty',
    one('filters', {}),
    '[filters] cannot be empty, it must be an object or an array of queries: [a]',
  ),
  parsing('filters none', one('filters', { filters: {} }), '[filters] cannot be empty: [a]'),
  parsing(
    'filters text',
    one('filters', { filters: 'x' }),
    '[filters] cannot be empty, it must be an object or an array of queries: [a]',
  ),
  parsing('filters bad', one('filters', { filters: { x: { nope: {} } } }), 'unknown query [nope]'),
  parsing(
    'global inside',
    { a: { terms: { field: 'author' }, aggs: { g: { global: {} } } } },
    'Aggregation [g] cannot have a global sub-aggregation [g]. Global aggregations can only',
  ),
  parsing('global body', one('global', { field: 'x' }), '[global] unknown field [field]'),
  illegal(
    'sampler size',
    one('sampler', { shard_size: 0 }),
    '[shard_size] must be greater than 0. Found [0] in [sampler]',
  ),
  illegal(
    'missing no field',
    one('missing', {}),
    'Required one of fields [field, script], but none were specified.',
  ),
  parsing('composite no sources', one('composite', {}), 'Required [sources]: [a]'),
  illegal(
    'composite sources empty',
    one('composite', { sources: [] }),
    'Composite [sources] cannot be null or empty: [a]',
  ),
  illegal(
    'composite twice',
    one('composite', {
      sources: [{ x: { terms: { field: 'author' } } }, { x: { terms: { field: 'author' } } }],
    }),
    'Composite source names must be unique, found duplicates: [x]',
  ),
  parsing(
    'composite type',
    one('composite', { sources: [{ x: { range: { field: 'year' } } }] }),
    '[composite] source [x] must be one of [terms, histogram, date_histogram]',
  ),
  illegal(
    'composite size 0',
    one('composite', { size: 0, sources: [{ x: { terms: { field: 'author' } } }] }),
    '[size] must be greater than 0. Found [0] in [composite]',
  ),
  illegal(
    'composite after count',
    one('composite', {
      sources: [{ x: { terms: { field: 'author' } } }, { y: { terms: { field: 'year' } } }],
      after: { x: 'a' },
    }),
    '[after] has 1 value(s) but [sources] has 2: [a]',
  ),
  illegal(
    'composite after unknown',
    one('composite', { sources: [{ x: { terms: { field: 'author' } } }], after: { z: 'a' } }),
    '[after] has 1 value(s) but [sources] has 1: [a]',
  ),
  illegal(
    'composite after null',
    one('composite', { sources: [{ x: { terms: { field: 'author' } } }], after: { x: null } }),
    'Invalid value [null] of source [x] in [after], it has no [missing_bucket]',
  ),
  ofShard(
    'composite after no number',
    one('composite', { sources: [{ x: { terms: { field: 'year' } } }], after: { x: 'abc' } }),
    'For input string: "abc"',
    'number_format_exception',
  ),
  illegal(
    'composite missing_order',
    one('composite', { sources: [{ x: { terms: { field: 'author', missing_order: 'first' } } }] }),
    'missingOrder can only be set if missingBucket is true: [x]',
  ),
  ofShard(
    'composite text',
    one('composite', { sources: [{ x: { terms: { field: 'title' } } }] }),
    'Fielddata is disabled on [title] in [books]. Text fields are not optimised for',
  ),
  illegal(
    'significant size',
    one('significant_terms', { field: 'author', size: 0 }),
    '[size] must be greater than 0. Found [0] in [significant_terms]',
  ),
  ofShard(
    'significant text',
    one('significant_terms', { field: 'title' }),
    'Fielddata is disabled on [title] in [books]. Text fields are not optimised for',
  ),
];
