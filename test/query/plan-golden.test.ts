// Golden bytes of a plan that contains every node once; the native tests decode the same file.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { readOpcodes } from '../tools/opcodes.ts';
import { expectGolden } from '../wire/golden.ts';
import { compile } from './compile.ts';

const every: JsonObject = {
  query: {
    bool: {
      must: [
        {
          match: { body: { query: 'quick fox', operator: 'and', fuzziness: 'AUTO:2,5', boost: 2 } },
        },
        { match_phrase: { body: { query: 'quick fox', slop: 1 } } },
        { match_phrase_prefix: { body: 'quick fo' } },
        { match_bool_prefix: { body: 'quick fo' } },
        { multi_match: { query: 'fox', fields: ['title^3', 'body*'], type: 'most_fields' } },
        {
          query_string: {
            query: 'tit*',
            fields: ['title^2', 'body'],
            analyzer: 'simple',
            time_zone: '+01:00',
          },
        },
      ],
      filter: [
        { term: { tag: { value: 'Käse', case_insensitive: true } } },
        { terms: { n: [1, 18446744073709551615n, 'x', true] } },
        { range: { day: { gte: 'now-1d/d', lt: 5, format: 'yyyy', time_zone: '+01:00' } } },
        { exists: { field: 'title' } },
        { prefix: { tag: 'k' } },
        { wildcard: { tag: 'k*e' } },
        { regexp: { tag: 'k.+' } },
        { fuzzy: { tag: 'kase' } },
        { ids: { values: ['1', 'é'] } },
      ],
      should: [
        { constant_score: { filter: { match_all: {} }, boost: 1.5 } },
        {
          nested: {
            path: 'notes',
            query: { match: { 'notes.body': 'fox' } },
            score_mode: 'max',
            ignore_unmapped: true,
          },
        },
        { dis_max: { queries: [{ match_none: {} }, { match_all: {} }], tie_breaker: 0.5 } },
        {
          boosting: {
            positive: { match_all: { _name: 'all' } },
            negative: { match_none: {} },
            negative_boost: 0.25,
          },
        },
      ],
      must_not: [{ term: { n: 7 } }],
      minimum_should_match: '2<75%',
    },
  },
  post_filter: { match_all: {} },
  from: 0,
  size: 5,
  sort: [
    { day: { order: 'desc', missing: '_first', format: 'yyyy' } },
    { n: { mode: 'avg', missing: 3, unmapped_type: 'long', numeric_type: 'double' } },
    '_score',
  ],
  search_after: ['2024', 1.5, null],
  _source: { includes: ['a.*'], excludes: ['a.b'] },
  docvalue_fields: ['n', { field: 'day', format: 'epoch_millis' }],
  fields: ['title'],
  version: true,
  seq_no_primary_term: true,
  explain: true,
  min_score: 0.125,
  timeout: '2s',
  terminate_after: 1000,
  track_total_hits: 500,
};

/**
 * In golden/wire/plan_vectors, plan_semantic, plan_scores and plan_features; slices in
 * pinned.test.ts.
 */
const ELSEWHERE = [
  'snapshots',
  'knn',
  'doc_scores',
  'semantic',
  'group_score',
  'function_score',
  'script_score',
  'distance_feature',
  'rank_feature',
  'slice',
];

/** In golden/wire/plan_shown, plan_rescore and plan_nested. */
const SHOWN_NODES = ['highlight', 'collapse', 'unmapped', 'rescore', 'nested_hits'];

/** Aggregations are in the seed plans of the plan fuzzer. */
function isAggregation(name: string): boolean {
  return name === 'aggs' || name.startsWith('agg:');
}

/** True if any position of the plan can be read as a node of that kind. */
function hasNode(plan: Uint8Array, opcode: number): boolean {
  const view = new DataView(plan.buffer, plan.byteOffset, plan.byteLength);
  for (let at = 64; at + 8 <= plan.length; at++) {
    const fits = at + 8 + view.getUint32(at + 4, true) <= plan.length;
    if (view.getUint16(at, true) === opcode && view.getUint16(at + 2, true) === 0 && fits)
      return true;
  }
  return false;
}

test('a plan with every node has golden bytes', async () => {
  const { plan } = compile(every);
  for (const [name, opcode] of Object.entries(readOpcodes())) {
    if ([...ELSEWHERE, ...SHOWN_NODES].includes(name) || isAggregation(name)) continue;
    expect(hasNode(plan, opcode), name).toBe(true);
  }
  await expectGolden(
    'plan_every_node',
    'a plan with every node, see test/query/plan-golden.test.ts',
    plan,
  );
});

test('a plan of all that hits show has golden bytes', async () => {
  const { plan } = compile({
    query: { match: { body: 'quick fox' } },
    fields: [{ field: 'a.*', include_unmapped: true }],
    collapse: { field: 'tag', inner_hits: { name: 'others', size: 2 } },
    highlight: {
      pre_tags: ['<b>'],
      post_tags: ['</b>'],
      encoder: 'html',
      order: 'score',
      fields: {
        body: { matched_fields: ['body', 'body.stemmed'], max_analyzed_offset: 500 },
        't*': {
          require_field_match: false,
          boundary_scanner: 'chars',
          number_of_fragments: 0,
          phrase_limit: 3,
          highlight_query: { term: { title: 'fox' } },
        },
      },
    },
  });
  for (const name of SHOWN_NODES.slice(0, 3)) {
    expect(hasNode(plan, readOpcodes()[name] ?? 0), name).toBe(true);
  }
  await expectGolden('plan_shown', 'highlight, collapse and unmapped fields', plan);
});

test('a plan with rescore queries has golden bytes', async () => {
  const { plan } = compile({
    query: { match: { body: 'fox' } },
    rescore: [
      { window_size: 20, query: { rescore_query: { match_phrase: { body: 'quick fox' } } } },
      { query: { rescore_query: { term: { tag: 'k' } }, score_mode: 'max' } },
    ],
  });
  expect(hasNode(plan, readOpcodes()['rescore'] ?? 0)).toBe(true);
  await expectGolden('plan_rescore', 'two rescore queries', plan);
});

test('a plan of nested documents has golden bytes', async () => {
  const nested = { path: 'a', filter: { term: { 'a.k': 'x' } }, nested: { path: 'a.b' } };
  const limited = { path: 'a', max_children: 3 };
  const { plan } = compile(
    {
      query: { match_all: {} },
      sort: [{ 'a.b.n': { mode: 'sum', nested } }, { 'a.n': { order: 'desc', nested: limited } }],
    },
    [],
    { nestedHits: { path: 'a', doc: 7, snapshot: { index: 4, shard: 0, generation: 7n } } },
  );
  expect(hasNode(plan, readOpcodes()['nested_hits'] ?? 0)).toBe(true);
  await expectGolden('plan_nested', 'nested documents of one document, sorts by nested', plan);
});

test('the fuzzer of plans knows every aggregation', () => {
  const folder = new URL('../../native/fuzz/corpus/plan_fuzz/', import.meta.url);
  const plans = readdirSync(folder)
    .filter((name) => name.startsWith('plan_aggs_'))
    .map((name) => readFileSync(new URL(name, folder)));
  for (const [name, opcode] of Object.entries(readOpcodes())) {
    if (!isAggregation(name)) continue;
    expect(
      plans.some((plan) => hasNode(plan, opcode)),
      name,
    ).toBe(true);
  }
});

const source = (name: string, type: string, body: object) => ({ [name]: { [type]: body } });
const aggs: Record<string, object> = {
  auto_date_histogram: { field: 'day', buckets: 7, minimum_interval: 'hour', time_zone: '+02:00' },
  cardinality: { field: 'tag', precision_threshold: 100 },
  composite: {
    size: 4,
    sources: [
      source('t', 'terms', { field: 'tag', missing_bucket: true, missing_order: 'last' }),
      source('h', 'histogram', { field: 'n', interval: 2.5, order: 'desc' }),
      source('d', 'date_histogram', { field: 'day', calendar_interval: 'week' }),
    ],
    after: { t: null, h: 5, d: 1000 },
  },
  date_histogram: {
    field: 'day',
    calendar_interval: 'month',
    time_zone: 'Europe/Berlin',
    offset: '+6h',
    extended_bounds: { min: '2024', max: 'now/M' },
  },
  date_range: { field: 'day', ranges: [{ from: 'now-1d/d' }], format: 'yyyy', missing: '2020' },
  diversified_sampler: { field: 'tag', shard_size: 50, max_docs_per_value: 2 },
  extended_stats: { field: 'n', missing: 1.5 },
  filters: { filters: { k: { term: { tag: 'k' } } }, other_bucket: true },
  global: {},
  histogram: { field: 'n', interval: 10, offset: 3, hard_bounds: { min: 0, max: 100 } },
  ip_range: { field: 'host', ranges: [{ mask: '10.0.0.0/8' }, { to: '10.0.0.9' }] },
  missing: { field: 'n' },
  nested: { path: 'a' },
  percentiles: { field: 'n', percents: [50], tdigest: { compression: 200 } },
  range: { field: 'n', ranges: [{ to: 1 }, { from: 1, to: 2.5 }] },
  significant_terms: { field: 'tag', background_filter: { term: { tag: 'k' } } },
  stats: { field: 'n' },
  top_hits: { from: 1, size: 2, sort: [{ n: 'desc' }] },
  value_count: { field: 'n' },
  weighted_avg: { value: { field: 'n', missing: 2 }, weight: { field: 'm' } },
};

test('a plan with every aggregation has golden bytes', async () => {
  const terms = {
    terms: {
      field: 'tag',
      size: 5,
      include: ['Käse', 'x'],
      exclude: 'a.*',
      order: [{ 'm.max': 'desc' }, { _key: 'asc' }],
    },
    aggs: { m: { stats: { field: 'n' } } },
  };
  const back = { aggs: { back: { reverse_nested: {} } } };
  const others = Object.entries(aggs).map(([type, body]) => [
    `of ${type}`,
    { [type]: body, ...(type === 'nested' ? back : {}) },
  ]);
  const { plan } = compile({ size: 0, aggs: { terms, ...Object.fromEntries(others) } });
  for (const [name, opcode] of Object.entries(readOpcodes())) {
    if (isAggregation(name)) expect(hasNode(plan, opcode), name).toBe(true);
  }
  await expectGolden(
    'plan_aggs',
    'a plan with every aggregation, see test/query/plan-golden.test.ts',
    plan,
  );
});
