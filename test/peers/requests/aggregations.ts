// Aggregations: numbers, buckets and what pipelines make of buckets.
import { aggregations, books, logs } from '../request.ts';

const one = (type: string, body: object, aggs?: object): object => ({
  a: aggs === undefined ? { [type]: body } : { [type]: body, aggs },
});
const table = (
  rows: readonly (readonly [string, string, object, object?])[],
): Record<string, object> =>
  Object.fromEntries(rows.map(([name, type, body, aggs]) => [name, one(type, body, aggs)]));

const METRICS = table([
  ['avg', 'avg', { field: 'pages' }],
  ['avg with missing', 'avg', { field: 'price', missing: 0 }],
  ['sum', 'sum', { field: 'price' }],
  ['min', 'min', { field: 'year' }],
  ['max', 'max', { field: 'year' }],
  ['min of dates', 'min', { field: 'published' }],
  ['max of dates with a format', 'max', { field: 'published', format: 'yyyy' }],
  ['sum of several values', 'sum', { field: 'rating' }],
  ['avg of booleans', 'avg', { field: 'in_stock' }],
  ['avg of an unknown field', 'avg', { field: 'nothing' }],
  ['stats', 'stats', { field: 'price' }],
  ['stats of dates', 'stats', { field: 'published' }],
  ['stats of an unknown field', 'stats', { field: 'nothing' }],
  ['extended_stats', 'extended_stats', { field: 'price' }],
  ['extended_stats sigma', 'extended_stats', { field: 'pages', sigma: 3 }],
  ['value_count', 'value_count', { field: 'rating' }],
  ['value_count of keywords', 'value_count', { field: 'tags' }],
  ['cardinality', 'cardinality', { field: 'author' }],
  ['cardinality of numbers', 'cardinality', { field: 'year' }],
  ['cardinality with missing', 'cardinality', { field: 'tags', missing: 'none' }],
  ['weighted_avg', 'weighted_avg', { value: { field: 'price' }, weight: { field: 'pages' } }],
  [
    'weighted_avg with missing',
    'weighted_avg',
    { value: { field: 'price', missing: 5 }, weight: { field: 'pages' } },
  ],
  ['percentiles', 'percentiles', { field: 'pages' }],
  [
    'percentiles as a list',
    'percentiles',
    { field: 'pages', percents: [10, 50, 90], keyed: false },
  ],
  [
    'percentiles by histogram',
    'percentiles',
    { field: 'pages', percents: [50], hdr: { number_of_significant_value_digits: 3 } },
  ],
  ['percentile_ranks', 'percentile_ranks', { field: 'pages', values: [200, 500, 800] }],
  ['median_absolute_deviation', 'median_absolute_deviation', { field: 'pages' }],
  ['top_hits', 'top_hits', { size: 3, sort: ['year', 'pages'], _source: 'title' }],
  [
    'top_hits with a page',
    'top_hits',
    { from: 2, size: 2, sort: [{ pages: 'desc' }], _source: false, docvalue_fields: ['year'] },
  ],
]);

const ORDER = [{ _count: 'desc' }, { _key: 'asc' }];
const BUCKETS = table([
  ['terms', 'terms', { field: 'author' }],
  ['terms of several values', 'terms', { field: 'tags' }],
  ['terms of numbers', 'terms', { field: 'year', size: 8 }],
  ['terms of booleans', 'terms', { field: 'in_stock' }],
  ['terms of addresses', 'terms', { field: 'origin', size: 4 }],
  ['terms of dates', 'terms', { field: 'published', size: 4 }],
  ['terms of fractions', 'terms', { field: 'price', size: 4 }],
  ['terms cut', 'terms', { field: 'author', size: 2 }],
  ['terms by key', 'terms', { field: 'author', order: { _key: 'desc' } }],
  ['terms by count', 'terms', { field: 'author', order: { _count: 'asc' } }],
  ['terms by two orders', 'terms', { field: 'tags', order: ORDER }],
  [
    'terms by a metric',
    'terms',
    { field: 'author', order: { m: 'desc' } },
    { m: { avg: { field: 'pages' } } },
  ],
  [
    'terms by a part of stats',
    'terms',
    { field: 'author', order: { 's.max': 'asc' } },
    { s: { stats: { field: 'pages' } } },
  ],
  [
    'terms by a path',
    'terms',
    { field: 'author', order: { 'f>m': 'desc' } },
    { f: { filter: { term: { in_stock: true } }, aggs: { m: { sum: { field: 'pages' } } } } },
  ],
  ['terms min_doc_count', 'terms', { field: 'year', min_doc_count: 4 }],
  ['terms min_doc_count 0', 'terms', { field: 'author', min_doc_count: 0 }],
  ['terms include', 'terms', { field: 'author', include: '[A-D].*' }],
  ['terms exclude', 'terms', { field: 'author', exclude: ['Eco', 'Dumas'] }],
  ['terms include a list', 'terms', { field: 'tags', include: ['poetry', 'short'] }],
  [
    'terms by partitions',
    'terms',
    { field: 'author', include: { partition: 0, num_partitions: 1 } },
  ],
  ['terms missing', 'terms', { field: 'tags', missing: 'none' }],
  ['terms of an unknown field', 'terms', { field: 'nothing' }],
  ['terms with errors', 'terms', { field: 'author', show_term_doc_count_error: true }],
  ['rare_terms', 'rare_terms', { field: 'year', max_doc_count: 1 }],
  ['rare_terms of keywords', 'rare_terms', { field: 'author', max_doc_count: 20 }],
  ['histogram', 'histogram', { field: 'pages', interval: 100 }],
  ['histogram offset', 'histogram', { field: 'pages', interval: 100, offset: 30 }],
  ['histogram of fractions', 'histogram', { field: 'price', interval: 2.5 }],
  ['histogram keyed', 'histogram', { field: 'year', interval: 20, keyed: true }],
  ['histogram min_doc_count', 'histogram', { field: 'year', interval: 5, min_doc_count: 8 }],
  ['histogram by count', 'histogram', { field: 'year', interval: 10, order: { _count: 'desc' } }],
  [
    'histogram extended',
    'histogram',
    { field: 'year', interval: 10, extended_bounds: { min: 1900, max: 2050 } },
  ],
  [
    'histogram bounded',
    'histogram',
    { field: 'year', interval: 10, hard_bounds: { min: 1970, max: 2000 } },
  ],
  ['histogram missing', 'histogram', { field: 'price', interval: 10, missing: 3 }],
  [
    'date_histogram of decades',
    'date_histogram',
    { field: 'published', calendar_interval: 'year', min_doc_count: 3 },
  ],
  [
    'date_histogram quarter',
    'date_histogram',
    { field: 'published', calendar_interval: 'quarter', min_doc_count: 1, format: 'yyyy-MM' },
  ],
  [
    'date_histogram keyed',
    'date_histogram',
    { field: 'published', calendar_interval: '1y', keyed: true, format: 'yyyy', min_doc_count: 1 },
  ],
  [
    'date_histogram descending',
    'date_histogram',
    { field: 'published', calendar_interval: 'year', order: { _key: 'desc' }, min_doc_count: 2 },
  ],
  ['date_histogram fixed', 'date_histogram', { field: 'published', fixed_interval: '3650d' }],
  [
    'date_histogram missing',
    'date_histogram',
    { field: 'published', calendar_interval: 'year', min_doc_count: 4, missing: '1990-01-01' },
  ],
  [
    'range',
    'range',
    { field: 'pages', ranges: [{ to: 200 }, { from: 200, to: 500 }, { from: 500 }] },
  ],
  [
    'range keyed',
    'range',
    {
      field: 'pages',
      keyed: true,
      ranges: [
        { key: 'thin', to: 200 },
        { key: 'thick', from: 200 },
      ],
    },
  ],
  [
    'range that overlaps',
    'range',
    {
      field: 'price',
      ranges: [
        { from: 5, to: 20 },
        { from: 10, to: 30 },
      ],
    },
  ],
  [
    'date_range',
    'date_range',
    {
      field: 'published',
      ranges: [{ to: '1980-01-01' }, { from: '1980-01-01', to: '2000-01-01' }, { from: '2000' }],
    },
  ],
  [
    'date_range format',
    'date_range',
    { field: 'published', format: 'MM-yyyy', ranges: [{ from: '01-1980', to: '01-1990' }] },
  ],
  [
    'ip_range',
    'ip_range',
    { field: 'origin', ranges: [{ to: '10.0.1.0' }, { mask: '10.0.2.0/24' }] },
  ],
  ['filter', 'filter', { term: { author: 'Eco' } }, { m: { avg: { field: 'pages' } } }],
  [
    'filters',
    'filters',
    { filters: { eco: { term: { author: 'Eco' } }, new: { range: { year: { gte: 2000 } } } } },
  ],
  [
    'filters as a list',
    'filters',
    { filters: [{ term: { author: 'Eco' } }, { match: { body: 'river' } }] },
  ],
  [
    'filters other',
    'filters',
    { other_bucket: true, filters: { eco: { term: { author: 'Eco' } } } },
  ],
  [
    'filters other by name',
    'filters',
    { other_bucket_key: 'rest', filters: { eco: { term: { author: 'Eco' } } } },
  ],
  ['missing', 'missing', { field: 'price' }],
  ['global', 'global', {}, { m: { avg: { field: 'pages' } } }],
  ['sampler', 'sampler', { shard_size: 1000 }, { m: { avg: { field: 'pages' } } }],
  ['significant_terms', 'significant_terms', { field: 'tags' }],
  [
    'composite',
    'composite',
    {
      size: 7,
      sources: [
        { author: { terms: { field: 'author' } } },
        { room: { terms: { field: 'shelf.room' } } },
      ],
    },
  ],
  [
    'composite after',
    'composite',
    {
      size: 7,
      after: { author: 'Calvino', room: 'north' },
      sources: [
        { author: { terms: { field: 'author' } } },
        { room: { terms: { field: 'shelf.room' } } },
      ],
    },
  ],
  [
    'composite of intervals',
    'composite',
    {
      size: 9,
      sources: [
        {
          decade: {
            date_histogram: { field: 'published', calendar_interval: 'year', format: 'yyyy' },
          },
        },
        { thick: { histogram: { field: 'pages', interval: 400 } } },
      ],
    },
  ],
  [
    'composite descending',
    'composite',
    { size: 5, sources: [{ year: { terms: { field: 'year', order: 'desc' } } }] },
  ],
  [
    'composite with missing',
    'composite',
    { size: 5, sources: [{ tag: { terms: { field: 'tags', missing_bucket: true } } }] },
  ],
  [
    'composite with numbers',
    'composite',
    { sources: [{ year: { terms: { field: 'year' } } }] },
    { m: { sum: { field: 'pages' } } },
  ],
  [
    'top_hits in terms',
    'terms',
    { field: 'author' },
    { t: { top_hits: { size: 1, sort: ['pages'], _source: false } } },
  ],
  [
    'terms in terms',
    'terms',
    { field: 'author' },
    { in: { terms: { field: 'shelf.room' }, aggs: { m: { max: { field: 'year' } } } } },
  ],
  [
    'three levels',
    'histogram',
    { field: 'year', interval: 20 },
    {
      in: {
        terms: { field: 'author', size: 3 },
        aggs: { deep: { range: { field: 'pages', ranges: [{ to: 400 }, { from: 400 }] } } },
      },
    },
  ],
]);

const NEW_YORK = 'America/New_York';
const OF_LOGS = table([
  ['terms of users', 'terms', { field: 'user', size: 5, shard_size: 100 }],
  [
    'terms by a metric',
    'terms',
    { field: 'service', order: { m: 'desc' } },
    { m: { avg: { field: 'latency' } } },
  ],
  ['terms missing', 'terms', { field: 'user', missing: 'none', size: 3, shard_size: 50 }],
  ['hours', 'date_histogram', { field: '@timestamp', fixed_interval: '12h' }],
  ['days', 'date_histogram', { field: '@timestamp', calendar_interval: 'day' }],
  [
    'days in New York',
    'date_histogram',
    { field: '@timestamp', calendar_interval: 'day', time_zone: NEW_YORK },
  ],
  [
    'days in Berlin',
    'date_histogram',
    {
      field: '@timestamp',
      calendar_interval: '1d',
      time_zone: 'Europe/Berlin',
      format: "yyyy-MM-dd'T'HHZ",
    },
  ],
  ['weeks', 'date_histogram', { field: '@timestamp', calendar_interval: 'week' }],
  [
    'weeks that start on Sunday',
    'date_histogram',
    { field: '@timestamp', calendar_interval: 'week', offset: '-1d' },
  ],
  [
    'months in a zone of hours',
    'date_histogram',
    { field: '@timestamp', calendar_interval: 'month', time_zone: '-11:00' },
  ],
  [
    'days with an offset',
    'date_histogram',
    { field: '@timestamp', calendar_interval: 'day', offset: '+6h' },
  ],
  [
    'six hours in New York',
    'date_histogram',
    { field: '@timestamp', fixed_interval: '6h', time_zone: NEW_YORK },
  ],
  [
    'extended days',
    'date_histogram',
    {
      field: '@timestamp',
      calendar_interval: 'day',
      extended_bounds: { min: '2024-03-01', max: '2024-04-20' },
    },
  ],
  [
    'bounded days',
    'date_histogram',
    {
      field: '@timestamp',
      calendar_interval: 'day',
      hard_bounds: { min: '2024-03-15', max: '2024-03-20' },
    },
  ],
  [
    'days with numbers',
    'date_histogram',
    { field: '@timestamp', calendar_interval: 'day' },
    { m: { max: { field: 'latency' } }, t: { terms: { field: 'level' } } },
  ],
  [
    'date_range by date math',
    'date_range',
    { field: '@timestamp', ranges: [{ from: '2024-03-15||-2d/d', to: '2024-03-15||/d' }] },
  ],
  [
    'date_range in a zone',
    'date_range',
    {
      field: '@timestamp',
      time_zone: 'Asia/Tokyo',
      ranges: [{ to: '2024-03-20' }, { from: '2024-03-20' }],
    },
  ],
  ['cardinality', 'cardinality', { field: 'user' }],
  ['percentiles', 'percentiles', { field: 'latency', percents: [25, 50, 75] }],
  ['stats', 'extended_stats', { field: 'latency' }],
  ['significant_terms', 'significant_terms', { field: 'user', min_doc_count: 2 }],
  [
    'composite days',
    'composite',
    {
      size: 6,
      sources: [
        {
          day: {
            date_histogram: { field: '@timestamp', calendar_interval: 'day', time_zone: NEW_YORK },
          },
        },
        { level: { terms: { field: 'level' } } },
      ],
    },
  ],
  [
    'filters',
    'filters',
    {
      filters: {
        bad: { terms: { level: ['error', 'warn'] } },
        slow: { range: { latency: { gt: 500 } } },
      },
    },
    { c: { cardinality: { field: 'user' } } },
  ],
  ['ip_range', 'ip_range', { field: 'host', ranges: [{ from: '192.168.1.0', to: '192.168.2.0' }] }],
]);

const DAYS = { field: '@timestamp', calendar_interval: 'day' };
const LATENCY = { avg: { field: 'latency' } };
const BYTES = { sum: { field: 'bytes' } };
/** Of days, with a pipeline inside each. */
const inside = (
  name: string,
  type: string,
  body: object,
): readonly [string, string, object, object] => [
  name,
  'date_histogram',
  DAYS,
  { m: LATENCY, b: BYTES, p: { [type]: body } },
];
const beside = (type: string, body: object = {}): object => ({
  a: { date_histogram: DAYS, aggs: { m: LATENCY, b: BYTES } },
  p: { [type]: { buckets_path: 'a>m', ...body } },
});
const PIPELINES: Record<string, object> = {
  avg_bucket: beside('avg_bucket'),
  sum_bucket: beside('sum_bucket', { buckets_path: 'a>b' }),
  min_bucket: beside('min_bucket'),
  max_bucket: beside('max_bucket'),
  stats_bucket: beside('stats_bucket'),
  extended_stats_bucket: beside('extended_stats_bucket'),
  percentiles_bucket: beside('percentiles_bucket', { percents: [10, 50, 90] }),
  'count of days': beside('avg_bucket', { buckets_path: 'a._count' }),
  'gaps as zeros': beside('avg_bucket', { gap_policy: 'insert_zeros' }),
  'with a format': beside('sum_bucket', { format: '#.0' }),
  ...table([inside('cumulative_sum', 'cumulative_sum', { buckets_path: 'b' })]),
};
const MODULE_PIPELINES: Record<string, object> = table([
  inside('derivative', 'derivative', { buckets_path: 'b' }),
  inside('derivative with a unit', 'derivative', { buckets_path: 'b', unit: 'hour' }),
  inside('serial_diff', 'serial_diff', { buckets_path: 'b', lag: 2 }),
  inside('bucket_sort', 'bucket_sort', { sort: [{ b: { order: 'desc' } }], size: 5 }),
  inside('bucket_sort cut', 'bucket_sort', { from: 3, size: 4 }),
  ['auto_date_histogram', 'auto_date_histogram', { field: '@timestamp', buckets: 10 }],
]);
const SCRIPT_PIPELINES: Record<string, object> = table([
  inside('bucket_script', 'bucket_script', {
    buckets_path: { x: 'b', y: '_count' },
    script: 'params.x / params.y',
  }),
  inside('bucket_selector', 'bucket_selector', {
    buckets_path: { x: 'b' },
    script: 'params.x > 20000',
  }),
  inside('moving average', 'moving_fn', {
    buckets_path: 'b',
    window: 5,
    script: 'MovingFunctions.unweightedAvg(values)',
  }),
  inside('moving largest', 'moving_fn', {
    buckets_path: 'b',
    window: 3,
    shift: 1,
    script: 'MovingFunctions.max(values)',
  }),
]);

export const AGGREGATION_REQUESTS = [
  ...aggregations('metric', books, METRICS),
  ...aggregations('buckets', books, BUCKETS),
  ...aggregations('aggs of shards', logs, OF_LOGS),
  ...aggregations('pipeline', logs, PIPELINES),
  ...aggregations('pipeline', logs, MODULE_PIPELINES, ['aggregations']),
  ...aggregations('pipeline', logs, SCRIPT_PIPELINES, ['scripts', 'aggregations']),
];
