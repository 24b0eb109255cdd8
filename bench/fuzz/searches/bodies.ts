// Random bodies of searches with what Elasticsearch has as well, over `SHARED_MAPPING`.
import type { Choice } from '../choice.ts';
import { randomAggregations } from './aggregations.ts';
import { randomClause } from './clauses.ts';
import type { Members } from './documents.ts';

/** The body of a search: members are replaced by name, and so not of a fixed shape. */
export type SearchBody = Record<string, unknown>;

export function sharedBody(choice: Choice): SearchBody {
  return choice.pick([queryBody, aggregationBody, fullBody])(choice);
}

function queryBody(choice: Choice): SearchBody {
  const least = choice.maybe(0.2, () => ({ min_score: choice.below(30) / 10 }));
  return { query: randomClause(choice), size: 10 + choice.below(20), ...least };
}

function aggregationBody(choice: Choice): SearchBody {
  const query = choice.maybe(0.7, () => ({ query: randomClause(choice, 1) }));
  return { ...query, size: 0, aggs: randomAggregations(choice) };
}

function fullBody(choice: Choice): SearchBody {
  const body: SearchBody = {
    query: randomClause(choice),
    size: choice.below(15),
    ...choice.maybe(0.2, () => ({ from: choice.below(20) })),
    ...choice.maybe(0.6, () => ({
      sort: [...choice.several(1, 2, () => randomSort(choice)), { _doc: 'asc' }],
    })),
    ...choice.maybe(0.3, () => ({ track_scores: true })),
    ...choice.maybe(0.3, () => ({ track_total_hits: choice.pick([true, false, 10, 100]) })),
    ...choice.maybe(0.4, () => ({ _source: choice.pick(SOURCES) })),
    ...choice.maybe(0.4, () => ({ fields: choice.pick(FIELDS) })),
    ...choice.maybe(0.3, () => ({ docvalue_fields: choice.pick(COLUMNS) })),
    ...choice.maybe(0.5, () => ({ highlight: highlight(choice) })),
    ...choice.maybe(0.15, () => ({ collapse: collapse(choice) })),
    ...choice.maybe(0.1, () => ({ post_filter: randomClause(choice, 2) })),
    ...choice.maybe(0.2, () => ({ version: true })),
    ...choice.maybe(0.15, () => ({ aggs: randomAggregations(choice, 1) })),
  };
  const isPlain = body['sort'] === undefined && body['collapse'] === undefined;
  return isPlain && choice.chance(0.2) ? { ...body, rescore: rescore(choice) } : body;
}

const SOURCES = [
  false,
  true,
  'k',
  ['o.*', 'n'],
  { includes: ['ne.*'], excludes: ['ne.c'] },
  ['*.a'],
  { excludes: ['t', 's', 'o'] },
] as const;
const FIELDS = [
  ['k', 'd'],
  ['*'],
  [{ field: 'd', format: 'yyyy/MM/dd' }],
  ['o.*', 'fl.*'],
  ['ne.*'],
  ['t.*', 'r', 'dr', 'ip'],
  ['n', 'f', 'h', 'b', 'd2'],
] as const;
const COLUMNS = [
  ['k', 'n'],
  [{ field: 'd', format: 'epoch_millis' }],
  ['i', { field: 'f', format: '0.00' }],
  ['ip', 'b', 't.k'],
  ['tags', 'h'],
] as const;
const HIGHLIGHTS = [
  {},
  { number_of_fragments: 0 },
  { fragment_size: 30, number_of_fragments: 2 },
  { type: 'unified', order: 'score' },
  { pre_tags: ['<b>'], post_tags: ['</b>'] },
  { no_match_size: 20 },
  { boundary_scanner: 'word' },
  { require_field_match: false },
] as const;

function randomSort(choice: Choice): unknown {
  const direction = choice.pick(['asc', 'desc']);
  const missing = choice.pick(['_first', '_last']);
  const mode = choice.pick(['min', 'max', 'avg', 'sum']);
  return choice.pick<unknown>([
    '_score',
    { n: direction },
    { d: { order: 'desc', missing } },
    { k: { order: direction, missing: choice.pick([missing, 'm']) } },
    { tags: { order: 'asc', mode: choice.pick(['min', 'max']) } },
    { i: { order: 'desc', mode: choice.pick([mode, 'median']) } },
    { 'ne.x': { order: 'asc', mode, nested: { path: 'ne' } } },
    { f: 'asc' },
    { nope: { order: 'asc', unmapped_type: 'long' } },
    { ip: 'desc' },
    { b: 'asc' },
  ]);
}

function highlight(choice: Choice): Members {
  const field = choice.pick(['t', 's', 't.e', '*', 't*']);
  return { fields: { [field]: choice.pick(HIGHLIGHTS) } };
}

function collapse(choice: Choice): Members {
  const inner_hits = { name: 'x', size: 2, _source: false, sort: [{ n: 'asc' }, { _doc: 'asc' }] };
  const field = choice.pick(['k', 'n', 'o.p']);
  return { field, ...choice.maybe(0.4, () => ({ inner_hits })) };
}

function rescore(choice: Choice): Members {
  return {
    window_size: 5 + choice.below(30),
    query: {
      rescore_query: randomClause(choice, 2),
      query_weight: choice.pick([1, 0.7]),
      rescore_query_weight: choice.pick([1, 2]),
      score_mode: choice.pick(['total', 'multiply', 'avg', 'max', 'min']),
    },
  };
}
