// Changes a random body of a search so that it has more than what it shares with Elasticsearch:
// vectors, hybrid searches, suggestions, scripts, pipelines, budgets, and other fields.
import type { Choice } from '../choice.ts';
import { type SearchBody, sharedBody } from './bodies.ts';
import { randomClause } from './clauses.ts';
import { documentId, keyword, type Members, vector, word, words } from './documents.ts';

export function randomBody(choice: Choice): SearchBody {
  const body = sharedBody(choice);
  const change = choice.chance(0.75) ? choice.pick(CHANGES) : undefined;
  return { ...(change === undefined ? body : change(choice, body)), ...budget(choice, body) };
}

type Change = (choice: Choice, body: SearchBody) => SearchBody;

const CHANGES: readonly [Change, ...Change[]] = [
  knn,
  knn,
  (choice, body) => ({ ...body, knn: [near(choice, 'v'), near(choice, 'vl')] }),
  (choice, body) => ({ ...body, knn: { ...near(choice, 'ne.v'), inner_hits: { size: 2 } } }),
  hybrid,
  hybrid,
  (choice, body) => ({ ...body, query: semantic(choice) }),
  nestedHits,
  nestedHits,
  suggest,
  scriptScore,
  scriptSort,
  rankFeature,
  typedAhead,
  unmappedSort,
  unmappedSort,
  pipelines,
  pipelines,
  pipelines,
  moreHighlights,
  (_, body) => ({ ...body, explain: true }),
  (_, body) => ({ ...body, profile: true }),
  termsLookup,
];

function without(body: SearchBody, ...names: readonly string[]): SearchBody {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

function budget(choice: Choice, body: SearchBody): SearchBody {
  const sort = body['sort'];
  return {
    ...choice.maybe(0.15, () => ({ timeout: choice.pick(['0ms', '1ms', '2ms', '5ms']) })),
    ...choice.maybe(0.1, () => ({ terminate_after: 1 + choice.below(50) })),
    ...choice.maybe(0.05, () => ({ seq_no_primary_term: true })),
    ...choice.maybe(Array.isArray(sort) ? 0.1 : 0, () => ({
      search_after: (sort as readonly unknown[]).map(() => choice.pick([1, 'a', null, 5.5])),
    })),
  };
}

function near(choice: Choice, field: string): Members {
  return { field, query_vector: vector(choice), k: 1 + choice.below(20), num_candidates: 50 };
}

function knn(choice: Choice, body: SearchBody): SearchBody {
  const one = {
    ...near(choice, choice.pick(['v', 'vl'])),
    ...choice.maybe(0.4, () => ({ filter: randomClause(choice, 2) })),
    ...choice.maybe(0.2, () => ({ similarity: 0.2 })),
    ...choice.maybe(0.2, () => ({ boost: 2 })),
  };
  return { ...without(body, 'collapse', choice.chance(0.3) ? 'query' : ''), knn: one };
}

function semantic(choice: Choice): Members {
  return { semantic: { field: 'st', query: words(choice, 1, 3) } };
}

function hybrid(choice: Choice, body: SearchBody): SearchBody {
  const queries = [
    randomClause(choice, 2),
    { knn: near(choice, 'v') },
    ...(choice.chance(0.3) ? [semantic(choice)] : []),
  ];
  const fusion = choice.maybe(0.5, () => ({ fusion: { type: choice.pick(['rrf', 'linear']) } }));
  const rest = without(body, 'sort', 'collapse', 'rescore', 'min_score', 'aggs');
  return { ...rest, query: { hybrid: { queries, ...fusion } } };
}

function nestedHits(choice: Choice, body: SearchBody): SearchBody {
  const deep = { path: 'ne.deep', query: { range: { 'ne.deep.y': { gte: choice.below(9) } } } };
  const query = choice.pick<Members>([
    { match: { 'ne.c': words(choice, 2, 2) } },
    { term: { 'ne.a': keyword(choice) } },
    { nested: { ...deep, inner_hits: { name: 'deep' } } },
  ]);
  const inner_hits = {
    size: choice.below(4),
    ...choice.maybe(0.7, () => ({ sort: [{ 'ne.x': 'asc' }] })),
    ...choice.maybe(0.3, () => ({ highlight: { fields: { 'ne.c': {} } } })),
    ...choice.maybe(0.3, () => ({ fields: ['ne.*'] })),
  };
  return { ...body, query: { nested: { path: 'ne', query, inner_hits } } };
}

function suggest(choice: Choice, body: SearchBody): SearchBody {
  const text = words(choice, 1, 2);
  const one = choice.pick<Members>([
    { text, term: { field: 't', suggest_mode: 'always' } },
    { text, phrase: { field: 't' } },
    { prefix: text, completion: { field: 'sug', size: 5, fuzzy: { fuzziness: 1 } } },
    { prefix: text.slice(0, 3), completion: { field: 'sug', skip_duplicates: true } },
  ]);
  return { ...body, suggest: { one } };
}

function scriptScore(choice: Choice, body: SearchBody): SearchBody {
  const source = choice.pick([
    '_score * 2',
    "doc['n'].value + 1",
    "cosineSimilarity(params.v, 'v') + 1.0",
    "doc['i'].size() == 0 ? 1 : doc['i'].value",
    "saturation(doc['h'].value, 3)",
  ]);
  const script = { source, params: { v: vector(choice) } };
  const query = body['query'] ?? { match_all: {} };
  return { ...body, query: { script_score: { query, script } } };
}

function scriptSort(choice: Choice, body: SearchBody): SearchBody {
  const type = choice.pick(['number', 'string']);
  const script = choice.pick(["doc['n'].value", "doc['k'].value", '_score']);
  return { ...without(body, 'rescore'), sort: [{ _script: { type, script } }, '_doc'] };
}

function rankFeature(choice: Choice, body: SearchBody): SearchBody {
  const form = choice.pick<Members>([
    { saturation: { pivot: 3 } },
    { log: { scaling_factor: 2 } },
    {},
  ]);
  const should = [{ rank_feature: { field: 'rf', ...form } }];
  return { ...body, query: { bool: { must: [randomClause(choice, 2)], should } } };
}

function typedAhead(choice: Choice, body: SearchBody): SearchBody {
  const fields = ['say', 'say._2gram', 'say._3gram'];
  return {
    ...body,
    query: { multi_match: { query: words(choice, 2, 2), type: 'bool_prefix', fields } },
  };
}

function unmappedSort(choice: Choice, body: SearchBody): SearchBody {
  const types = ['long', 'keyword', 'date', 'double', 'boolean', 'ip'] as const;
  const key = (): Members => ({
    [choice.pick(['ver', 'ul', 'sf', 'dn', 'nope', 'nope', 'nope2', 'k', 'n', 'd'])]: {
      order: choice.pick(['asc', 'desc']),
      unmapped_type: choice.pick(types),
    },
  });
  const field = choice.pick(['ver', 'ip2', 'ul', 'sf', 'dn', 'wc']);
  const gte = choice.pick(['1', '10.0.0.1', '2022-01-03', 'a']);
  const should = [randomClause(choice, 2), { range: { [field]: { gte } } }];
  const sort = choice.several(1, 3, key);
  return { ...without(body, 'rescore'), sort, query: { bool: { should } } };
}

function termsLookup(choice: Choice, body: SearchBody): SearchBody {
  const lookup = { index: 'x1', id: documentId(choice), path: choice.pick(['k', 'tags']) };
  return { ...body, query: { terms: { k: lookup } } };
}

function moreHighlights(choice: Choice, body: SearchBody): SearchBody {
  const fields = {
    [choice.pick(['t', 's', '*', 't*'])]: {
      type: choice.pick(['plain', 'fvh', 'unified']),
      fragment_size: choice.pick([1, 10, 100]),
      number_of_fragments: choice.below(4),
      ...choice.maybe(0.5, () => ({ highlight_query: randomClause(choice, 2) })),
    },
  };
  return { ...body, size: 10, highlight: { fields } };
}

function pipelines(choice: Choice, body: SearchBody): SearchBody {
  const aggregation = choice.pick(AGGREGATIONS)(choice);
  const aggs = { ...(body['aggs'] as Members | undefined), z: aggregation };
  return { ...body, aggs, size: body['size'] ?? 0 };
}

type MakeAggregation = (choice: Choice) => Members;

const AGGREGATIONS: readonly [MakeAggregation, ...MakeAggregation[]] = [
  (choice) => ({ terms: { field: choice.pick(['ver', 'ul', 'sf', 'dn', 'wc', 'nope']) } }),
  () => ({ stats: { field: 'ul' } }),
  () => ({ cardinality: { field: 'wc' } }),
  deepAggregation,
  () => ({
    terms: { field: 'k' },
    aggs: {
      n: { nested: { path: 'ne' }, aggs: { s: { avg: { field: 'ne.x' } } } },
      b: { bucket_sort: { sort: [{ 'n>s': 'desc' }], size: 3 } },
    },
  }),
  series,
  series,
  () => ({ matrix_stats: { fields: ['n', 'i', 'h'] } }),
  (choice) => ({ auto_date_histogram: { field: 'd', buckets: 1 + choice.below(20) } }),
  (choice) => ({ rare_terms: { field: choice.pick(['k', 'tags', 'i']), max_doc_count: 40 } }),
  (choice) => ({ percentile_ranks: { field: choice.pick(['i', 'h']), values: [10, 20, 30] } }),
  (choice) => ({ extended_stats: { field: choice.pick(['i', 'h']), sigma: choice.below(3) } }),
  () => ({
    diversified_sampler: { field: 'k', shard_size: 50 },
    aggs: { s: { terms: { field: 'tags' } } },
  }),
  topHits,
  (choice) => ({
    significant_terms: {
      field: choice.pick(['k', 'tags']),
      background_filter: randomClause(choice, 2),
    },
  }),
];

function deepAggregation(): Members {
  const inner = { r: { reverse_nested: {} }, t: { top_hits: { size: 2 } } };
  const years = { terms: { field: 'ne.deep.y' }, aggs: inner };
  return {
    nested: { path: 'ne' },
    aggs: { d: { nested: { path: 'ne.deep' }, aggs: { y: years } } },
  };
}

function series(choice: Choice): Members {
  const field = choice.pick(['d', 'dn']);
  const path = { buckets_path: 's' };
  return {
    date_histogram: { field, calendar_interval: choice.pick(['day', 'month']) },
    aggs: {
      s: { sum: { field: 'n' } },
      c: { cumulative_sum: path },
      d: { derivative: path },
      f: { serial_diff: { ...path, lag: 1 + choice.below(3) } },
      m: { moving_fn: { ...path, window: 3, script: 'MovingFunctions.unweightedAvg(values)' } },
      b: { bucket_script: { buckets_path: { s: 's' }, script: 'params.s * 2' } },
      l: { bucket_selector: { buckets_path: { s: 's' }, script: 'params.s > 0' } },
    },
  };
}

function topHits(choice: Choice): Members {
  const key = (type: string): Members => ({ nope: { order: 'asc', unmapped_type: type } });
  return {
    top_hits: {
      size: 3,
      sort: [key('long'), key(choice.pick(['keyword', 'long', 'date']))],
      highlight: { fields: { t: {} } },
      _source: ['k', word(choice)],
      fields: ['d'],
      version: true,
      explain: choice.chance(0.3),
    },
  };
}
