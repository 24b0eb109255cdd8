// 300 random searches of nested documents: queries, inner hits, orders, aggregations, vectors.
import { type PeerRequest, request } from '../request.ts';
import { aggregations } from './aggregations.ts';
import { NESTED_INDEXES, vectorOf } from './documents.ts';
import { levelAt } from './levels.ts';
import { nested, type QueryOptions, query } from './queries.ts';
import { Chance } from './random.ts';
import { sort } from './sorts.ts';

/** More than there are documents. */
const ALL = 200;

const root = levelAt('');

const queryOf = (chance: Chance, options: QueryOptions): object =>
  chance.below(4) > 0 ? nested(chance, root, options) : query(chance, root, options);

const FAMILIES: Readonly<Record<string, readonly [number, (chance: Chance) => object]>> = {
  'nested query': [
    90,
    (chance) => ({ query: queryOf(chance, { depth: 3, innerHits: false }), _source: false }),
  ],
  'nested inner hits': [
    70,
    (chance) => ({ query: nested(chance, root, { depth: 2, innerHits: true }), _source: false }),
  ],
  'nested sort': [
    50,
    (chance) => ({
      ...(chance.oneIn(2) ? { query: query(chance, root, { depth: 2, innerHits: false }) } : {}),
      sort: sort(chance),
      _source: false,
    }),
  ],
  'nested aggregation': [
    60,
    (chance) => ({
      size: 0,
      ...(chance.oneIn(2) ? { query: query(chance, root, { depth: 2, innerHits: false }) } : {}),
      aggs: aggregations(chance),
    }),
  ],
  'nested fields': [
    10,
    (chance) => ({
      query: query(chance, root, { depth: 1, innerHits: false }),
      fields: chance.pick([['c.*'], ['*'], ['c.r.who', 'n'], ['o.p.n', 'i.*']]),
      _source: chance.pick([false, ['c.r'], ['*.who'], ['i', 'o.p.n']]),
    }),
  ],
};

function knn(chance: Chance): object {
  const clause = { field: 'v.e', query_vector: vectorOf(chance), num_candidates: 900, k: 5 };
  const filter = chance.oneIn(2)
    ? { filter: query(chance, root, { depth: 1, innerHits: false }) }
    : {};
  const hits = chance.oneIn(2) ? { inner_hits: { size: 2, fields: ['v.at'] } } : {};
  return { knn: { ...clause, ...filter, ...hits }, size: 5, _source: false };
}

/**
 * Whether inner hits may belong to a clause that is not scored. Elasticsearch counts the words of
 * these in the shard of the hit alone.
 */
function hasUnscored(body: object): boolean {
  const text = JSON.stringify(body);
  return /inner_hits/.test(text) && /"none"|"filter":\[\{|constant_score|function_score/.test(text);
}

/** Twenty requests ask for vectors, which not every peer has. */
const VECTORS = 20;

export function nestedRequests(seed: number): readonly PeerRequest[] {
  const indexes = Object.keys(NESTED_INDEXES);
  const make = (name: string, i: number, body: object, vectors: boolean): PeerRequest => {
    // A search of vectors has a phase before it anyway.
    const statistics = vectors ? '' : '?search_type=dfs_query_then_fetch';
    const index = hasUnscored(body) ? 'nested1' : indexes[i % indexes.length];
    const path = `/${index}/_search${statistics}`;
    return request(
      `${name}: ${i}`,
      'POST',
      path,
      { size: ALL, ...body },
      vectors ? ['vectors'] : [],
    );
  };
  const chance = new Chance(seed);
  return [
    ...Object.entries(FAMILIES).flatMap(([name, [count, body]]) =>
      chance.list(count, () => body(chance)).map((one, i) => make(name, i, one, false)),
    ),
    ...chance
      .list(VECTORS, () => knn(chance))
      .map((one, i) => make('nested vectors', i, one, true)),
  ];
}
