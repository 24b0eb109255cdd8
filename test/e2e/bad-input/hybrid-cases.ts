// Invalid searches with fused lists: hybrid queries, retrievers, pipelines, and options that are
// incompatible with them. Sent to the index of VECTOR_CASES.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const PARSING = 'parsing_exception';
const VALIDATION = 'action_request_validation_exception';
const PHASE = 'search_phase_execution_exception';

const one = { query: { match: { title: 'one' } } };
const near = { knn: { field: 'e', query_vector: [1, 0, 0] } };

const search = (label: string, body: unknown, type: string, ...words: string[]): BadCase =>
  bad(label, ['POST', '/vectors/_search', body], [400, type, ...words]);
const hybrid = (label: string, clause: unknown, type: string, ...words: string[]): BadCase =>
  search(`hybrid with ${label}`, { query: { hybrid: clause } }, type, ...words);
const fused = (label: string, more: object, type: string, ...words: string[]): BadCase =>
  hybrid(label, { queries: [one, { query: near }], ...more }, type, ...words);
const combined = (label: string, more: object, type: string, ...words: string[]): BadCase =>
  search(
    `hybrid beside ${label}`,
    { query: { hybrid: { queries: [one] } }, ...more },
    type,
    ...words,
  );
/** Rejected by shards, which have the mapping. */
const onShards = (label: string, query: unknown, type: string, ...words: string[]): BadCase => ({
  ...hybrid(label, { queries: [one, { query }] }, PHASE, ...words),
  cause: type,
});

const QUERIES: readonly BadCase[] = [
  search('hybrid that is a word', { query: { hybrid: 'one' } }, PARSING, '[hybrid]'),
  search('hybrid that is an array', { query: { hybrid: [one] } }, PARSING, '[hybrid]'),
  search(
    'hybrid with another query beside it',
    { query: { hybrid: { queries: [one] }, match_all: {} } },
    PARSING,
    'match_all',
  ),
  hybrid('nothing in it', {}, PARSING, '[queries]'),
  hybrid('queries as an object', { queries: one }, PARSING, '[queries]', 'START_OBJECT'),
  hybrid('queries null', { queries: null }, PARSING, '[queries]', 'VALUE_NULL'),
  hybrid('no queries', { queries: [] }, PARSING, '[queries]', 'empty'),
  hybrid('a word for a query', { queries: ['one'] }, PARSING, '[queries][0]', 'VALUE_STRING'),
  hybrid('null for a query', { queries: [one, null] }, PARSING, '[queries][1]', 'VALUE_NULL'),
  hybrid('an empty query', { queries: [{}] }, PARSING, 'empty clause'),
  hybrid('an empty query in the wrapper', { queries: [{ query: {} }] }, PARSING, 'empty clause'),
  hybrid('a weight alone', { queries: [{ weight: 1 }] }, PARSING, '[queries][0]', '[query]'),
  hybrid('an unknown key in a query', { queries: [{ ...one, shiny: 1 }] }, PARSING, 'shiny'),
  hybrid('an unknown query', { queries: [{ query: { nosuch: {} } }] }, PARSING, 'nosuch'),
  hybrid('plain and wrapped queries', { queries: [one, near] }, PARSING, 'plain queries'),
  hybrid('65 queries', { queries: Array(65).fill(one) }, ILLEGAL, '[64]', '[65]'),
  hybrid('a hybrid in it', { queries: [{ query: { hybrid: {} } }] }, PARSING, 'whole [query]'),
  hybrid('a negative weight', { queries: [{ ...one, weight: -1 }] }, ILLEGAL, 'weight', '-1'),
  hybrid('a word for a weight', { queries: [{ ...one, weight: 'x' }] }, ILLEGAL, 'weight', 'x'),
  hybrid('a weight null', { queries: [{ ...one, weight: null }] }, ILLEGAL, 'weight'),
  hybrid('a true weight', { queries: [{ ...one, weight: true }] }, ILLEGAL, 'weight', 'true'),
  hybrid('a weight beyond float32', { queries: [{ ...one, weight: 1e39 }] }, ILLEGAL, 'weight'),
  hybrid('k of 0', { queries: [{ query: { knn: { ...near.knn, k: 0 } } }] }, ILLEGAL, '[k]'),
  hybrid('a negative k', { queries: [{ query: { knn: { ...near.knn, k: -2 } } }] }, ILLEGAL, '-2'),
  hybrid('an empty vector', { queries: [{ knn: { field: 'e', vector: [] } }] }, ILLEGAL, '0 dim'),
  onShards('a short vector', { knn: { field: 'e', vector: [1] } }, ILLEGAL, '[e]', '[3]'),
  onShards('a vector on a text field', { knn: { field: 'title', vector: [1] } }, ILLEGAL, 'title'),
  onShards('a range that does not fit', { range: { year: { gte: 'x' } } }, 'query_shard_exception'),
  ...['bool', 'constant_score', 'dis_max', 'boosting', 'knn'].map((holder) => {
    const inner = { hybrid: { queries: [one] } };
    const query: Record<string, object> = {
      bool: { must: [inner] },
      constant_score: { filter: inner },
      dis_max: { queries: [inner] },
      boosting: { positive: inner, negative: { match_all: {} }, negative_boost: 0.5 },
      knn: { ...near.knn, filter: inner },
    };
    const body = { query: { [holder]: query[holder] } };
    return search(`hybrid inside ${holder}`, body, PARSING, '[hybrid]', 'whole [query]');
  }),
  search(
    'hybrid in a post filter',
    { post_filter: { hybrid: { queries: [one] } } },
    PARSING,
    'whole [query]',
  ),
  search('hybrid without query', { hybrid: { queries: [one] } }, PARSING, '[hybrid]', '[query]'),
  bad(
    'alias with a hybrid in its filter',
    ['PUT', '/vectors/_alias/mixed', { filter: { hybrid: { queries: [one] } } }],
    [400, PARSING, '[hybrid]'],
  ),
];

const FUSION: readonly BadCase[] = [
  fused(
    'learned',
    { fusion: 'learned' },
    PARSING,
    '[hybrid] fusion [learned] is not yet supported, use [rrf] or [linear]',
  ),
  fused(
    'learned as an object',
    { fusion: { type: 'learned' } },
    PARSING,
    '[hybrid] fusion [learned] is not yet supported, use [rrf] or [linear]',
  ),
  fused('an unknown fusion', { fusion: 'sum' }, PARSING, 'sum', '[rrf]', '[linear]'),
  fused('an unknown type', { fusion: { type: 'sum' } }, PARSING, 'sum', '[rrf]'),
  fused('a fusion in capitals', { fusion: 'RRF' }, PARSING, 'RRF'),
  fused('an empty fusion', { fusion: {} }, PARSING, '[type]'),
  fused('a fusion null', { fusion: null }, PARSING, 'VALUE_NULL'),
  fused('a number for the fusion', { fusion: 3 }, PARSING, 'VALUE_NUMBER'),
  fused('an unknown key', { fusion: { type: 'rrf', shiny: 1 } }, PARSING, '[fusion]', 'shiny'),
  fused('a misspelt key', { fusion: { type: 'rrf', weigths: [] } }, PARSING, '[weights]'),
  fused('a fusion k of 0', { fusion: { type: 'rrf', k: 0 } }, ILLEGAL, '[k]', '0'),
  fused('a word for the fusion k', { fusion: { type: 'rrf', k: 'x' } }, ILLEGAL, '[k]', 'x'),
  fused('k of linear', { fusion: { type: 'linear', k: 5 } }, ILLEGAL, '[k]', '[rrf] only'),
  fused('rrf_k of 0', { rrf_k: 0 }, ILLEGAL, '[rrf_k]', '0'),
  fused('a negative rrf_k', { rrf_k: -60 }, ILLEGAL, '[rrf_k]', '-60'),
  fused('a fractional rrf_k', { rrf_k: 1.5 }, ILLEGAL, '[rrf_k]', '1.5'),
  fused('rrf_k null', { rrf_k: null }, ILLEGAL, '[rrf_k]'),
  fused('two constants', { rrf_k: 5, fusion: { type: 'rrf', k: 6 } }, ILLEGAL, '[rrf_k]', '[k]'),
  fused('too few weights', { fusion: { type: 'rrf', weights: [1] } }, ILLEGAL, '[2]', '[1]'),
  fused('a word for weights', { fusion: { type: 'rrf', weights: 'x' } }, PARSING, '[weights]'),
  fused('a bad weight', { fusion: { type: 'linear', weights: [1, -2] } }, ILLEGAL, '-2'),
  hybrid(
    'weights twice',
    { queries: [{ ...one, weight: 1 }], fusion: { type: 'rrf', weights: [1] } },
    ILLEGAL,
    '[weights]',
    '[weight]',
  ),
  fused('an unknown parameter', { shiny: 1 }, PARSING, '[hybrid]', 'shiny'),
  fused('a boost', { boost: 2 }, PARSING, '[hybrid]', 'boost'),
  fused('a filter that is a word', { filter: 'x' }, PARSING, '[filter]', 'VALUE_STRING'),
  fused('an empty filter', { filter: {} }, PARSING, 'empty clause'),
  fused('neighbours in its filter', { filter: near }, PARSING, '[filter]'),
  fused('pagination_depth of 0', { pagination_depth: 0 }, ILLEGAL, 'pagination_depth'),
  fused('pagination_depth of 10,001', { pagination_depth: 10_001 }, ILLEGAL, '[10000]', '10001'),
];

const COMBINED: readonly BadCase[] = [
  combined('aggs', { aggs: { a: { avg: { field: 'year' } } } }, PARSING, '[aggs]', '[hybrid]'),
  combined('aggregations', { aggregations: { a: {} } }, PARSING, '[aggregations]', '[hybrid]'),
  combined('knn', { knn: near.knn }, PARSING, '[knn]', '[hybrid]'),
  combined('search_after', { sort: ['year'], search_after: [1] }, PARSING, '[search_after]'),
  combined('collapse', { collapse: { field: 'tag' } }, PARSING, '[collapse]', '[hybrid]'),
  combined('rescore', { rescore: { window_size: 1 } }, PARSING, '[rescore]', '[hybrid]'),
  combined('terminate_after', { terminate_after: 1 }, PARSING, '[terminate_after]'),
  combined('indices_boost', { indices_boost: [{ a: 2 }] }, PARSING, '[indices_boost]', 'weights'),
  combined('a page too deep', { from: 9999, size: 2 }, ILLEGAL, '10000', '10001'),
  { ...combined('a sort by vectors', { sort: ['e'] }, PHASE, 'e'), cause: ILLEGAL },
  bad(
    'count of a hybrid without queries',
    ['POST', '/vectors/_count', { query: { hybrid: { queries: [] } } }],
    [400, PARSING, '[queries]'],
  ),
];

const pipeline = (label: string, value: unknown, type: string, ...words: string[]): BadCase =>
  search(
    `search_pipeline with ${label}`,
    { query: { hybrid: { queries: [near] } }, search_pipeline: value },
    type,
    ...words,
  );
const processor = (label: string, value: unknown, type: string, ...words: string[]): BadCase =>
  pipeline(label, { phase_results_processors: [value] }, type, ...words);
const normalization = (label: string, value: object, type: string, ...words: string[]): BadCase =>
  processor(label, { 'normalization-processor': value }, type, ...words);

const PIPELINES: readonly BadCase[] = [
  pipeline('a name', 'mine', PARSING, '[mine]', 'not stored'),
  pipeline('nothing in it', {}, PARSING, '[phase_results_processors]'),
  pipeline('an unknown key', { shiny: [] }, PARSING, 'shiny'),
  pipeline('other processors', { request_processors: [] }, PARSING, 'request_processors'),
  pipeline('no processor', { phase_results_processors: [] }, PARSING, 'one processor'),
  processor('an unknown processor', { rerank: {} }, PARSING, 'rerank'),
  processor('a word for a processor', { 'normalization-processor': 'x' }, PARSING, 'VALUE_STRING'),
  normalization('z_score', { normalization: { technique: 'z_score' } }, PARSING, 'z_score'),
  normalization(
    'a geometric mean',
    { combination: { technique: 'geometric_mean' } },
    PARSING,
    'geometric_mean',
    '[arithmetic_mean]',
  ),
  normalization(
    'too many weights',
    { combination: { parameters: { weights: [0.5, 0.5] } } },
    ILLEGAL,
    '[1]',
    '[2]',
  ),
  processor(
    'a rank_constant of 0',
    { 'score-ranker-processor': { combination: { rank_constant: 0 } } },
    ILLEGAL,
    'rank_constant',
  ),
  search(
    'search_pipeline without hybrid',
    { search_pipeline: { phase_results_processors: [] } },
    PARSING,
    '[search_pipeline]',
  ),
  search(
    'search_pipeline and fusion',
    {
      query: { hybrid: { queries: [one], fusion: 'rrf' } },
      search_pipeline: { phase_results_processors: [{ 'normalization-processor': {} }] },
    },
    ILLEGAL,
    '[fusion]',
    '[search_pipeline]',
  ),
];

const standard = { standard: one };
const retriever = (label: string, value: unknown, type: string, ...words: string[]): BadCase =>
  search(`retriever with ${label}`, { retriever: value }, type, ...words);
const rrf = (label: string, value: object, type: string, ...words: string[]): BadCase =>
  retriever(label, { rrf: { retrievers: [standard], ...value } }, type, ...words);
const linear = (label: string, value: object, type: string, ...words: string[]): BadCase =>
  retriever(label, { linear: { retrievers: [{ retriever: standard }], ...value } }, type, ...words);
const withRetriever = (name: string, value: unknown): BadCase =>
  search(
    `retriever beside ${name}`,
    { retriever: { rrf: { retrievers: [standard] } }, [name]: value },
    VALIDATION,
    `cannot specify [retriever] and [${name}]`,
  );

const RETRIEVERS: readonly BadCase[] = [
  retriever('a word', 'rrf', PARSING, '[retriever]', 'VALUE_STRING'),
  retriever('nothing in it', {}, PARSING, '[retriever]', 'empty'),
  retriever('two kinds', { standard: one, knn: near.knn }, PARSING, '[standard]', '[knn]'),
  retriever('an unknown kind', { rff: { retrievers: [] } }, PARSING, '[rff]', 'did you mean [rrf]'),
  retriever('a reranker of nothing', { text_similarity_reranker: {} }, PARSING, '[retriever]'),
  retriever('a rule', { rule: {} }, PARSING, '[rule]', 'not supported'),
  retriever('a number for rrf', { rrf: 3 }, PARSING, '[rrf]', 'VALUE_NUMBER'),
  retriever('no retrievers', { rrf: {} }, PARSING, '[rrf]', '[retrievers]'),
  rrf('an empty list', { retrievers: [] }, PARSING, '[retrievers]', 'empty'),
  rrf('an object for the list', { retrievers: {} }, PARSING, '[retrievers]', 'START_OBJECT'),
  rrf('a word in the list', { retrievers: ['x'] }, PARSING, '[retrievers][0]', 'VALUE_STRING'),
  rrf('a rank_constant of 0', { rank_constant: 0 }, ILLEGAL, 'rank_constant', '0'),
  rrf('a window of 0', { rank_window_size: 0 }, ILLEGAL, 'rank_window_size', '0'),
  rrf('a window of 10,001', { rank_window_size: 10_001 }, ILLEGAL, '[10000]', '10001'),
  rrf('a window below the size', { rank_window_size: 5 }, VALIDATION, '5', '[size: 10]'),
  rrf('an unknown parameter', { shiny: 1 }, PARSING, '[rrf]', 'shiny'),
  rrf('a query of many fields', { query: 'x', fields: ['a'] }, PARSING, 'not supported'),
  rrf(
    'a negative weight',
    { retrievers: [{ retriever: standard, weight: -1 }] },
    ILLEGAL,
    'weight',
    '-1',
  ),
  rrf('a normalizer', { normalizer: 'minmax' }, PARSING, '[rrf]', 'normalizer'),
  rrf(
    'a sort in a list',
    { retrievers: [{ standard: { ...one, sort: ['year'] } }] },
    PARSING,
    '[standard] [sort]',
  ),
  rrf(
    'an unknown key of standard',
    { retrievers: [{ standard: { ...one, shiny: 1 } }] },
    PARSING,
    '[standard] retriever',
    'shiny',
  ),
  rrf('k of 0', { retrievers: [{ knn: { ...near.knn, k: 0 } }] }, ILLEGAL, '[k]'),
  rrf('a knn without a vector', { retrievers: [{ knn: { field: 'e' } }] }, ILLEGAL, 'query_vector'),
  rrf('neighbours in its filter', { filter: near }, PARSING, '[filter]'),
  linear('an unknown normalizer', { normalizer: 'z' }, ILLEGAL, 'normalizer', 'z', 'minmax'),
  linear('a rank_constant', { rank_constant: 60 }, PARSING, '[linear]', 'rank_constant'),
  linear(
    'a word for a weight',
    { retrievers: [{ retriever: standard, weight: 'x' }] },
    ILLEGAL,
    'weight',
  ),
  retriever(
    'lists nested too deep',
    Array.from({ length: 9 }).reduce<object>(
      (inner) => ({ rrf: { retrievers: [inner] } }),
      standard,
    ),
    ILLEGAL,
    'deeper',
  ),
  retriever('collapse', { standard: { ...one, collapse: { field: 7 } } }, PARSING, 'collapse'),
  retriever('an unknown key', { standard: { ...one, shiny: 1 } }, PARSING, 'shiny'),
  withRetriever('query', { match_all: {} }),
  withRetriever('knn', near.knn),
  withRetriever('sort', ['year']),
  withRetriever('min_score', 1),
  withRetriever('search_after', [1]),
  search(
    'retriever beside aggs',
    { retriever: { rrf: { retrievers: [standard] } }, aggs: { a: { avg: { field: 'year' } } } },
    PARSING,
    '[aggs]',
    '[rrf]',
  ),
];

export const HYBRID_CASES = [...QUERIES, ...FUSION, ...COMBINED, ...PIPELINES, ...RETRIEVERS];
