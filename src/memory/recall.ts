// Recalls memories: a search for candidates by the mode, then the ranking by graph and recency, and
// an account of everything that is not shown.
import type { Backend, JsonObject } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import type { Graph } from '../graph/graph.js';
import type { LinkWalks } from '../graph/link-walks.js';
import { isOfThePast, matchedOf, type Reasons, reasonsOf } from './account.js';
import {
  byRecency,
  type Candidate,
  type CandidateNeeds,
  collapsed,
  findCandidates,
  withEntries,
  withinChars,
} from './candidates.js';
import { type FusedPool, fusedPool } from './context/fused-pool.js';
import type { FieldFacts, MemoryFields } from './context/memory-fields.js';
import { searchedQuestion, wordsQuery } from './context/question.js';
import { type RerankReport, type RerankTexts, reranked } from './context/rerank.js';
import type { MetadataNames } from './context/said.js';
import { countUnseen, type ExclusionContext, type NotShown } from './exclusion-counts.js';
import type { Expiry } from './expiry.js';
import { explainHits, explainIds, type HitExplanation, type IdExplanation } from './explain.js';
import { withMoments } from './metadata-times.js';
import { EVERYTHING, isNear, type Scope, searchOf } from './modes.js';
import { memoryIndex } from './names.js';
import { type Counts, isAllSeen, type NamespaceStats } from './namespace-stats.js';
import { isFused, MAX_K, poolOf, type RecallRequest } from './recall-body.js';
import { blend, type GraphPart, restriction, type Walker } from './recall-graph.js';
import { presentMoment, unseenQueries } from './visible.js';
import { dimsOf, wrongDims } from './write-memory.js';

export interface RecallHit {
  readonly id: string;
  /** Empty for a memory that is a vector only. */
  readonly text: string;
  readonly metadata: JsonObject | null;
  readonly score: number | null;
  /** Present if a reranker put it in its place. */
  readonly rerank_score?: number;
  readonly stored_at: number | null;
  readonly explanation?: HitExplanation;
}

export interface RecallAnswer {
  readonly namespace: string;
  readonly hits: readonly RecallHit[];
  readonly not_shown: NotShown;
  readonly graph?: GraphPart;
  readonly rerank?: RerankReport;
  /** The graph was requested, and there is none: the response is the same as without it. */
  readonly no_edges_index?: true;
  /** Explanations of the ids that `explain` names. */
  readonly explained?: readonly IdExplanation[];
}

export interface RecallDeps {
  readonly backend: Backend;
  readonly graph: LinkWalks & Pick<Graph, 'now'>;
  readonly namespaceStats: NamespaceStats;
  readonly expiry: Pick<Expiry, 'seen'>;
  readonly fields: MemoryFields;
  readonly names: MetadataNames;
  /** Absent: there are no rerankers. */
  readonly rerank?: Rerankers;
  readonly nowMs: () => number;
}

/** Registered rerankers. */
export interface Rerankers {
  readonly rank: RerankTexts;
  /** Throws unless a reranker is registered under that name. */
  readonly check: (id: string) => void;
}

/** Factor by which a search grows when collapsing leaves too few hits. */
const DEEPER = 4;

/** The state of one recall. */
export interface Recall extends ExclusionContext, Walker {
  /** Everything that is visible at the moment. */
  readonly seen: Scope;
  /** The part of it that may be returned. */
  readonly scope: Scope;
  /**
   * Undefined: not counted since the last write, and not needed before the search for candidates.
   */
  readonly counts: Counts | undefined;
  readonly namespaceStats: NamespaceStats;
  readonly fields: FieldFacts;
  readonly names: MetadataNames;
  readonly reach: readonly string[] | undefined;
}

export async function recall(
  deps: RecallDeps,
  namespace: string,
  given: RecallRequest,
): Promise<RecallAnswer> {
  const { backend, graph, expiry, nowMs } = deps;
  const index = memoryIndex(namespace);
  if (given.rerank !== undefined) deps.rerank?.check(given.rerank.inferenceId);
  if (!backend.exists(index, {})) return nothing(backend, namespace, given);
  const request = await askingForWords(deps, index, comparingTimes(backend, index, given));
  const { asOf, knownAt } = request;
  const present = await presentMoment({ graph, nowMs }, namespace);
  const moment = { ...present, asOf, knownAt };
  const walker: Walker = { backend, graph, namespace, index, request, moment };
  const requested = request.graph;
  const walked = requested !== undefined && graph.hasEdges(namespace) ? requested : undefined;
  const restricted = walked?.mode === 'restrict' ? await restriction(walker, walked) : undefined;
  const recalled = await scoped(walker, deps, restricted?.ids);
  const firstExpiry = recalled.counts?.firstExpiry ?? null;
  if (firstExpiry !== null) expiry.seen(namespace, firstExpiry);
  const searches = Promise.all([candidates(recalled), reasonsOf(recalled)]);
  const [found, reasons] = await searches.catch((error: unknown) => {
    throw named(recalled, error);
  });
  const blended =
    walked?.mode === 'blend'
      ? await blend(walker, walked, found.candidates, recalled.scope, found.score)
      : undefined;
  const ranked = byAge(blended?.candidates ?? found.candidates, request);
  const page = await pageOf(recalled, ranked, deps.rerank);
  const part = blended?.part ?? restricted?.part;
  const { hits } = page;
  const listed = hits.filter(isListed).length;
  const matched = Math.max(listed, await matchedOf(recalled, found.total));
  const explanations = request.explain ? await explainHits(recalled, hits, ranked) : undefined;
  const explained =
    request.explainIds.length === 0
      ? undefined
      : await explainIds(recalled, hits, ranked, page.kept);
  return {
    namespace,
    hits: hits.map((one, i) => toHit(one, explanations?.[i])),
    not_shown: accountOf(request, reasons, page, matched - listed),
    ...(part === undefined ? {} : { graph: part }),
    ...(page.report === undefined ? {} : { rerank: page.report }),
    ...(requested !== undefined && walked === undefined ? { no_edges_index: true } : {}),
    ...(explained === undefined ? {} : { explained }),
  };
}

function comparingTimes(backend: Backend, index: string, request: RecallRequest): RecallRequest {
  const { filter } = request;
  const [description] = filter === undefined ? [] : backend.resolve(index, {});
  if (filter === undefined || description === undefined) return request;
  return { ...request, filter: withMoments(filter, description.mappings) };
}

/** The request with the query for its words that suits the fields of the namespace. */
async function askingForWords(
  { backend, fields }: RecallDeps,
  index: string,
  request: RecallRequest,
): Promise<RecallRequest> {
  const { mode } = request;
  if (!('words' in mode)) return request;
  const facts = fields.of(index);
  const question = await searchedQuestion(backend, mode.query, facts);
  return { ...request, mode: { ...mode, words: wordsQuery(question, facts) } };
}

/** The response for an unknown namespace; the filter is checked nevertheless. */
async function nothing(
  backend: Backend,
  namespace: string,
  { filter, graph, explainIds: ids }: RecallRequest,
): Promise<RecallAnswer> {
  if (filter !== undefined) {
    const body = { query: filter, size: 0 };
    await backend.search({ index: memoryIndex(namespace), body, ignoreUnavailable: true });
  }
  return {
    namespace,
    hits: [],
    not_shown: { k: 0, expired: 0, superseded: 0, filter: 0 },
    ...(graph === undefined ? {} : { no_edges_index: true }),
    ...(ids.length === 0
      ? {}
      : { explained: ids.map((id) => ({ id, returned: false, reason: 'unknown' as const })) }),
  };
}

async function scoped(
  walker: Walker,
  { namespaceStats, fields, names }: RecallDeps,
  reach: readonly string[] | undefined,
): Promise<Recall> {
  const { backend, index, request, moment } = walker;
  // A filter forces a search for nearest vectors to scan all of them, so that it pays to count
  // first. A search by words is not slowed down and does not wait for a count.
  const near = isNear(request.mode);
  const counts =
    namespaceStats.known(index, moment) ??
    (near ? await namespaceStats.count(index, moment) : undefined);
  if (counts === undefined) await backend.publish(index);
  const bare = isOfThePast(moment)
    ? near && (await countUnseen(walker)) === 0
    : counts !== undefined && isAllSeen(counts);
  const seen: Scope = bare ? EVERYTHING : { filter: [], mustNot: unseenQueries(moment) };
  const filter = [
    ...(request.filter === undefined ? [] : [request.filter]),
    ...(reach === undefined ? [] : [{ ids: { values: reach } }]),
  ];
  const scope = { ...seen, filter };
  return { ...walker, namespaceStats, fields: fields.of(index), names, counts, seen, scope, reach };
}

interface CandidateSet {
  readonly candidates: readonly Candidate[];
  readonly total: number;
  readonly score?: FusedPool['score'];
}

async function candidates(recalled: Recall): Promise<CandidateSet> {
  const { request } = recalled;
  const { k, collapse } = request;
  const pool = poolOf(request);
  let { size } = pool;
  for (;;) {
    size = Math.min(size, MAX_K);
    const found = await listOf(recalled, size, pool.brings);
    const all = found.isComplete || size === MAX_K;
    if (collapse === undefined || all || collapsed(found.candidates, collapse).length >= k) {
      return found;
    }
    // Many hits share a value: search deeper until there are enough values.
    size *= DEEPER;
  }
}

async function listOf(
  recalled: Recall,
  size: number,
  brings: CandidateNeeds['brings'],
): Promise<CandidateSet & { readonly isComplete: boolean }> {
  const { backend, index, request, scope } = recalled;
  const { mode } = request;
  if (isFused(request) || mode.kind === 'hybrid') return fusedPool(recalled, size, brings);
  const body = searchOf(mode, scope, size);
  const requested = { ranked: true, counted: !isNear(mode), brings };
  const found = await findCandidates(backend, index, body, requested);
  return { ...found, isComplete: found.candidates.length < size };
}

/** The error in terms of the recall: a vector of the wrong length, or a query of too many words. */
function named({ backend, index, namespace, request }: Recall, error: unknown): unknown {
  const { mode, filter } = request;
  const given = 'vector' in mode ? mode.vector?.length : undefined;
  const dims = given === undefined ? undefined : dimsOf(backend, index);
  if (dims !== undefined && given !== undefined && dims !== given)
    return wrongDims(namespace, given, dims);
  const [cause] = error instanceof QuarryError ? (error.rootCauses ?? []) : [];
  if (cause?.type !== 'too_many_nested_clauses') return error;
  const words = mode.kind === 'query' || mode.kind === 'hybrid';
  const what = words ? `[query]${filter === undefined ? '' : ' or [filter]'}` : '[filter]';
  const remedy = words
    ? 'shorten it, or ask by [semantic], which takes any length'
    : 'ask for less';
  return new QuarryError(
    'too_many_nested_clauses',
    `${what} has more words or clauses than one search looks for ([indices.query.bool.max_clause_count]); ${remedy}`,
  );
}

function byAge(
  ranked: readonly Candidate[],
  { recencyWeight }: RecallRequest,
): readonly Candidate[] {
  return recencyWeight > 0 ? byRecency(ranked, recencyWeight) : ranked;
}

interface Page {
  readonly hits: readonly Candidate[];
  /** All candidates after collapsing. */
  readonly kept: readonly Candidate[];
  readonly collapsed: number;
  readonly clipped: number;
  readonly report?: RerankReport;
}

async function pageOf(
  { backend, index, request }: Recall,
  ranked: readonly Candidate[],
  rerankers: Rerankers | undefined,
): Promise<Page> {
  const { collapse, k, maxChars, rerank } = request;
  const distinct = collapse === undefined ? ranked : collapsed(ranked, collapse);
  const top = rerank === undefined || rerankers === undefined ? undefined : rerank;
  const read = await withEntries(backend, index, distinct.slice(0, Math.max(k, top?.top ?? 0)));
  const ordered =
    top === undefined || rerankers === undefined
      ? undefined
      : await reranked(read.slice(0, top.top), top, rerankers.rank);
  const best = ordered === undefined ? read : [...ordered.candidates, ...read.slice(top?.top)];
  const kept = ordered === undefined ? distinct : [...best, ...distinct.slice(best.length)];
  const first = best.slice(0, k);
  const { hits, clipped } =
    maxChars === undefined ? { hits: first, clipped: 0 } : withinChars(first, maxChars);
  return {
    hits,
    kept,
    collapsed: ranked.length - distinct.length,
    clipped,
    ...(ordered === undefined ? {} : { report: ordered.report }),
  };
}

/** True if the mode found it, not only the graph. */
function isListed({ baseRank, baseScore }: Candidate): boolean {
  return baseRank !== null || (baseScore ?? 0) > 0;
}

/** `others`: memories that matched and are not among the hits. */
function accountOf(
  { collapse, maxChars }: RecallRequest,
  reasons: Reasons,
  { collapsed: behind, clipped }: Page,
  others: number,
): NotShown {
  return {
    k: Math.max(0, others - behind - clipped),
    ...reasons,
    ...(collapse === undefined ? {} : { collapsed: behind }),
    ...(maxChars === undefined ? {} : { max_chars: clipped }),
  };
}

function toHit(
  { id, entry, score, rerankScore }: Candidate,
  explanation: HitExplanation | undefined,
): RecallHit {
  return {
    id,
    text: entry?.text ?? '',
    metadata: entry?.metadata ?? null,
    score,
    ...(rerankScore === undefined ? {} : { rerank_score: rerankScore }),
    stored_at: entry?.stored_at ?? null,
    ...(explanation === undefined ? {} : { explanation }),
  };
}
