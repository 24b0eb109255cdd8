// Random aggregations over the fields of `SHARED_MAPPING`, up to three levels deep.
import type { Choice } from '../choice.ts';
import { keywordField, numberField, randomClause } from './clauses.ts';
import { keyword, type Members } from './documents.ts';

/** Aggregations inside others are at most this deep. */
const DEEPEST = 2;
const ZONES = ['+01:00', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'] as const;

export function randomAggregations(choice: Choice, depth = 0): Members {
  const list = choice.several(1, 2, () => randomAggregation(choice, depth));
  return Object.fromEntries(list.map((one, at) => [`a${at}`, one]));
}

type Make = (choice: Choice, depth: number) => Members;

const BUCKETS: readonly [Make, ...Make[]] = [
  terms,
  dateHistogram,
  histogram,
  range,
  dateRange,
  addressRange,
  (choice) => ({ filter: randomClause(choice, 1) }),
  filters,
  (choice) => ({ missing: { field: choice.pick(['k', 'n', 'd', 'tags', 't.k', 'ip', 'nope']) } }),
  (choice) => ({ sampler: { shard_size: 10 + choice.below(100) } }),
];
/** Elasticsearch has them only at the top. */
const TOP_BUCKETS: readonly [Make, ...Make[]] = [() => ({ global: {} }), composite];

const METRICS: readonly [Make, ...Make[]] = [
  (choice) => ({ min: { field: metricField(choice) } }),
  (choice) => ({
    max: { field: metricField(choice), ...choice.maybe(0.2, () => ({ missing: 7 })) },
  }),
  (choice) => ({ avg: { field: metricField(choice) } }),
  (choice) => ({ sum: { field: choice.pick(['i', 'h', 'o.q']) } }),
  (choice) => ({ stats: { field: choice.pick(['i', 'h', 'o.q', 'd']) } }),
  (choice) => ({ value_count: { field: choice.pick([numberField(choice), 'k', 'ip', 'd']) } }),
  (choice) => ({ cardinality: { field: choice.pick([numberField(choice), 'k', 'ip', 'd']) } }),
  percentiles,
  (choice) => ({ median_absolute_deviation: { field: choice.pick(['i', 'h']) } }),
  () => ({ weighted_avg: { value: { field: 'o.q' }, weight: { field: 'h', missing: 1 } } }),
  topHits,
];

function randomAggregation(choice: Choice, depth: number): Members {
  if (choice.chance(0.4)) return choice.pick(METRICS)(choice, depth);
  if (choice.chance(0.1)) return nested(choice);
  const isTop = depth === 0 && choice.chance(0.15);
  const bucket = choice.pick(isTop ? TOP_BUCKETS : BUCKETS)(choice, depth);
  const holds = depth < DEEPEST && choice.chance(0.4);
  // Elasticsearch refuses a sampler without aggregations inside.
  if (!holds && 'sampler' in bucket) return { ...bucket, aggs: { a: { max: { field: 'i' } } } };
  return holds ? { ...bucket, aggs: randomAggregations(choice, depth + 1) } : bucket;
}

function metricField(choice: Choice): string {
  return choice.chance(0.9) ? numberField(choice) : choice.pick(['d', 'b', 'nope']);
}

function terms(choice: Choice): Members {
  const isKeyword = choice.chance(0.7);
  const field = isKeyword
    ? keywordField(choice)
    : choice.pick([numberField(choice), 'd', 'b', 'ip']);
  const missing = { b: false, ip: '10.0.0.1' }[field] ?? (isKeyword ? 'none' : 3);
  const orders = [
    { _key: 'asc' },
    { _count: 'asc' },
    { _key: 'desc' },
    [{ _count: 'desc' }, { _key: 'desc' }],
  ] as const;
  const chosen = isKeyword ? choice.pick(['r.*', ['red', 'a'], '[ab].*']) : [1, 2, 3];
  const hasChoice = isKeyword || /^[nifh]$/.test(field);
  return {
    terms: {
      field,
      ...choice.maybe(0.5, () => ({ size: 1 + choice.below(8) })),
      ...choice.maybe(0.2, () => ({ min_doc_count: choice.below(4) })),
      ...choice.maybe(0.2, () => ({ missing })),
      ...choice.maybe(0.3, () => ({ order: choice.pick(orders) })),
      ...choice.maybe(hasChoice ? 0.15 : 0, () => ({
        [choice.pick(['include', 'exclude'])]: chosen,
      })),
      ...choice.maybe(0.1, () => ({ show_term_doc_count_error: true })),
    },
  };
}

function dateHistogram(choice: Choice): Members {
  const calendar = ['month', 'quarter', 'year', '1w', '1M', 'week'] as const;
  const interval = choice.chance(0.6)
    ? { calendar_interval: choice.pick(calendar) }
    : { fixed_interval: choice.pick(['30d', '90d', '10d', '2160h']) };
  const formats = ['yyyy-MM', 'yyyy-MM-dd', 'epoch_millis', 'EEE, dd MMM yyyy'] as const;
  return {
    date_histogram: {
      field: choice.pick(['d', 'd2', 'dr']),
      ...interval,
      ...choice.maybe(0.4, () => ({ time_zone: choice.pick(ZONES) })),
      ...choice.maybe(0.2, () => ({ offset: choice.pick(['+6h', '-1d', '1d']) })),
      ...choice.maybe(0.3, () => ({ min_doc_count: choice.below(3) })),
      ...choice.maybe(0.3, () => ({ format: choice.pick(formats) })),
      ...choice.maybe(0.1, () => ({ keyed: true })),
      ...choice.maybe(0.2, () => ({ order: choice.pick([{ _key: 'desc' }, { _count: 'asc' }]) })),
      ...choice.maybe(0.1, () => ({ missing: '2022-01-01' })),
    },
  };
}

function histogram(choice: Choice): Members {
  const bounds = choice.pick<Members>([
    { extended_bounds: { min: -10, max: 70 } },
    { hard_bounds: { min: 5, max: 30 } },
  ]);
  return {
    histogram: {
      field: choice.pick(['i', 'h', 'o.q']),
      interval: choice.pick([5, 10, 2.5, 0.5, 100]),
      ...choice.maybe(0.2, () => ({ offset: 1 })),
      ...choice.maybe(0.4, () => ({ min_doc_count: choice.below(3) })),
      ...choice.maybe(0.2, () => ({ missing: 3 })),
      ...choice.maybe(0.1, () => ({ keyed: true })),
      ...choice.maybe(0.2, () => bounds),
    },
  };
}

function range(choice: Choice): Members {
  const ranges = [{ to: 10 }, { from: 10, to: 20 }, { from: 20, key: 'big' }, { from: 5, to: 15 }];
  const keyed = choice.maybe(0.3, () => ({ keyed: true }));
  return { range: { field: numberField(choice), ranges, ...keyed } };
}

function dateRange(choice: Choice): Members {
  return {
    date_range: {
      field: choice.pick(['d', 'd2']),
      ranges: [{ to: '2022-01-01' }, { from: '2021-06-01', to: '2022-06-01||/M' }],
      ...choice.maybe(0.3, () => ({ time_zone: 'Europe/Berlin' })),
      ...choice.maybe(0.2, () => ({ missing: '2021-12-01' })),
    },
  };
}

function addressRange(choice: Choice): Members {
  const ranges = choice.chance(0.5)
    ? [{ mask: '10.0.1.0/24' }, { to: '10.0.2.0' }]
    : [{ from: '10.0.0.0', to: '10.0.1.10' }, { from: '::' }];
  return { ip_range: { field: 'ip', ranges } };
}

function filters(choice: Choice): Members {
  const [one, two] = [randomClause(choice, 2), randomClause(choice, 2)];
  const other = choice.maybe(0.3, () => ({ other_bucket: true }));
  return { filters: { filters: choice.chance(0.5) ? { one, two } : [one, two], ...other } };
}

function nested(choice: Choice): Members {
  const aggregation = choice.pick<Members>([
    { terms: { field: 'ne.a', size: 4 } },
    { stats: { field: 'ne.x' } },
    {
      histogram: { field: 'ne.x', interval: 5 },
      aggs: { r: { reverse_nested: {}, aggs: { k: { terms: { field: 'k', size: 3 } } } } },
    },
    { filter: { term: { 'ne.a': keyword(choice) } } },
  ]);
  return { nested: { path: 'ne' }, aggs: { x: aggregation } };
}

function composite(choice: Choice): Members {
  const month = {
    field: 'd',
    calendar_interval: 'month',
    ...choice.maybe(0.5, () => ({ format: 'yyyy-MM' })),
    ...choice.maybe(0.4, () => ({ time_zone: 'America/New_York' })),
  };
  const sources = choice.pick<readonly Members[]>([
    [{ a: { terms: { field: 'k' } } }],
    [
      { a: { terms: { field: 'k', missing_bucket: true, order: 'desc' } } },
      { b: { histogram: { field: 'i', interval: 10 } } },
    ],
    [{ d: { date_histogram: month } }, { t: { terms: { field: 'tags' } } }],
    [{ n: { terms: { field: 'n', order: 'desc' } } }],
    [{ i: { terms: { field: 'ip' } } }, { b: { terms: { field: 'b' } } }],
  ]);
  return { composite: { size: 1 + choice.below(10), sources } };
}

function percentiles(choice: Choice): Members {
  const percents = choice.pick<readonly number[]>([[50], [1, 25, 50, 75, 99], [0, 100]]);
  const keyed = choice.maybe(0.3, () => ({ keyed: false }));
  return { percentiles: { field: choice.pick(['i', 'h']), percents, ...keyed } };
}

function topHits(choice: Choice): Members {
  const order = { [choice.pick(['n', 'i', 'd'])]: choice.pick(['asc', 'desc']) };
  const sources = [false, ['k', 'n'], { includes: ['o.*'] }] as const;
  const size = 1 + choice.below(3);
  return { top_hits: { size, sort: [order, { _doc: 'asc' }], _source: choice.pick(sources) } };
}
