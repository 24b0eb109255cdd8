// Every aggregation, sort, suggester and query over indexes in which no document is left: shards
// without segments, and segments all of whose documents are deleted.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

const TYPES = {
  keyword: { type: 'keyword' },
  text: { type: 'text', fielddata: true },
  long: { type: 'long' },
  double: { type: 'double' },
  date: { type: 'date' },
  boolean: { type: 'boolean' },
  ip: { type: 'ip' },
  version: { type: 'version' },
  place: { type: 'geo_point' },
  flat: { type: 'flattened' },
  wild: { type: 'wildcard' },
  feature: { type: 'rank_feature' },
  vector: { type: 'dense_vector', dims: 2 },
  said: { type: 'completion' },
  parts: { type: 'nested', properties: { keyword: { type: 'keyword' } } },
};
const VALUES = {
  keyword: 'a',
  text: 'some words',
  long: 1,
  double: 1.5,
  date: '2026-01-02',
  boolean: true,
  ip: '10.0.0.1',
  version: '1.2.3',
  place: { lat: 1, lon: 2 },
  flat: { a: 'b' },
  wild: 'w',
  feature: 1,
  vector: [1, 2],
  said: 'yes',
  parts: [{ keyword: 'p' }, { keyword: 'q' }],
};
const FIELDS = [...Object.keys(TYPES), 'flat.a', 'parts.keyword', 'unmapped'];

const inside = { c: { cardinality: { field: 'keyword' } }, m: { max: { field: 'long' } } };
const AGGREGATIONS: Readonly<Record<string, (field: string) => object>> = {
  terms: (field) => ({ terms: { field, min_doc_count: 0 }, aggs: inside }),
  rare_terms: (field) => ({ rare_terms: { field } }),
  significant_terms: (field) => ({ significant_terms: { field } }),
  significant_text: (field) => ({ significant_text: { field } }),
  multi_terms: (field) => ({ multi_terms: { terms: [{ field }, { field: 'keyword' }] } }),
  composite: (field) => ({ composite: { sources: [{ s: { terms: { field } } }] } }),
  cardinality: (field) => ({ cardinality: { field } }),
  value_count: (field) => ({ value_count: { field } }),
  missing: (field) => ({ missing: { field }, aggs: inside }),
  top_hits: (field) => ({ top_hits: { sort: [{ [field]: 'asc' }] } }),
  top_metrics: (field) => ({
    top_metrics: { metrics: { field: 'long' }, sort: { [field]: 'asc' } },
  }),
  string_stats: (field) => ({ string_stats: { field } }),
  stats: (field) => ({ stats: { field } }),
  extended_stats: (field) => ({ extended_stats: { field } }),
  avg: (field) => ({ avg: { field } }),
  sum: (field) => ({ sum: { field } }),
  min: (field) => ({ min: { field } }),
  max: (field) => ({ max: { field } }),
  percentiles: (field) => ({ percentiles: { field } }),
  percentile_ranks: (field) => ({ percentile_ranks: { field, values: [1] } }),
  median_absolute_deviation: (field) => ({ median_absolute_deviation: { field } }),
  boxplot: (field) => ({ boxplot: { field } }),
  histogram: (field) => ({ histogram: { field, interval: 1 }, aggs: inside }),
  date_histogram: (field) => ({
    date_histogram: { field, calendar_interval: 'day' },
    aggs: inside,
  }),
  auto_date_histogram: (field) => ({ auto_date_histogram: { field } }),
  variable_width_histogram: (field) => ({ variable_width_histogram: { field } }),
  range: (field) => ({ range: { field, ranges: [{ to: 1 }] } }),
  date_range: (field) => ({ date_range: { field, ranges: [{ to: 'now' }] } }),
  ip_range: (field) => ({ ip_range: { field, ranges: [{ to: '10.0.0.9' }] } }),
  geo_bounds: (field) => ({ geo_bounds: { field } }),
  geo_centroid: (field) => ({ geo_centroid: { field } }),
  geohash_grid: (field) => ({ geohash_grid: { field } }),
  geotile_grid: (field) => ({ geotile_grid: { field } }),
  geo_distance: (field) => ({ geo_distance: { field, origin: '1,2', ranges: [{ to: 1 }] } }),
  weighted_avg: (field) => ({ weighted_avg: { value: { field }, weight: { field: 'long' } } }),
  matrix_stats: (field) => ({ matrix_stats: { fields: [field, 'long'] } }),
  diversified_sampler: (field) => ({ diversified_sampler: { field }, aggs: inside }),
  sampler: () => ({ sampler: {}, aggs: inside }),
  global: () => ({ global: {}, aggs: inside }),
  filters: (field) => ({ filters: { filters: { f: { exists: { field } } } }, aggs: inside }),
  adjacency_matrix: (field) => ({ adjacency_matrix: { filters: { f: { exists: { field } } } } }),
  nested: () => ({ nested: { path: 'parts' }, aggs: inside }),
};
const BODIES: readonly ((field: string) => object)[] = [
  (field) => ({ sort: [{ [field]: 'desc' }] }),
  (field) => ({ query: { exists: { field } }, collapse: { field } }),
  (field) => ({ query: { bool: { must_not: { exists: { field } } } }, fields: [field] }),
  (field) => ({ query: { prefix: { [field]: 'a' } }, highlight: { fields: { [field]: {} } } }),
  (field) => ({ query: { match: { [field]: '1' } }, explain: true, profile: true }),
  (field) => ({ query: { rank_feature: { field } } }),
  (field) => ({ query: { distance_feature: { field, origin: 'now', pivot: '1d' } } }),
  (field) => ({ query: { more_like_this: { fields: [field], like: 'some words' } } }),
  (field) => ({ knn: { field, query_vector: [1, 2], k: 3, num_candidates: 10 } }),
  (field) => ({ suggest: { s: { text: 'wrds', term: { field } } } }),
  (field) => ({ suggest: { s: { text: 'wrds', phrase: { field } } } }),
  (field) => ({ suggest: { s: { prefix: 'y', completion: { field } } } }),
];

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const created = { settings: { number_of_shards: 2 }, mappings: { properties: TYPES } };
  for (const name of ['never', 'emptied', 'replaced']) {
    expect((await server.call('PUT', `/${name}`, created)).status).toBe(200);
  }
  for (let id = 0; id < 4; id++) {
    await server.call('PUT', `/emptied/_doc/${id}?refresh=true`, VALUES);
    await server.call('PUT', `/replaced/_doc/${id}`, VALUES);
  }
  await server.call('POST', '/_flush');
  for (const name of ['emptied', 'replaced']) {
    const path = `/${name}/_delete_by_query?refresh=true`;
    const gone = await server.call('POST', path, { query: { match_all: {} } });
    expect(gone.json.deleted, gone.text).toBe(4);
  }
});
afterAll(() => server?.stop());

describe.each(['never', 'emptied', 'replaced', 'never,emptied,replaced'])('in [%s]', (index) => {
  test.each(Object.keys(AGGREGATIONS))('aggregations %s answer or are refused', async (kind) => {
    for (const field of FIELDS) {
      const aggs = { a: AGGREGATIONS[kind]?.(field) };
      const reply = await server.call('POST', `/${index}/_search`, { size: 0, aggs });
      expect([200, 400], `${field}: ${reply.text}`).toContain(reply.status);
    }
  });

  test.each(
    BODIES.map((body, i) => [Object.keys(body('x')).join(' and '), i] as const),
  )('searches with %s (%i) answer or are refused', async (_name, i) => {
    for (const field of FIELDS) {
      const reply = await server.call('POST', `/${index}/_search`, BODIES[i]?.(field));
      expect([200, 400], `${field}: ${reply.text}`).toContain(reply.status);
      if (reply.status === 200) expect(reply.json.hits.total.value).toBe(0);
    }
  });
});
