// Searches and counts: checked here as on a single node, rewritten where the engine has other words
// for it, and executed by the cluster.
import type {
  CountResult,
  Json,
  JsonObject,
  MaybePromise,
  PreparedSearch,
  SearchRequest,
  SearchResult,
  Waiter,
} from '../backend/index.js';
import { thenMaybe } from '../base/maybe-promise.js';
import { preparedOnce } from '../coordinator/search/prepared-search.js';
import { type Rerankers, searchReranked } from '../coordinator/search/reranked-search.js';
import { resolveLookups } from '../coordinator/search/terms-lookup.js';
import type { Gate } from '../coordinator/shards/gate.js';
import { compileCounts, compileGroups, orEmpty } from '../coordinator/shards/search-plans.js';
import { excludesVectors } from '../query/fetch/source-filter.js';
import { fusingName, withoutPlainRetriever } from '../query/ranked-body.js';
import { readTextReranker } from '../query/text-reranker.js';
import { sourceWithVectors } from '../remote/peer-version.js';
import type { Opcodes } from '../wire/plan-writer.js';
import type { ClusterCatalog } from './cluster-catalog.js';
import type { ClusterClient, QueryParams } from './cluster-client.js';
import { fieldAt, ID_FIELD, vectorFields } from './cluster-mappings.js';
import type { ClusterDocuments } from './documents.js';
import { isObject } from './errors.js';
import { anyOf, FusedSearch, legBodies } from './fused-search.js';
import { membersOf } from './json-slices.js';
import { madeNames } from './made-values.js';
import { needsRewrite, QueryRewriter } from './rewrite.js';
import { readSearch, readShards } from './search-reader.js';
import { type SearchPlace, searchPlace } from './search-target.js';
import type { ClusterStatistics } from './statistics.js';
import type { TextAnalysis } from './text-analysis.js';

export interface ClusterSearchOptions {
  readonly client: ClusterClient;
  readonly names: ClusterCatalog;
  readonly documents: () => ClusterDocuments;
  readonly analysis: TextAnalysis;
  readonly statistics: ClusterStatistics;
  readonly opcodes: Opcodes;
  readonly gate: Gate;
  readonly rerankers: Rerankers;
  /** Replaces clauses that other components resolve (`graph`). */
  readonly resolveClauses: (request: SearchRequest) => MaybePromise<SearchRequest>;
  readonly nowMs: () => number;
}

const NO_SHARDS = { total: 0, successful: 0, skipped: 0, failed: 0 };
const NOTHING: SearchResult = {
  tookMs: 0,
  timedOut: false,
  shards: NO_SHARDS,
  total: { value: 0, relation: 'eq' },
  maxScore: null,
  hits: [],
};

/** A body and parameters as the engine takes them. */
export interface EngineBody {
  readonly body: JsonObject;
  readonly params: QueryParams;
}

export class ClusterSearch {
  readonly #options: ClusterSearchOptions;

  constructor(options: ClusterSearchOptions) {
    this.#options = options;
  }

  search(request: SearchRequest): MaybePromise<SearchResult> {
    return this.prepare(request).run(request.waiter);
  }

  prepare(request: SearchRequest): PreparedSearch {
    const { gate, rerankers } = this.#options;
    gate.check();
    const reranker = readTextReranker(request.body);
    if (reranker !== undefined) {
      rerankers.checkReranker(reranker.inferenceId);
      const options = { search: (inner: SearchRequest) => this.search(inner), rerankers };
      return preparedOnce((waiter) => searchReranked(request, reranker, waiter, options));
    }
    const resolved = this.resolved(request);
    const place = resolved instanceof Promise ? undefined : this.check(resolved);
    return preparedOnce((waiter) =>
      gate.pass(async () => {
        const one = await resolved;
        return this.#run({ ...one, waiter }, place ?? this.check(one));
      }),
    );
  }

  /** With the results of `graph` clauses and lookups of terms in their place. */
  resolved(request: SearchRequest): MaybePromise<SearchRequest> {
    const { resolveClauses, documents } = this.#options;
    return thenMaybe(resolveClauses(request), (one) =>
      resolveLookups(one, (get) => documents().get(get)),
    );
  }

  /** Throws what is wrong with the names and the body. */
  check(request: SearchRequest): SearchPlace {
    const place = searchPlace(request, this.#options.names, this.#options.client.names);
    const { suggest: _suggest, pit: _pit, slice: _slice, ...body } = request.body;
    const isPinned = request.body['pit'] !== undefined;
    compileGroups(isPinned ? withoutShardDoc(body) : body, orEmpty(place.groups), this.#at());
    return place;
  }

  #at(): { readonly opcodes: Opcodes; readonly nowMs: number } {
    return { opcodes: this.#options.opcodes, nowMs: this.#options.nowMs() };
  }

  async #run(given: SearchRequest, place: SearchPlace): Promise<SearchResult> {
    const request = { ...given, body: withoutPlainRetriever(given.body) };
    if (place.path === undefined) return nothingFor(request.body);
    if (fusingName(request.body) !== undefined) {
      const { client, names } = this.#options;
      return new FusedSearch({
        client,
        names,
        engineBody: (one) => this.engineBody(one, place),
      }).run(request, place);
    }
    return this.ask(`${place.path}/_search`, request, place);
  }

  /** Sends a checked search. */
  async ask(
    path: string,
    request: SearchRequest,
    place: SearchPlace,
    more: QueryParams = {},
  ): Promise<SearchResult> {
    const { client } = this.#options;
    const { body, params } = await this.engineBody(request, place);
    const answer = await client.call('POST', path, {
      params: { ...place.params, ...params, ...more },
      body,
      repeatable: true,
      waiter: request.waiter,
    });
    const result = nearestOnly(
      endedEarly(readSearch(answer.body, client.names), request.body),
      client.engine.kind === 'opensearch' ? request.body : {},
    );
    // The engine says so only of searches that can end early.
    return request.body['track_total_hits'] === false ? withoutTotal(result) : result;
  }

  async engineBody(request: SearchRequest, place: SearchPlace): Promise<EngineBody> {
    const { include_named_queries_score: named, ...given } = request.body;
    const params = named === true ? { include_named_queries_score: true } : {};
    const made = madeNames(place);
    const wanted = made.length === 0 ? given['_source'] : sourceWithout(given['_source'], made);
    // Documents are shown by default, but not next to stored fields.
    const isShown = wanted !== undefined || given['stored_fields'] === undefined;
    const _source = isShown ? this.#shown(wanted, place) : undefined;
    const source = _source === undefined ? {} : { _source };
    const sort =
      place.hasId && given['sort'] !== undefined ? { sort: sortedById(given['sort']) } : {};
    const shown = { ...given, ...source, ...sort };
    const { names } = this.#options.client;
    if (!needsRewrite(shown, place.made, names)) return { body: shown, params };
    const rewriter = this.rewriter(place, request.waiter);
    return { body: await rewritten(shown, rewriter, this.#options.client.engine.kind), params };
  }

  /** `_source` as the engine takes it. */
  #shown(wanted: Json | undefined, { groups }: SearchPlace): Json | undefined {
    const { client, names } = this.#options;
    const hasVectorOption = isObject(wanted) && wanted['exclude_vectors'] !== undefined;
    if (client.engine.kind !== 'opensearch' || !hasVectorOption) {
      return sourceWithVectors(client.engine.parts, wanted);
    }
    const { exclude_vectors: _excluded, ...rest } = wanted;
    if (!excludesVectors(wanted)) return rest;
    const entries = groups.flatMap((group) => group.entries);
    const vectors = entries.flatMap(({ number }) => vectorFields(names.of(number).own));
    return sourceWithout(rest, vectors);
  }

  rewriter(place: SearchPlace, waiter: Waiter | undefined): QueryRewriter {
    const { client, analysis, statistics, names } = this.#options;
    const path = place.path ?? '';
    const entries = place.groups.flatMap((group) => group.entries);
    return new QueryRewriter({
      engine: client.engine,
      names: client.names,
      made: place.made,
      mapped(path) {
        for (const { number } of entries) {
          const field = fieldAt(names.of(number).mappings, path);
          if (field !== undefined) return field;
        }
        return undefined;
      },
      aliasFilters: place.groups.length === 1 ? (place.groups[0]?.filters ?? []) : [],
      analysis,
      weights: (field, words) => statistics.weights(path, field, words),
      groups: (...args) => statistics.groups(path, ...args),
      waiter,
    });
  }

  count(request: SearchRequest): MaybePromise<CountResult> {
    return thenMaybe(this.resolved(request), (one) =>
      this.#options.gate.pass(() => this.#count(one)),
    );
  }

  async #count(request: SearchRequest): Promise<CountResult> {
    const { client, names } = this.#options;
    const place = searchPlace(request, names, client.names);
    compileCounts(request.body, orEmpty(place.groups), this.#at());
    if (place.path === undefined) return { count: 0, shards: NO_SHARDS };
    const { min_score, terminate_after, ...given } = request.body;
    const legs = legBodies(given);
    const rest = legs.length === 0 ? given : { ...given, query: anyOf(legs) };
    const { body } = await this.engineBody({ ...request, body: rest }, place);
    const { _source: _shown, ...query } = body;
    const { routing, preference, ignore_unavailable } = place.params;
    const answer = await client.call('POST', `${place.path}/_count`, {
      params: {
        routing,
        preference,
        ignore_unavailable,
        min_score: min_score === undefined ? undefined : String(min_score),
        terminate_after: terminate_after === undefined ? undefined : String(terminate_after),
      },
      body: query,
      repeatable: true,
      waiter: request.waiter,
    });
    const members = membersOf(answer.body.toString('utf8'));
    return {
      count: Number(members.get('count')),
      shards: readShards(members.get('_shards'), client.names),
    };
  }
}

function nothingFor(body: JsonObject): SearchResult {
  return body['track_total_hits'] === false ? withoutTotal(NOTHING) : NOTHING;
}

/** OpenSearch calls every search without hits one that has ended early. */
function endedEarly(result: SearchResult, body: JsonObject): SearchResult {
  if (result.terminatedEarly !== true || body['terminate_after'] !== undefined) return result;
  const { terminatedEarly: _early, ...rest } = result;
  return rest;
}

/** OpenSearch finds the nearest of each shard: those of all are the first of them. */
function nearestOnly(result: SearchResult, { knn, query, sort, from }: JsonObject): SearchResult {
  const k = isObject(knn) && query === undefined && sort === undefined ? knn['k'] : undefined;
  const { total, hits } = result;
  if (typeof k !== 'number' || total === undefined) return result;
  const left = Math.max(0, k - Number(from ?? 0));
  return {
    ...result,
    total: { ...total, value: Math.min(total.value, k) },
    hits: hits.slice(0, left),
  };
}

function withoutTotal({ total: _total, ...rest }: SearchResult): SearchResult {
  return rest;
}

/** `_shard_doc` is a sort key of points in time only, which the compiler knows by their snapshots. */
function withoutShardDoc(body: JsonObject): JsonObject {
  const { sort, search_after: _after, ...rest } = body;
  if (!Array.isArray(sort)) return sort === undefined ? rest : { ...rest, sort };
  const kept = (sort as readonly Json[]).filter((key) => {
    const name = isObject(key) ? Object.keys(key)[0] : key;
    return name !== '_shard_doc';
  });
  return kept.length === 0 ? rest : { ...rest, sort: kept };
}

/** A sort by `_id` as one by the field that holds it. */
export function sortedById(sort: Json): Json {
  if (Array.isArray(sort)) return (sort as readonly Json[]).map(sortedById);
  if (sort === '_id') return ID_FIELD;
  if (!isObject(sort) || sort['_id'] === undefined) return sort;
  const { _id: order, ...rest } = sort;
  return { ...rest, [ID_FIELD]: order };
}

/** The source filter of a body without the fields that were made here. */
export function sourceWithout(given: Json | undefined, made: readonly string[]): Json {
  if (given === false) return false;
  if (given === undefined || given === true) return { excludes: made };
  if (!isObject(given)) return { includes: Array.isArray(given) ? given : [given], excludes: made };
  const excludes = given['excludes'] ?? given['exclude'] ?? [];
  const all = [...(Array.isArray(excludes) ? (excludes as readonly Json[]) : [excludes]), ...made];
  const { exclude: _exclude, ...rest } = given;
  return { ...rest, excludes: all };
}

async function rewritten(
  body: JsonObject,
  rewriter: QueryRewriter,
  kind: 'elasticsearch' | 'opensearch',
): Promise<JsonObject> {
  const changed: Record<string, Json> = { ...body };
  const { query, knn, post_filter: post, rescore, highlight } = body;
  for (const key of ['aggs', 'aggregations']) {
    const aggs = body[key];
    if (aggs !== undefined) changed[key] = await rewriter.aggregations(aggs);
  }
  if (post !== undefined) changed['post_filter'] = await rewriter.query(post);
  if (rescore !== undefined) changed['rescore'] = await rescored(rescore, rewriter);
  if (isObject(highlight) && highlight['highlight_query'] !== undefined) {
    const marked = await rewriter.query(highlight['highlight_query']);
    changed['highlight'] = { ...highlight, highlight_query: marked };
  }
  if (kind === 'opensearch') {
    const marks = changed['highlight'];
    if (isObject(marks)) changed['highlight'] = offsetsNamed(marks);
    const clauses =
      knn === undefined
        ? []
        : Array.isArray(knn)
          ? (knn as readonly JsonObject[])
          : [knn as JsonObject];
    const nearest = await Promise.all(clauses.map((one) => rewriter.topNearest(one)));
    const { knn: _knn, ...rest } = changed;
    const own = query === undefined ? [] : [await rewriter.query(query)];
    const all = [...own, ...nearest];
    if (all.length === 0) return rest;
    return { ...rest, query: all.length === 1 ? (all[0] ?? {}) : { bool: { should: all } } };
  }
  if (knn !== undefined) changed['knn'] = await rewriter.topKnn(knn);
  if (query === undefined) return changed;
  // Alone, it finds the nearest of all shards and not those of each.
  const semantic = knn === undefined && isObject(query) ? query['semantic'] : undefined;
  const isNear = isObject(semantic) && semantic['_name'] === undefined;
  if (!isNear) return { ...changed, query: await rewriter.query(query) };
  const nearest = await rewriter.semanticAsKnn(semantic);
  const { query: _query, ...rest } = changed;
  if (nearest === undefined) return { ...rest, query: { match_none: {} } };
  return { ...rest, knn: await rewriter.topKnn(nearest) };
}

/** OpenSearch has another name for the longest text that highlights analyze. */
export function offsetsNamed(highlight: JsonObject): JsonObject {
  const { max_analyzed_offset: longest, fields, ...rest } = highlight;
  const inField = (field: Json): Json => (isObject(field) ? offsetsNamed(field) : field);
  const inFields = (given: Json): Json =>
    isObject(given)
      ? Object.fromEntries(Object.entries(given).map(([name, field]) => [name, inField(field)]))
      : given;
  const list = Array.isArray(fields) ? (fields as readonly Json[]).map(inFields) : undefined;
  return {
    ...rest,
    ...(longest === undefined ? {} : { max_analyzer_offset: longest }),
    ...(fields === undefined ? {} : { fields: list ?? inFields(fields) }),
  };
}

async function rescored(value: Json, rewriter: QueryRewriter): Promise<Json> {
  if (Array.isArray(value)) {
    return Promise.all((value as readonly Json[]).map((one) => rescored(one, rewriter)));
  }
  const query = isObject(value) ? value['query'] : undefined;
  if (!isObject(value) || !isObject(query)) return value;
  const inner = query['rescore_query'];
  return {
    ...value,
    query: {
      ...query,
      ...(inner === undefined ? {} : { rescore_query: await rewriter.query(inner) }),
    },
  };
}
