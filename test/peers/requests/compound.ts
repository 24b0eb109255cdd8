// Compound queries, scores that functions change, and nearest vectors.
import { books, logs, queries } from '../request.ts';

const RIVER = { match: { body: 'river' } };
const GARDEN = { match: { body: 'garden' } };
const ECO = { term: { author: 'Eco' } };
const NEW = { range: { year: { gte: 1985 } } };

const COMPOUND = queries('compound', {
  'bool must': { bool: { must: [RIVER, GARDEN] } },
  'bool should': { bool: { should: [RIVER, ECO] } },
  'bool should and filter': { bool: { should: [RIVER], filter: [NEW] } },
  'bool filter alone': { bool: { filter: [NEW] } },
  'bool must_not alone': { bool: { must_not: [NEW] } },
  'bool all parts': { bool: { must: [RIVER], filter: [NEW], should: [GARDEN], must_not: [ECO] } },
  'bool with one object each': { bool: { must: RIVER, must_not: ECO } },
  'bool minimum_should_match': { bool: { should: [RIVER, GARDEN, ECO], minimum_should_match: 2 } },
  'bool minimum in percent': {
    bool: { should: [RIVER, GARDEN, ECO], minimum_should_match: '67%' },
  },
  'bool boost': { bool: { must: [RIVER], boost: 2 } },
  'bool of nothing': { bool: {} },
  'bool in bool': {
    bool: {
      must: [{ bool: { should: [RIVER, GARDEN] } }],
      must_not: [{ bool: { must: [ECO, NEW] } }],
    },
  },
  'bool with names': {
    bool: {
      should: [
        { match: { body: { query: 'river', _name: 'r' } } },
        { term: { author: { value: 'Eco', _name: 'e' } } },
      ],
    },
  },
  constant_score: { constant_score: { filter: RIVER } },
  'constant_score with boost': { constant_score: { filter: RIVER, boost: 1.7 } },
  dis_max: { dis_max: { queries: [RIVER, GARDEN, ECO] } },
  'dis_max tie_breaker': { dis_max: { queries: [RIVER, GARDEN, ECO], tie_breaker: 0.4 } },
  'dis_max boost': { dis_max: { queries: [RIVER, GARDEN], boost: 1.3 } },
  boosting: { boosting: { positive: RIVER, negative: GARDEN, negative_boost: 0.25 } },
  'distance_feature of a date': {
    distance_feature: { field: 'published', origin: '1990-01-01', pivot: '1000d' },
  },
  'distance_feature beside words': {
    bool: {
      must: [RIVER],
      should: [
        {
          distance_feature: { field: 'published', origin: '1990-01-01', pivot: '1000d', boost: 3 },
        },
      ],
    },
  },
  wrapper: { wrapper: { query: Buffer.from(JSON.stringify(RIVER)).toString('base64') } },
});

const score = (body: object): object => ({ function_score: { query: RIVER, ...body } });
const FUNCTIONS = queries('function_score', {
  weight: score({ weight: 3 }),
  'functions with filters': score({
    functions: [
      { filter: ECO, weight: 5 },
      { filter: NEW, weight: 2 },
    ],
  }),
  'sum of functions': score({
    functions: [
      { filter: ECO, weight: 5 },
      { filter: NEW, weight: 2 },
    ],
    score_mode: 'sum',
  }),
  'first of functions': score({
    functions: [
      { filter: ECO, weight: 5 },
      { filter: NEW, weight: 2 },
    ],
    score_mode: 'first',
  }),
  'average of functions': score({
    functions: [
      { filter: ECO, weight: 5 },
      { filter: NEW, weight: 2 },
    ],
    score_mode: 'avg',
  }),
  'largest of functions': score({
    functions: [
      { filter: ECO, weight: 5 },
      { filter: NEW, weight: 2 },
    ],
    score_mode: 'max',
  }),
  'smallest of functions': score({
    functions: [
      { filter: ECO, weight: 5 },
      { filter: NEW, weight: 2 },
    ],
    score_mode: 'min',
  }),
  'boost_mode sum': score({ weight: 3, boost_mode: 'sum' }),
  'boost_mode replace': score({ field_value_factor: { field: 'pages' }, boost_mode: 'replace' }),
  'boost_mode avg': score({ weight: 3, boost_mode: 'avg' }),
  'boost_mode max': score({ weight: 1, boost_mode: 'max' }),
  'boost_mode min': score({ weight: 1, boost_mode: 'min' }),
  max_boost: score({ weight: 10, max_boost: 4 }),
  min_score: score({ weight: 3, min_score: 4 }),
  field_value_factor: score({ field_value_factor: { field: 'pages', factor: 0.01 } }),
  'field_value_factor log1p': score({ field_value_factor: { field: 'pages', modifier: 'log1p' } }),
  'field_value_factor ln2p': score({ field_value_factor: { field: 'pages', modifier: 'ln2p' } }),
  'field_value_factor sqrt': score({ field_value_factor: { field: 'pages', modifier: 'sqrt' } }),
  'field_value_factor square': score({
    field_value_factor: { field: 'pages', modifier: 'square', factor: 0.01 },
  }),
  'field_value_factor reciprocal': score({
    field_value_factor: { field: 'pages', modifier: 'reciprocal' },
  }),
  'field_value_factor missing': score({ field_value_factor: { field: 'price', missing: 1 } }),
  'gauss of a number': score({ gauss: { year: { origin: 1990, scale: 10 } } }),
  'exp of a number': score({ exp: { year: { origin: 1990, scale: 10, offset: 3, decay: 0.3 } } }),
  'linear of a number': score({ linear: { year: { origin: 1990, scale: 20 } } }),
  'gauss of a date': score({ gauss: { published: { origin: '1990-01-01', scale: '2000d' } } }),
  'linear of a date': score({
    linear: { published: { origin: '1990-01-01', scale: '4000d', offset: '10d' } },
  }),
  'exp of several values': score({
    exp: { rating: { origin: 5, scale: 2 }, multi_value_mode: 'avg' },
  }),
  'gauss of several values, max': score({
    gauss: { rating: { origin: 1, scale: 2 }, multi_value_mode: 'max' },
  }),
  'no query': { function_score: { field_value_factor: { field: 'year' } } },
  'random_score by a keyword': {
    function_score: { random_score: { seed: 'monday', field: 'author' }, boost_mode: 'replace' },
  },
  'random_score by several numbers': {
    function_score: { random_score: { seed: -7, field: 'rating' }, boost_mode: 'replace' },
  },
  'random_score by a date': {
    function_score: {
      random_score: { seed: 4_294_967_301, field: 'published' },
      boost_mode: 'replace',
    },
  },
  'random_score without weight': {
    function_score: {
      query: ECO,
      functions: [{ random_score: { seed: 3, field: 'year' }, weight: 0 }],
      boost_mode: 'sum',
    },
  },
});

const VECTOR = [0.3, -0.2, 0.9, 0.1];
const knn = (name: string, body: object) => books(`knn: ${name}`, body, ['vectors']);
const near = { field: 'emb', query_vector: VECTOR, k: 10, num_candidates: 50 };
const NEAREST = [
  knn('top level', { knn: near }),
  knn('filter', { knn: { ...near, filter: ECO } }),
  knn('boost', { knn: { ...near, boost: 3 } }),
  knn('similarity', { knn: { ...near, similarity: 0.6 } }),
  knn('beside a query', { query: RIVER, knn: near, size: 40 }),
  knn('two of them', { knn: [near, { ...near, query_vector: [-1, 0, 0, 0.5], boost: 0.5 }] }),
  knn('as a clause', {
    query: { knn: { field: 'emb', query_vector: VECTOR, num_candidates: 50, k: 12 } },
  }),
  knn('inside bool', { query: { bool: { must: [{ knn: near }], filter: [NEW] } } }),
  knn('with an aggregation', { knn: near, aggs: { a: { terms: { field: 'author' } } } }),
  knn('with a post filter', { knn: near, post_filter: NEW }),
  knn('sorted by a field', { knn: near, sort: [{ year: 'asc' }, { pages: 'asc' }] }),
  knn('few of them', { knn: { ...near, k: 3 } }),
];

const SHARDS = [
  logs('shards: match', { query: { match: { message: 'river garden' } } }),
  logs('shards: match and', {
    query: { match: { message: { query: 'river garden', operator: 'and' } } },
  }),
  logs('shards: phrase', { query: { match_phrase: { message: 'river stone' } } }),
  logs('shards: term', { query: { term: { level: 'error' } } }),
  logs('shards: bool', {
    query: { bool: { should: [{ match: { message: 'river' } }, { term: { level: 'error' } }] } },
  }),
  logs('shards: fuzzy', { query: { match: { message: { query: 'lantrn', fuzziness: 'AUTO' } } } }),
  logs('shards: cross_fields', {
    query: {
      multi_match: { query: 'river error', fields: ['message', 'level'], type: 'cross_fields' },
    },
  }),
  logs('shards: query_string', {
    query: { query_string: { query: 'message:river AND level:(warn OR error)' } },
  }),
  logs('shards: range', {
    query: { range: { '@timestamp': { gte: '2024-03-15T10:00:00+01:00', lt: 'now' } } },
    sort: ['@timestamp'],
  }),
];

export const COMPOUND_REQUESTS = [...COMPOUND, ...FUNCTIONS, ...NEAREST, ...SHARDS];
