// Aggregations of the logs over three shards: times and time zones, and pipelines over buckets.
import { aggregations, logs } from '../request.ts';
import { table } from './table.ts';

const NEW_YORK = 'America/New_York';
const OF_LOGS = table([
  [
    'terms by key, cut by shards',
    'terms',
    { field: 'user', size: 2, shard_size: 4, order: { _key: 'asc' } },
  ],
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
/** A histogram of days, with a pipeline inside each. */
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
const sibling = (type: string, body: object = {}): object => ({
  a: { date_histogram: DAYS, aggs: { m: LATENCY, b: BYTES } },
  p: { [type]: { buckets_path: 'a>m', ...body } },
});
const PIPELINES: Record<string, object> = {
  avg_bucket: sibling('avg_bucket'),
  sum_bucket: sibling('sum_bucket', { buckets_path: 'a>b' }),
  min_bucket: sibling('min_bucket'),
  max_bucket: sibling('max_bucket'),
  stats_bucket: sibling('stats_bucket'),
  extended_stats_bucket: sibling('extended_stats_bucket'),
  percentiles_bucket: sibling('percentiles_bucket', { percents: [10, 50, 90] }),
  'count of days': sibling('avg_bucket', { buckets_path: 'a._count' }),
  'gaps as zeros': sibling('avg_bucket', { gap_policy: 'insert_zeros' }),
  'with a format': sibling('sum_bucket', { format: '#.0' }),
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

export const OVER_TIME_REQUESTS = [
  ...aggregations('aggs of shards', logs, OF_LOGS),
  ...aggregations('pipeline', logs, PIPELINES),
  ...aggregations('pipeline', logs, MODULE_PIPELINES, ['aggregations']),
  ...aggregations('pipeline', logs, SCRIPT_PIPELINES, ['scripts', 'aggregations']),
];
