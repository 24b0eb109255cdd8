// Every aggregation rejects an unknown option by its name.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/backend/index.ts';
import { aggKinds, PLAIN_BODY } from '../../../src/query/aggs/kinds/index.ts';
import { compile, refusal } from '../compile.ts';

const field = 'n';
/** Parameters that a type needs in addition to, or instead of, a field. */
const BODIES: Readonly<Record<string, JsonObject>> = {
  composite: { sources: [{ k: { terms: { field } } }] },
  date_histogram: { field, fixed_interval: '1d' },
  date_range: { field, ranges: [{ from: 'now' }] },
  filters: { filters: [{ match_all: {} }] },
  geo_distance: { field, origin: [1, 2], ranges: [{ to: 1 }] },
  global: {},
  histogram: { field, interval: 1 },
  multi_terms: { terms: [{ field }, { field: 'k' }] },
  nested: { path: 'a' },
  reverse_nested: {},
  ip_range: { field, ranges: [{ to: '10.0.0.1' }] },
  percentile_ranks: { field, values: [1] },
  range: { field, ranges: [{ to: 1 }] },
  sampler: {},
  top_hits: {},
  top_metrics: { metrics: { field }, sort: 'n' },
  weighted_avg: { value: { field }, weight: { field } },
};

const types = Object.keys(aggKinds).filter((type) => !PLAIN_BODY.has(type));

test.each(types)('%s', (type) => {
  const body = BODIES[type] ?? { field };
  const around = (aggs: JsonObject): JsonObject =>
    type === 'reverse_nested' ? { n: { nested: { path: 'a' }, aggs } } : aggs;
  const search = (given: JsonObject) => () => compile({ aggs: around({ a: { [type]: given } }) });
  expect(refusal(search(body))).toBe('nothing was refused');
  expect(refusal(search({ ...body, nonsense: 1 }))).toMatch(
    `parsing_exception: [${type}] unknown field [nonsense]`,
  );
});

const source = (type: string, more: JsonObject): JsonObject => ({
  sources: [{ k: { [type]: { field, ...more } } }],
});
const weighed = { value: { field, format: '0' }, weight: { field } };
/** Options of another kind or place, and options with only one supported value. */
test.each<[string, JsonObject, string]>([
  ['composite', source('terms', { format: '0' }), '[terms] unknown field [format]'],
  ['composite', source('terms', { missing: 1 }), '[terms] unknown field [missing]'],
  ['composite', source('terms', { time_zone: 'Z' }), '[terms] unknown field [time_zone]'],
  [
    'composite',
    source('histogram', { interval: 1, format: '0' }),
    '[histogram] unknown field [format]',
  ],
  [
    'composite',
    source('date_histogram', { fixed_interval: '1d', missing: 1 }),
    '[date_histogram] unknown field [missing]',
  ],
  ['max', { field, time_zone: 'Z' }, '[max] unknown field [time_zone]'],
  ['terms', { field, time_zone: 'Z' }, '[terms] unknown field [time_zone]'],
  ['histogram', { field, interval: 1, time_zone: 'Z' }, '[histogram] unknown field [time_zone]'],
  ['range', { field, ranges: [{ to: 1 }], time_zone: 'Z' }, '[range] unknown field [time_zone]'],
  ['cardinality', { field, format: '0' }, '[cardinality] unknown field [format]'],
  ['cardinality', { field, execution_hint: 'map' }, 'unknown value [map] of [execution_hint]'],
  [
    'median_absolute_deviation',
    { field, execution_hint: 'map' },
    'unknown value [map] of [execution_hint]',
  ],
  [
    'percentiles',
    { field, tdigest: { execution_hint: 'map' } },
    'unknown value [map] of [execution_hint]',
  ],
  ['weighted_avg', weighed, '[weighted_avg] unknown field [format]'],
  [
    'weighted_avg',
    { value: { field }, weight: { field }, value_type: 'string' },
    'unknown value [string] of [value_type]',
  ],
  ['sum', { field, format: 5 }, '[sum] [format] must be a string, found [VALUE_NUMBER]'],
])('%s of %j', (type, body, reason) => {
  expect(refusal(() => compile({ aggs: { a: { [type]: body } } }))).toContain(reason);
});
