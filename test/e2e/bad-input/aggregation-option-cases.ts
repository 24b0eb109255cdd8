// Invalid options of bucket aggregations: bounds, dates and ranges.
import { illegal, ofShard, one, parsing, tooMany } from './aggregation-case.ts';
import type { BadCase } from './bad-case.ts';

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
    'Trying to create too many buckets. Must be less than or equal to: [65536] but this',
  ),
  tooMany(
    'histogram 65537',
    one('histogram', {
      field: 'year',
      interval: 1,
      min_doc_count: 0,
      extended_bounds: { min: 0, max: 65536 },
    }),
    'Trying to create too many buckets. Must be less than or equal to: [65536] but this',
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
    'Trying to create too many buckets. Must be less than or equal to: [65536] but this',
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
  ofShard(
    'range from text',
    one('range', { field: 'year', ranges: [{ from: 'x' }] }),
    'For input string: "x"',
    'number_format_exception',
  ),
  illegal(
    'range from truth',
    one('range', { field: 'year', ranges: [{ from: true }] }),
    'For input string: "true" in a range of [a], expected a number',
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
];
