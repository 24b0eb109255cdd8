// Checks the whole body of a search or a count and compiles it to plan bytes. Every error that can
// be found without a mapping is reported here, before the addon is called.
import type { JsonObject, SourceSpec } from '../backend/index.js';
import {
  FETCH_EXPLAIN,
  type Opcodes,
  type PlanHeader,
  type PlanSortKey,
  type Scalar,
} from '../wire/plan-writer.js';
import { type AggTree, parseAggs } from './aggs/parse.js';
import type { QueryDefaults } from './clause.js';
import type { Clause } from './clauses/index.js';
import type { SliceClause } from './clauses/slice.js';
import { type Collapse, readCollapse } from './collapse.js';
import {
  type CompiledQuery,
  compileQuery,
  explainingPlan,
  NO_FETCH,
  type QueryParts,
} from './compiled-query.js';
import { compileRanked, type RankedPlans } from './compiled-ranked.js';
import { readFlag, readShown } from './fetch/fetch-options.js';
import { markedBy } from './fetch/highlight.js';
import { type IndexBoost, parseIndicesBoost } from './indices-boost.js';
import { checkInnerSearches, checkNames, type NestedInnerHits } from './inner-hits.js';
import type { SearchLimits } from './limits.js';
import { nearestOf } from './nearest-vectors.js';
import type { NumberFormats } from './number-formats.js';
import { pageForm } from './page-form.js';
import {
  type Page,
  parseTerminateAfter,
  parseTimeout,
  parseTotalHits,
  type TotalHits,
  totalLimit,
} from './paging.js';
import { isClauseName, QueryParser } from './parse.js';
import { checkSlice, type PinnedSnapshots, pinnedPage, readKeys } from './pinned.js';
import { readQueries } from './queries.js';
import { checkCombination, fusingName, withoutPlainRetriever } from './ranked-body.js';
import { type Rescore, readRescores } from './rescore.js';
import { checkKeys } from './unsupported.js';
import { malformed, toFloat, tokenName } from './values.js';

export interface CompileContext {
  readonly opcodes: Opcodes;
  /** Wall clock for date math, in milliseconds since the epoch. */
  readonly nowMs: number;
  /** The strictest limits of the searched indexes. */
  readonly limits: SearchLimits;
  /** One entry for each of the searched indexes; none: Elasticsearch's defaults. */
  readonly queryDefaults?: readonly QueryDefaults[];
  /** Number of shards that the search is sent to; 1 by default. */
  readonly shards?: number;
  /** The caller accepts hits as JSON text, if the core can write them. */
  readonly hitsJson?: boolean;
  /** The response shows totals as integers, which the core does not write. */
  readonly totalAsInt?: boolean | undefined;
  /** Hits do not show the nested documents that the query says. */
  readonly withoutInnerHits?: boolean | undefined;
  /** Filters of aliases; a document must match any of them. None: all documents pass. */
  readonly filters?: readonly JsonObject[];
  /** Undefined: the newest snapshots are searched. */
  readonly pinned?: PinnedSnapshots | undefined;
  /** Selects a part of the documents of the shards. */
  readonly slice?: SliceClause | undefined;
}

/** The nested documents that every hit shows, and the search that finds them inside a hit. */
export interface CompiledInnerHits {
  readonly name: string;
  readonly path: string;
  readonly search: CompiledSearch;
}

/**
 * A search ready to be sent, and what the coordinator needs to merge its responses. Its plans fetch
 * the documents of the page inline, which is right for a single shard; see withoutInlineFetch.
 */
export interface CompiledSearch extends CompiledQuery, Page {
  /** Set for a search for fused lists; `plan` then finds the lists. */
  readonly ranked: RankedPlans | undefined;
  readonly trackTotalHits: TotalHits;
  /**
   * The request has a limit for the total. Without one, a search for fused lists counts the
   * documents in the lists.
   */
  readonly totalRequested: boolean;
  /** Empty: sorted by score. */
  readonly sort: readonly PlanSortKey[];
  /** Hits show their `_score`. */
  readonly scores: boolean;
  /** The response shows `max_score`. */
  readonly maxScore: boolean;
  readonly source: SourceSpec;
  /** The formats for numbers of `docvalue_fields`. */
  readonly numberFormats: NumberFormats;
  readonly version: boolean;
  readonly seqNoPrimaryTerm: boolean;
  /** False: hits show no `_id` (stored_fields: _none_). */
  readonly ids: boolean;
  readonly terminateAfter: number;
  readonly indicesBoost: readonly IndexBoost[];
  /** Hits show an explanation of their score. */
  readonly explain: boolean;
  /** The response shows a profile of the search. */
  readonly profile: boolean;
  /** The only shard sends the page as the JSON text of its hits. */
  readonly hitsJson: boolean;
  /** Undefined: hits are not collapsed. */
  readonly collapse: Collapse | undefined;
  /** The nested documents that each hit shows. */
  readonly innerHits: readonly CompiledInnerHits[];
  /** Applied one after the other; empty: the scores of the query are final. */
  readonly rescores: readonly Rescore[];
  /** Plans that explain the score of each rescore query for a document. */
  readonly rescorePlans: readonly Uint8Array[];
  /** Undefined if no aggregations are requested. */
  readonly aggs: AggTree | undefined;
  /**
   * The k of a search that is a single vector clause and nothing else: the result is the best k
   * hits of all shards.
   */
  readonly nearest: number | undefined;
}

export function compileSearch(given: JsonObject, context: CompileContext): CompiledSearch {
  const body = withoutPlainRetriever(given);
  checkBody(body);
  const { pinned, filters = [], queryDefaults, slice, limits } = context;
  checkSlice(body, pinned);
  const page = pinnedPage(body, limits, pinned);
  const queries = readQueries(body, filters, limits, page, queryDefaults, slice);
  const order = readOrder(body, page, pinned);
  const collapse = readCollapse(body, order, limits, page.size);
  checkNames([...queries.innerHits, ...(collapse?.innerHits ?? [])]);
  checkInnerSearches('nested', queries.innerHits.length, page.size);
  const shownInside = context.withoutInnerHits === true ? [] : queries.innerHits;
  const innerHits = shownInside.map((inner) => compileInnerHits(inner, context));
  const rescores = readRescores(body, order.sort.length > 0, limits);
  const fetch = readShown(body, queries.named, limits, collapse);
  const trackTotalHits = parseTotalHits(body['track_total_hits']);
  const inline = page.size > 0 && rescores.length === 0;
  const takesJson = context.hitsJson === true && context.shards === 1;
  const texts =
    takesJson &&
    queries.ranked === undefined &&
    collapse === undefined &&
    innerHits.every(({ search }) => isText(search, context));
  const { flags, hitsJson } = pageForm({ inline, texts, scores: order.scores, shown: fetch });
  const windows = rescores.map(({ window }) => window);
  const header = readHeader(body, page, trackTotalHits, flags, context.nowMs, windows);
  const { sort, searchAfter } = order;
  const indicesBoost = parseIndicesBoost(body['indices_boost']);
  const aggs = readAggs(body, limits, queries.aliasFilter);
  const plain =
    sort.length + indicesBoost.length + header.terminateAfter + rescores.length === 0 &&
    aggs === undefined &&
    collapse === undefined;
  const parts: QueryParts = {
    legs: [queries.root],
    postFilter: queries.postFilter,
    vectorClauses: queries.vectorClauses,
    semantic: queries.semantic,
    header,
    sort,
    searchAfter,
    fetch: fetch.spec,
    aggs: aggs?.aggs ?? [],
    highlight: markedBy(fetch.highlight, queries.marked),
    unmapped: fetch.unmapped,
    scriptFields: fetch.scriptFields,
    collapse,
    rescores,
    shards: context.shards ?? 1,
    snapshots: pinned?.snapshots ?? [],
    innerHits: innerHits.map(({ name, path, search }) => ({ name, path, plan: search.plan })),
  };
  const { ranked } = queries;
  const lists = ranked && compileRanked(parts, ranked, context.opcodes);
  const compiled = lists ?? compileQuery(parts, context.opcodes);
  // Copied member by member because spread is slow with this many members.
  return {
    plan: compiled.plan,
    vectorClauses: compiled.vectorClauses,
    semantic: compiled.semantic,
    timeoutUs: compiled.timeoutUs,
    planWith: compiled.planWith,
    nearestPlan: compiled.nearestPlan,
    ranked: lists?.ranked,
    from: page.from,
    size: page.size,
    hitsJson,
    collapse,
    innerHits,
    rescores,
    rescorePlans: rescores.map(({ query }) => explainingPlan(query, header, context.opcodes)),
    aggs,
    trackTotalHits,
    totalRequested: body['track_total_hits'] !== undefined && trackTotalHits !== false,
    sort,
    scores: order.scores,
    maxScore: order.maxScore,
    source: fetch.spec.source,
    numberFormats: fetch.numberFormats,
    version: fetch.version,
    seqNoPrimaryTerm: fetch.seqNoPrimaryTerm,
    ids: fetch.ids,
    terminateAfter: header.terminateAfter,
    indicesBoost,
    explain: (fetch.spec.flags & FETCH_EXPLAIN) !== 0,
    profile: readFlag(body, 'profile'),
    nearest: plain ? nearestOf(queries) : undefined,
  };
}

/** The time limit, the filters and the snapshot are those of the search around it. */
function compileInnerHits(
  { name, path, query, shows }: NestedInnerHits,
  { opcodes, nowMs, limits, queryDefaults = [], hitsJson = false, totalAsInt }: CompileContext,
): CompiledInnerHits {
  const body = { ...shows, query, track_total_hits: true };
  const setting = { opcodes, nowMs, limits, queryDefaults, shards: 1, hitsJson, totalAsInt };
  return { name, path, search: compileSearch(body, setting) };
}

/** Whether the core can write the inner hits as the response shows them. */
function isText(
  { hitsJson, size, scores, maxScore: best }: CompiledSearch,
  { totalAsInt }: CompileContext,
): boolean {
  return totalAsInt !== true && (hitsJson || size === 0) && scores === best;
}

function readAggs(
  body: JsonObject,
  limits: SearchLimits,
  aliasFilter: Clause | undefined,
): AggTree | undefined {
  const { aggs, aggregations } = body;
  if (aggs !== undefined && aggregations !== undefined) {
    throw malformed('Found both [aggs] and [aggregations], give one of them');
  }
  const given = aggs ?? aggregations;
  if (given === undefined) return undefined;
  const parser = new QueryParser({ limits });
  const tree = parseAggs(given, {
    clause: (value) => parser.clause(value),
    limits: parser.limits,
    aliasFilter,
  });
  // An empty object requests none, so the response has no `aggregations`.
  if (tree.aggs.length + tree.pipelines.length === 0) return undefined;
  const [first] = parser.allVectorClauses;
  if (first === undefined) return tree;
  throw malformed(`[${first.kind}] is not supported inside an aggregation, put it into [query]`);
}

/** Rejects keys that are not supported in this body. */
function checkBody(body: JsonObject): void {
  const name = fusingName(body);
  if (name !== undefined) checkCombination(body, name);
  const isPiped = name === 'hybrid' && body['search_pipeline'] !== undefined;
  checkKeys(isPiped ? withoutPipeline(body) : body);
  refuseBareClause(body);
}

function withoutPipeline({ search_pipeline: _pipeline, ...rest }: JsonObject): JsonObject {
  return rest;
}

/**
 * Rejects a clause that is given in place of `query`: ignored as an unknown key, it would make the
 * search match all documents.
 */
function refuseBareClause(body: JsonObject): void {
  const name = Object.keys(body).find((key) => key !== 'knn' && isClauseName(key));
  if (name === undefined) return;
  throw malformed(
    `Unknown key for a ${tokenName(body[name] ?? null)} in [${name}]. Put the clause into [query].`,
  );
}

const COUNT_KEYS = ['query', 'min_score', 'terminate_after'];

/**
 * Compiles a count: exact, without hits. `min_score` and `terminate_after` come from URL
 * parameters.
 */
export function compileCount(body: JsonObject, context: CompileContext): CompiledQuery {
  const other = Object.keys(body).find((key) => !COUNT_KEYS.includes(key));
  if (other !== undefined) throw malformed(`request does not support [${other}]`);
  const { root, postFilter, vectorClauses, semantic } = readQueries(
    body,
    context.filters ?? [],
    context.limits,
    { from: 0, size: 0 },
    context.queryDefaults,
  );
  const header = readHeader(body, { from: 0, size: 0 }, true, 0, context.nowMs);
  return compileQuery(
    {
      header,
      legs: [root],
      postFilter,
      vectorClauses,
      semantic,
      sort: [],
      searchAfter: [],
      fetch: NO_FETCH,
    },
    context.opcodes,
  );
}

function readHeader(
  body: JsonObject,
  page: Page,
  total: TotalHits,
  flags: number,
  nowMs: number,
  windows: readonly number[] = [],
): PlanHeader {
  const minScore = body['min_score'];
  const from = page.size === 0 ? 0 : page.from;
  return {
    flags,
    trackTotalHits: totalLimit(total),
    nowMs,
    timeoutUs: parseTimeout(body['timeout']),
    from,
    size: page.size,
    window: Math.max(from + page.size, ...(page.size === 0 ? [] : windows)),
    terminateAfter: parseTerminateAfter(body['terminate_after']),
    ...(minScore === undefined ? {} : { minScore: toFloat(minScore, '[min_score]') }),
  };
}

interface Order {
  readonly sort: readonly PlanSortKey[];
  readonly searchAfter: readonly Scalar[];
  readonly scores: boolean;
  readonly maxScore: boolean;
}

function readOrder(body: JsonObject, page: Page, pinned: PinnedSnapshots | undefined): Order {
  const { keys, searchAfter } = readKeys(body, page, pinned);
  const after = body['search_after'];
  const track = readFlag(body, 'track_scores');
  const [first] = keys;
  // A sort by score alone equals no sort: hits show no sort values.
  const byScore = keys.length === 1 && first?.field === '_score' && first.order === 'desc';
  if (keys.length === 0 || (byScore && after === undefined)) {
    return { sort: [], searchAfter: [], scores: true, maxScore: true };
  }
  const scores = track || keys.some((key) => key.field === '_score');
  return { sort: keys, searchAfter, scores, maxScore: track || byScore };
}
