// Every aggregation refuses an option that it does not know, by name.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/backend.ts';
import { aggKinds, PLAIN_BODY } from '../../../src/query/aggs/kinds/index.ts';
import { compile, refusal } from '../compile.ts';

const field = 'n';
/** What a type needs beside, or instead of, a field. */
const BODIES: Readonly<Record<string, JsonObject>> = {
  composite: { sources: [{ k: { terms: { field } } }] },
  date_histogram: { field, fixed_interval: '1d' },
  date_range: { field, ranges: [{ from: 'now' }] },
  filters: { filters: [{ match_all: {} }] },
  global: {},
  histogram: { field, interval: 1 },
  ip_range: { field, ranges: [{ to: '10.0.0.1' }] },
  percentile_ranks: { field, values: [1] },
  range: { field, ranges: [{ to: 1 }] },
  sampler: {},
  top_hits: {},
  weighted_avg: { value: { field }, weight: { field } },
};

const types = Object.keys(aggKinds).filter((type) => !PLAIN_BODY.has(type));

test.each(types)('%s', (type) => {
  const body = BODIES[type] ?? { field };
  const search = (given: JsonObject) => () => compile({ aggs: { a: { [type]: given } } });
  expect(refusal(search(body))).toBe('nothing was refused');
  expect(refusal(search({ ...body, nonsense: 1 }))).toMatch(
    `parsing_exception: [${type}] unknown field [nonsense]`,
  );
});
