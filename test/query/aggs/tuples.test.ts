// multi_terms and top_metrics: what they refuse.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/backend/index.ts';
import { DEFAULT_LIMITS } from '../../../src/query/limits.ts';
import { compile, refusal } from '../compile.ts';

const two = { terms: [{ field: 'a' }, { field: 'b' }] };
const best = { metrics: { field: 'n' }, sort: { d: 'desc' } };

test.each<[string, JsonObject, string]>([
  ['multi_terms', {}, 'must be present and have at least 2 fields or scripts.'],
  ['multi_terms', { terms: [{ field: 'a' }] }, 'Use the terms aggregation for a single field.'],
  ['multi_terms', { terms: { field: 'a' } }, '[terms] must be an array, found [START_OBJECT]'],
  ['multi_terms', { terms: ['a', 'b'] }, 'must hold objects with a [field], found [VALUE_STRING]'],
  ['multi_terms', { terms: [{}, {}] }, 'Required one of fields [field, script]'],
  ['multi_terms', { terms: [{ field: 'a' }, { field: 'b', x: 1 }] }, 'unknown field [x]'],
  ['multi_terms', { terms: [{ script: '1' }, { field: 'a' }] }, '[script] is not supported'],
  ['multi_terms', { ...two, size: 0 }, '[size] must be greater than 0. Found [0]'],
  ['multi_terms', { ...two, order: { x: 'asc' } }, 'Invalid aggregator order path [x]'],
  ['multi_terms', { ...two, collect_mode: 'any' }, 'unknown value [any] of [collect_mode]'],
  ['top_metrics', { sort: 'n' }, 'Required [metrics]'],
  ['top_metrics', { ...best, metrics: [] }, '[metrics] must not be empty'],
  ['top_metrics', { ...best, metrics: 'n' }, 'Expected [START_OBJECT] under [metrics]'],
  ['top_metrics', { ...best, metrics: { field: 'n', x: 1 } }, '[metrics] unknown field [x]'],
  ['top_metrics', { metrics: { field: 'n' } }, 'Required [sort]'],
  ['top_metrics', { ...best, sort: ['a', 'b'] }, '[sort] must contain exactly one sort'],
  ['top_metrics', { ...best, sort: '_doc' }, 'error building sort for [_doc]'],
  [
    'top_metrics',
    { ...best, sort: { _script: { type: 'string', script: "'x'" } } },
    'script sorting only supported on [numeric] scripts but was [string]',
  ],
  ['top_metrics', { ...best, size: 0 }, '[size] must be more than 0 but was [0]'],
  ['top_metrics', { ...best, size: 11 }, 'must not be more than [10] but was [11]. This limit'],
])('%s %j', (type, body, words) => {
  expect(refusal(() => compile({ aggs: { a: { [type]: body } } }))).toContain(words);
});

test('index.top_metrics_max_size raises the size', () => {
  const body = { aggs: { a: { top_metrics: { ...best, size: 50 } } } };
  const limits = { ...DEFAULT_LIMITS, topMetrics: 50 };
  expect(refusal(() => compile(body, [], { limits }))).toBe('nothing was refused');
});

const ordered = (order: string, more: JsonObject = {}): JsonObject => ({
  aggs: {
    t: {
      terms: { field: 'k', order: { [order]: 'desc' } },
      aggs: { m: { top_metrics: { ...best, ...more } } },
    },
  },
});
test.each([
  ['m.n', {}, 'nothing was refused'],
  ['m[n]', {}, 'nothing was refused'],
  ['m', {}, 'has no metric [], there are [n]'],
  ['m.x', {}, 'has no metric [x], there are [n]'],
  ['m.n', { size: 2 }, '[top_metrics] can only the be target if [size] is [1] but was [2]'],
])('an order by %s %j', (order, more, words) => {
  expect(refusal(() => compile(ordered(order, more)))).toContain(words);
});
