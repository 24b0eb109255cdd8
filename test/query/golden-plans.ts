// The plans of the golden files test/golden/wire/plan_*.json. Together they have every node with
// every part of its payload; the native tests decode and run the same files.
import type { JsonObject } from '../../src/backend/index.ts';
import { parseSlice } from '../../src/query/clauses/slice.ts';
import {
  FETCH_MATCHED_QUERIES,
  type PlanHeader,
  type WriteQuery,
  writePlan,
} from '../../src/wire/plan-writer.ts';
import { readOpcodes } from '../tools/opcodes.ts';
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
        { prefix: { tag: { value: 'k', rewrite: 'top_terms_boost_9', boost: 2 } } },
        { query_string: { query: 'k*e', fields: ['tag'], rewrite: 'top_terms_3' } },
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

const shown: JsonObject = {
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
};

const rescored: JsonObject = {
  query: { match: { body: 'fox' } },
  rescore: [
    { window_size: 20, query: { rescore_query: { match_phrase: { body: 'quick fox' } } } },
    { query: { rescore_query: { term: { tag: 'k' } }, score_mode: 'max' } },
  ],
};

function nestedPlan(): Uint8Array {
  const nested = { path: 'a', filter: { term: { 'a.k': 'x' } }, nested: { path: 'a.b' } };
  const limited = { path: 'a', max_children: 3 };
  const knn = { field: 'a.v', query_vector: [1, 2], k: 3, filter: { term: { tag: 'k' } } };
  const { plan } = compile(
    {
      query: {
        nested: {
          path: 'a',
          query: { nested: { path: 'a.b', query: { knn }, inner_hits: { name: 'deep' } } },
          inner_hits: { from: 1, size: 2, sort: ['a.n'] },
        },
      },
      sort: [{ 'a.b.n': { mode: 'sum', nested } }, { 'a.n': { order: 'desc', nested: limited } }],
    },
    [{ term: { shown: true } }],
  );
  return plan;
}

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

function aggsPlan(): Uint8Array {
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
  return compile({ size: 0, aggs: { terms, ...Object.fromEntries(others) } }).plan;
}

const SCRIPT = `_score > 0 && !doc['tag'].empty || doc['n'].size() > 1
  ? Math.max(Math.abs(-doc['n'].value), 2) * 3 - 7 / 2.0 + 9 % 4
  : saturation(_score, params.k) + sigmoid(_score, 2, params['k'])
    + (doc['tag'].value == 'k0' ? 1 : doc['n'].value <= 3L ? 0.5 : true != false ? 2 : 1)`;
const VECTOR = `cosineSimilarity(params.v, 'emb') + 1 + dotProduct(params.v, 'emb') * 0
  + l2norm(params.v, 'emb') + l1norm(params.v, 'emb')`;

const decay = { origin: 4, scale: '3', offset: 1, decay: 0.25 };
const scored: JsonObject = {
  query: {
    function_score: {
      query: {
        script_score: {
          query: {
            group_score: {
              field: 'tag',
              queries: [{ match: { title: 'fox' } }],
              filter: { match_all: {} },
            },
          },
          script: { source: SCRIPT, params: { k: 1.5 } },
          min_score: 0.5,
          boost: 2,
        },
      },
      functions: [
        { weight: 2, filter: { term: { tag: 'k1' } } },
        { field_value_factor: { field: 'n', factor: 1.5, modifier: 'ln2p', missing: 1 } },
        { random_score: { seed: 42, field: 'n' }, weight: 0.5 },
        { gauss: { n: decay, multi_value_mode: 'avg' } },
        { exp: { day: { scale: '10d' } } },
        { linear: { n: decay } },
        { script_score: { script: { source: VECTOR, params: { v: [1, 0.5, 0.25] } } } },
      ],
      score_mode: 'sum',
      boost_mode: 'avg',
      max_boost: 40,
      min_score: 0.125,
      _name: 'scored',
    },
  },
  post_filter: { distance_feature: { field: 'day', origin: 'now-1d', pivot: '7d', boost: 1.5 } },
  sort: [
    { _script: { type: 'number', script: { source: "doc['n'].value", lang: 'expression' } } },
    { _script: { type: 'string', order: 'desc', script: "doc['tag'].value + 'x'" } },
    '_score',
  ],
};

const leastOf = (least: JsonObject): JsonObject => ({
  terms_set: { tag: { terms: ['a', 'b', 'c'], ...least } },
});
const scripted: JsonObject = {
  query: {
    bool: {
      filter: [
        { script: { script: { source: "doc['n'].value > params.least", params: { least: 3 } } } },
        { script: { script: { source: "doc['n'].value", lang: 'expression' }, boost: 2 } },
      ],
      should: [
        leastOf({ minimum_should_match_field: 'n', _name: 'needs', boost: 0.5 }),
        leastOf({ minimum_should_match_script: { source: 'params.num_terms - 1' } }),
        leastOf({ minimum_should_match: '75%' }),
      ],
    },
  },
  script_fields: {
    double: { script: "doc['n'].value * 2" },
    text: { script: { source: "doc['tag'].value + 'x'" }, ignore_failure: true },
  },
};

const tuples: JsonObject = {
  size: 0,
  aggs: {
    m: {
      multi_terms: {
        terms: [{ field: 'tag' }, { field: 'n', missing: 1 }],
        order: { 'best.n': 'desc' },
      },
      aggs: { best: { top_metrics: { metrics: { field: 'n' }, sort: { day: 'desc' } } } },
    },
  },
};

function featuresPlan(): Uint8Array {
  const feature = (body: JsonObject): JsonObject => ({ rank_feature: { field: 'rank', ...body } });
  const query: JsonObject = {
    bool: {
      should: [
        feature({}),
        feature({ saturation: { pivot: 8 }, boost: 2.5, _name: 'saturation' }),
        feature({ log: { scaling_factor: 4 } }),
        feature({ sigmoid: { pivot: 7, exponent: 0.5 } }),
        { rank_feature: { field: 'topics.a', linear: {} } },
      ],
    },
  };
  return compile({ query }).plan;
}

/** Clauses, a sort key and aggregations by place. */
const places: JsonObject = {
  query: {
    bool: {
      filter: [
        { geo_distance: { distance: '200', unit: 'km', p: [2, 1], validation_method: 'coerce' } },
        {
          geo_bounding_box: {
            p: { top_left: '2,1', bottom_right: { lat: 0, lon: 3 } },
            ignore_unmapped: true,
          },
        },
        { geo_polygon: { p: { points: ['0,0', [3, 0], { lat: 3, lon: 3 }] } } },
      ],
      should: [{ distance_feature: { field: 'p', origin: [2, 1], pivot: '100km' } }],
    },
  },
  sort: [
    { _geo_distance: { p: ['1,2', [3, 4]], unit: 'mi', mode: 'avg', distance_type: 'plane' } },
  ],
  aggs: {
    cells: { geohash_grid: { field: 'p', precision: '100km', missing: [0, 0] } },
    tiles: {
      geotile_grid: { field: 'p', size: 5, bounds: { top: 2, left: 1, bottom: 0, right: 3 } },
      aggs: { around: { geo_bounds: { field: 'p' } }, middle: { geo_centroid: { field: 'p' } } },
    },
    rings: {
      geo_distance: { field: 'p', origin: 's0', unit: 'km', ranges: [{ to: 100 }, { from: 100 }] },
    },
  },
};

const query =
  (kind: string, boost: number, name: string, payload: WriteQuery): WriteQuery =>
  (writer) =>
    writer.node(kind, () => {
      writer.f32(boost).str(name);
      payload(writer);
    });

const matchAll = query('match_all', 1, '', () => {});

const filtered = query('knn', 2, 'near', (writer) => {
  const fields = { field: 'emb', vector: [0.5, -1, 2], k: 3, numCandidates: 50, similarity: 0.25 };
  writer.knn(fields, () => matchAll(writer));
});

const plain = query('knn', 1, '', (writer) => {
  const vector = Float32Array.of(1, 0, 0);
  writer.knn({ field: 'emb', vector, k: 10, numCandidates: 0, similarity: Number.NaN });
});

const found = query('doc_scores', 0.5, 'found', (writer) => {
  writer.shardScores([
    { index: 4, shard: 0, docs: Uint32Array.of(0, 2), scores: Float32Array.of(0.75, 0.5) },
    { index: 4, shard: 1, docs: [], scores: [] },
    { index: 9, shard: 0, docs: [4_000_000_000], scores: [1] },
  ]);
});

const meant = query('semantic', 1.5, 'meant', (writer) => {
  const vectors = [
    { embedder: 'mini@http://127.0.0.1:9/v1', vector: Float32Array.of(0.6, 0.8) },
    { embedder: 'other', vector: [] },
  ];
  const fields = {
    field: 'body',
    text: 'rüde Füchse',
    vectors,
    k: 2,
    numCandidates: 100,
    passages: true,
  };
  writer.semantic(fields, () => matchAll(writer));
});

const builtIn = query('semantic', 1, '', (writer) => {
  const fields = { field: 'body', text: 'quick fox', vectors: [], k: 10 };
  writer.semantic({ ...fields, numCandidates: 0, passages: false });
});

const header: PlanHeader = {
  flags: 0,
  trackTotalHits: 10_000,
  nowMs: 1_700_000_000_000,
  timeoutUs: 0,
  from: 0,
  size: 10,
  window: 10,
  terminateAfter: 0,
};

function vectorsPlan(): Uint8Array {
  return writePlan(
    {
      header,
      legs: [filtered, plain, found],
      sort: [],
      searchAfter: [],
      fetch: { source: true, flags: FETCH_MATCHED_QUERIES, docvalueFields: [], fields: [] },
      snapshots: [
        { index: 4, shard: 0, generation: 7n },
        { index: 9, shard: 0, generation: 1n << 40n },
      ],
    },
    readOpcodes(),
  );
}

function semanticPlan(): Uint8Array {
  const fetch = { source: true, flags: FETCH_MATCHED_QUERIES, docvalueFields: [], fields: [] };
  const legs = [meant, builtIn];
  return writePlan({ header, legs, sort: [], searchAfter: [], fetch }, readOpcodes());
}

/** A part of the documents of a shard, which has no golden file. */
export function slicePlan(): Uint8Array {
  return compile({ query: { match_all: {} } }, [], {
    pinned: { snapshots: [{ index: 4, shard: 0, generation: 7n }] },
    slice: parseSlice({ id: 1, max: 5 }),
  }).plan;
}

export interface GoldenPlan {
  readonly name: string;
  readonly description: string;
  readonly plan: () => Uint8Array;
}

export const GOLDEN_PLANS: readonly GoldenPlan[] = [
  {
    name: 'plan_every_node',
    description: 'a plan with every node, see test/query/golden-plans.ts',
    plan: () => compile(every).plan,
  },
  {
    name: 'plan_shown',
    description: 'highlight, collapse and unmapped fields',
    plan: () => compile(shown).plan,
  },
  {
    name: 'plan_rescore',
    description: 'two rescore queries',
    plan: () => compile(rescored).plan,
  },
  {
    name: 'plan_nested',
    description: 'inner hits, sorts by nested',
    plan: nestedPlan,
  },
  {
    name: 'plan_aggs',
    description: 'a plan with every aggregation, see test/query/golden-plans.ts',
    plan: aggsPlan,
  },
  {
    name: 'plan_scores',
    description: 'a plan of computed scores, see test/query/golden-plans.ts',
    plan: () => compile(scored).plan,
  },
  {
    name: 'plan_features',
    description: 'a plan of rank features, see test/query/golden-plans.ts',
    plan: featuresPlan,
  },
  {
    name: 'plan_places',
    description: 'a plan by place, see test/query/golden-plans.ts',
    plan: () => compile(places).plan,
  },
  {
    name: 'plan_scripts',
    description: 'scripts of queries and of fields, terms_set; see test/query/golden-plans.ts',
    plan: () => compile(scripted).plan,
  },
  {
    name: 'plan_tuples',
    description: 'multi_terms and top_metrics, see test/query/golden-plans.ts',
    plan: () => compile(tuples).plan,
  },
  {
    name: 'plan_vectors',
    description:
      'legs: knn with a filter, knn without, doc_scores of three shards; two named snapshots; see test/query/golden-plans.ts',
    plan: vectorsPlan,
  },
  {
    name: 'plan_semantic',
    description:
      'legs: semantic with vectors of two remote embedders and a filter, semantic of the built-in one; see test/query/golden-plans.ts',
    plan: semanticPlan,
  },
];
