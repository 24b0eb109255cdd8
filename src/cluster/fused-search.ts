// Hybrid queries and retrievers: each list is a search of the engine, the fusion is that of
// src/fusion, and the documents of the page are read by a last search.
import type { Json, JsonObject, SearchHit, SearchRequest, SearchResult } from '../backend/index.js';
import { printExact } from '../base/exact-json.js';
import { fuseLists, inOrder } from '../coordinator/fused/fused-lists.js';
import type { Place, PlacedList } from '../coordinator/fused/ranked-lists.js';
import { QuarryError } from '../errors.js';
import type { FusedHit } from '../fusion/fuse.js';
import { isFieldKnn, knnOfField } from '../query/clauses/field-knn.js';
import { DEFAULT_LIMITS } from '../query/limits.js';
import { parseTotalHits } from '../query/paging.js';
import { readQueries } from '../query/queries.js';
import { ALL_SCORES, type Leg } from '../query/ranking.js';
import type { ClusterCatalog } from './cluster-catalog.js';
import type { ClusterClient } from './cluster-client.js';
import { isObject } from './errors.js';
import type { EngineBody } from './search.js';
import { readSearch } from './search-reader.js';
import type { SearchPlace } from './search-target.js';

export interface FusedSearchOptions {
  readonly client: ClusterClient;
  readonly names: ClusterCatalog;
  readonly engineBody: (request: SearchRequest) => Promise<EngineBody>;
}

const DEFAULT_SIZE = 10;
/** Members of a body that say how hits look. */
const SHOWN = [
  '_source',
  'fields',
  'docvalue_fields',
  'stored_fields',
  'script_fields',
  'highlight',
  'version',
  'seq_no_primary_term',
  'explain',
];
/** The engine's limit for a page. */
const LONGEST_LIST = 10_000;
const KEY_END = '\u0000';

export class FusedSearch {
  readonly #options: FusedSearchOptions;

  constructor(options: FusedSearchOptions) {
    this.#options = options;
  }

  async run(request: SearchRequest, place: SearchPlace): Promise<SearchResult> {
    const started = performance.now();
    const { body } = request;
    refuseExplained(body);
    const from = Number(body['from'] ?? 0);
    const size = Number(body['size'] ?? DEFAULT_SIZE);
    const { ranked } = readQueries(body, [], DEFAULT_LIMITS, { from, size });
    if (ranked === undefined) throw new Error('a search for lists has none');
    const legs = legBodies(body);
    const answers = await Promise.all(
      ranked.legs.map((leg, at) => this.#list(request, place, leg, legs[at] ?? {})),
    );
    const lists = answers.map(({ list }) => list);
    const result = await fuseLists(ranked.root, lists, readIds);
    const ordered = await inOrder(result.fused, from + size, readIds);
    const least = Number(body['min_score'] ?? Number.NEGATIVE_INFINITY);
    const best = ordered.slice(0, ranked.root.depth).filter(({ score }) => score >= least);
    const selected = await this.#selected(request, place, best);
    const page = selected.slice(from, from + size);
    const hits = size === 0 ? [] : await this.#page(request, place, page, legs);
    const cut = result.cut || ranked.root.depth < ordered.length;
    return {
      tookMs: Math.round(performance.now() - started),
      timedOut: answers.some(({ answer }) => answer.timedOut),
      shards: answers[0]?.answer.shards ?? { total: 0, successful: 0, skipped: 0, failed: 0 },
      ...(await this.#total(
        request,
        place,
        legs,
        isSelecting(body) ? selected.length : result.fused.length,
        cut,
      )),
      maxScore: size === 0 || isUnscored(body) ? null : bestScore(selected),
      hits,
    };
  }

  async #list(
    request: SearchRequest,
    place: SearchPlace,
    { depth, minScore }: Leg,
    leg: JsonObject,
  ): Promise<{ readonly answer: SearchResult; readonly list: PlacedList }> {
    const isNear = leg['knn'] !== undefined;
    const { min_score: _least, ...query } = leg;
    const answer = await this.#ask(request, place, {
      ...query,
      size: Math.min(isNear ? depth : depth + 1, LONGEST_LIST),
      _source: false,
      track_total_hits: false,
    });
    const hits = answer.hits
      .map((hit): Place => toPlace(hit))
      .filter(({ score }) => minScore === ALL_SCORES || score >= minScore);
    return { answer, list: { hits: hits.slice(0, depth), cut: !isNear && hits.length > depth } };
  }

  async #ask(request: SearchRequest, place: SearchPlace, body: JsonObject): Promise<SearchResult> {
    const { client, engineBody } = this.#options;
    const made = await engineBody({ ...request, body });
    const answer = await client.call('POST', `${place.path}/_search`, {
      params: { ...place.params, ...made.params },
      body: made.body,
      repeatable: true,
      waiter: request.waiter,
    });
    return readSearch(answer.body, client.names);
  }

  /** Those that pass the post filter, in the order of the request. */
  async #selected(
    request: SearchRequest,
    place: SearchPlace,
    best: readonly FusedHit<Place>[],
  ): Promise<readonly Selected[]> {
    const { post_filter: filter, sort } = request.body;
    if ((filter === undefined && sort === undefined) || best.length === 0) {
      return best.map((fused) => ({ fused, sort: undefined }));
    }
    const known = new Map(best.map((one) => [keyOf(one.hit), one]));
    const found = await this.#ask(request, place, {
      query: { bool: { filter: [this.#named(best), ...(filter === undefined ? [] : [filter])] } },
      size: best.length,
      _source: false,
      track_total_hits: false,
      ...(sort === undefined ? {} : { sort }),
    });
    const passing = found.hits.flatMap((hit): Selected[] => {
      const fused = known.get(keyOf(hit));
      return fused === undefined ? [] : [{ fused, sort: hit.sort }];
    });
    if (sort !== undefined) return passing;
    const kept = new Set(passing.map(({ fused }) => fused));
    return best.filter((one) => kept.has(one)).map((fused) => ({ fused, sort: undefined }));
  }

  async #page(
    request: SearchRequest,
    place: SearchPlace,
    page: readonly Selected[],
    legs: readonly JsonObject[],
  ): Promise<readonly SearchHit[]> {
    if (page.length === 0) return [];
    const shown = Object.fromEntries(
      SHOWN.flatMap((key) => (request.body[key] === undefined ? [] : [[key, request.body[key]]])),
    ) as JsonObject;
    const { highlight } = shown;
    const marked =
      isObject(highlight) && highlight['highlight_query'] === undefined
        ? { highlight: { ...highlight, highlight_query: { bool: { should: legs.map(markedBy) } } } }
        : {};
    const found = await this.#ask(request, place, {
      ...shown,
      ...marked,
      query: {
        bool: {
          filter: [this.#named(page.map(({ fused }) => fused))],
          // Only for the names of clauses that match.
          ...(isNamed(legs) ? { should: legs.map(queryOf) } : {}),
        },
      },
      size: page.length,
      track_total_hits: false,
    });
    const known = new Map(found.hits.map((hit) => [keyOf(hit), hit]));
    return page.flatMap(({ fused, sort }) => {
      const hit = known.get(keyOf(fused.hit));
      if (hit === undefined) return [];
      return [{ ...hit, score: fused.score, ...(sort === undefined ? {} : { sort }) }];
    });
  }

  /** The query for these documents. */
  #named(hits: readonly FusedHit<Place>[]): JsonObject {
    const byIndex = new Map<string, string[]>();
    for (const { hit } of hits) {
      const of = byIndex.get(hit.index);
      if (of === undefined) byIndex.set(hit.index, [hit.id]);
      else of.push(hit.id);
    }
    const clauses = [...byIndex].map(([index, values]) => ({
      bool: { filter: [{ term: { _index: index } }, { ids: { values } }] },
    }));
    return clauses.length === 1 ? (clauses[0] ?? {}) : { bool: { should: clauses } };
  }

  async #total(
    request: SearchRequest,
    place: SearchPlace,
    legs: readonly JsonObject[],
    selected: number,
    cut: boolean,
  ): Promise<Pick<SearchResult, 'total'>> {
    const given = request.body['track_total_hits'];
    const track = parseTotalHits(given);
    if (track === false) return {};
    const isCountable = legs.every((leg) => leg['min_score'] === undefined);
    if (cut && given !== undefined && isCountable && (track === true || selected < track)) {
      const { post_filter: filter } = request.body;
      const filters = filter === undefined ? {} : { filter: [filter] };
      const counted = await this.#ask(request, place, {
        query: { bool: { must: [anyOf(legs)], ...filters } },
        size: 0,
        track_total_hits: given,
      });
      return counted.total === undefined ? {} : { total: counted.total };
    }
    if (track !== true && selected > track) return { total: { value: track, relation: 'gte' } };
    return { total: { value: selected, relation: cut ? 'gte' : 'eq' } };
  }
}

interface Selected {
  readonly fused: FusedHit<Place>;
  readonly sort: readonly string[] | undefined;
}

/** Whether the hits are not simply the fused list. */
function isSelecting({ sort, post_filter: filter, min_score: least }: JsonObject): boolean {
  return sort !== undefined || filter !== undefined || least !== undefined;
}

function isUnscored({ sort, track_scores: tracked }: JsonObject): boolean {
  return sort !== undefined && tracked !== true;
}

/** Places have their ids already. */
const readIds = async (places: readonly Place[]): Promise<readonly string[]> =>
  places.map(({ id }) => id);

function toPlace({ index, id, score }: SearchHit): Place {
  return { index, id, score: score ?? 0, shard: 0, doc: 0 };
}

function keyOf({ index, id }: Pick<SearchHit, 'index' | 'id'>): string {
  return `${index}${KEY_END}${id}`;
}

function bestScore(selected: readonly Selected[]): number | null {
  if (selected.length === 0) return null;
  return Math.max(...selected.map(({ fused }) => fused.score));
}

/** The query for the documents of any of the lists. */
export function anyOf(legs: readonly JsonObject[]): JsonObject {
  return { bool: { should: legs.map(queryOf) } };
}

function queryOf({ query, knn }: JsonObject): JsonObject {
  return (query as JsonObject | undefined) ?? { knn: knn ?? {} };
}

/** The query whose words highlights mark: those of the text for a semantic clause. */
function markedBy(leg: JsonObject): JsonObject {
  const query = queryOf(leg);
  const semantic = query['semantic'];
  if (!isObject(semantic)) return query;
  return { match: { [String(semantic['field'])]: semantic['query'] ?? '' } };
}

function isNamed(legs: readonly JsonObject[]): boolean {
  return printExact(legs).includes('"_name"');
}

/** The shares of a fused score would be missing in the explanation of the engine. */
function refuseExplained(body: JsonObject): void {
  for (const key of ['explain', 'profile', 'collapse', 'suggest', 'indices_boost']) {
    const value = body[key];
    if (value === undefined || value === false) continue;
    throw new QuarryError(
      'illegal_argument_exception',
      `[${key}] is not available with fused lists in cluster mode: leave it out, or ask for each list alone`,
      { status: 501 },
    );
  }
}

/** The lists of a body in the order of the ranking tree, each as the part of a body that finds it. */
export function legBodies(body: JsonObject): readonly JsonObject[] {
  const { query, retriever } = body;
  if (isObject(retriever)) return retrieverLegs(retriever, []);
  const hybrid = isObject(query) ? query['hybrid'] : undefined;
  if (!isObject(hybrid)) return [];
  const filters = listOf(hybrid['filter']);
  return listOf(hybrid['queries']).map((item) => {
    const isWrapped =
      isObject(item) && (Object.hasOwn(item, 'query') || Object.hasOwn(item, 'weight'));
    return narrowed({ query: isWrapped ? (item['query'] ?? null) : item }, filters);
  });
}

function retrieverLegs(retriever: JsonObject, above: readonly Json[]): readonly JsonObject[] {
  const [entry] = Object.entries(retriever);
  const [name, body] = entry ?? ['', null];
  if (!isObject(body)) return [];
  const filters = [...above, ...listOf(body['filter'])];
  if (name === 'rrf' || name === 'linear') {
    return listOf(body['retrievers']).flatMap((item) => {
      if (!isObject(item)) return [];
      const inner = item['retriever'];
      return retrieverLegs(isObject(inner) ? inner : item, filters);
    });
  }
  const { min_score: least } = body;
  const limit = least === undefined ? {} : { min_score: least };
  if (name === 'knn') {
    const { min_score: _least, ...knn } = body;
    return [{ knn: { ...knn, ...(filters.length === 0 ? {} : { filter: filters }) }, ...limit }];
  }
  return [{ ...narrowed({ query: body['query'] ?? { match_all: {} } }, filters), ...limit }];
}

/** Vector clauses take a filter into their search for the nearest. */
function narrowed(leg: { readonly query: Json }, filters: readonly Json[]): JsonObject {
  const { query } = leg;
  const knn = isObject(query) ? query['knn'] : undefined;
  const semantic = isObject(query) ? query['semantic'] : undefined;
  if (isObject(knn) && isFieldKnn(knn)) {
    return narrowed({ query: knnOfField(knn) }, filters);
  }
  if (isObject(knn)) {
    const all = [...listOf(knn['filter']), ...filters];
    return { knn: { ...knn, ...(all.length === 0 ? {} : { filter: all }) } };
  }
  if (isObject(semantic)) {
    const all = [...listOf(semantic['filter']), ...filters];
    return { query: { semantic: { ...semantic, ...(all.length === 0 ? {} : { filter: all }) } } };
  }
  return { query: filters.length === 0 ? query : { bool: { must: [query], filter: filters } } };
}

function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly Json[]) : [value];
}
