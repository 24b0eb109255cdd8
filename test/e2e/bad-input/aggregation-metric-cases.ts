// Invalid options of metrics, filters, samplers and composite aggregations.
import { illegal, ofShard, one, parsing } from './aggregation-case.ts';
import type { BadCase } from './bad-case.ts';

export const AGGREGATION_METRIC_CASES: readonly BadCase[] = [
  illegal(
    'percentile twice',
    one('percentiles', { field: 'year', percents: [99, 50, 1, 50] }),
    'percent [50.0] has been specified twice: [a]',
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
    '[sigma] must be greater than or equal to 0. Found [-1.0] in [a]',
  ),
  illegal(
    'median absolute deviation compression',
    one('median_absolute_deviation', { field: 'year', compression: 0 }),
    '[compression] must be greater than 0. Found [0.0] in [a]',
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
