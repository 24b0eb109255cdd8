// Recalls memories: one search for candidates by the mode, then what the graph and their age make of them, and an account of
// all that is not shown.
import type { Backend, JsonObject } from '../backend.js';
import type { Graph } from '../graph/graph.js';
import {
  byRecency,
  type Candidate,
  collapsed,
  findCandidates,
  withEntries,
  withinChars,
} from './candidates.js';
import { answerable, type Census, type Counts, isAllSeen } from './census.js';
import type { Expiry } from './expiry.js';
import { explainHits, explainIds, type HitExplanation, type IdExplanation } from './explain.js';
import { EVERYTHING, isNear, type Scope, searchOf } from './modes.js';
import { memoryIndex } from './names.js';
import { MAX_K, poolOf, type RecallRequest } from './recall-body.js';
import { blend, type GraphPart, restriction, type Walker } from './recall-graph.js';
import {
  countAnswerable,
  countRefused,
  countUnseen,
  type NotShown,
  type TallyContext,
  unseenByReason,
} from './tally.js';
import { type Unseen, unseenQueries } from './visible.js';
import { dimsOf, wrongDims } from './write-memory.js';

export interface RecallHit {
  readonly id: string;
  /** Empty for a memory that is a vector only. */
  readonly text: string;
  readonly metadata: JsonObject | null;
  readonly score: number | null;
  readonly stored_at: number | null;
  readonly explanation?: HitExplanation;
}

export interface RecallAnswer {
  readonly namespace: string;
  readonly hits: readonly RecallHit[];
  readonly not_shown: NotShown;
  readonly graph?: GraphPart;
  /** The graph was asked for, and there is none: the answer is as without it. */
  readonly no_edges_index?: true;
  /** Of the ids that `explain` names. */
  readonly explained?: readonly IdExplanation[];
}

export interface RecallDeps {
  readonly backend: Backend;
  readonly graph: Graph;
  readonly census: Census;
  readonly expiry: Expiry;
  readonly nowMs: () => number;
}

/** How much further a search goes that brought too many of one kind. */
const DEEPER = 4;

/** What one recall knows on its way. */
export interface Recall extends TallyContext, Walker {
  /** Everything that is seen at the moment. */
  readonly seen: Scope;
  /** What of that may be answered. */
  readonly scope: Scope;
  /** Undefined: not counted since the last write, and not needed before the candidates. */
  readonly counts: Counts | undefined;
  readonly census: Census;
  readonly reach: readonly string[] | undefined;
}

export async function recall(
  { backend, graph, census, expiry, nowMs }: RecallDeps,
  namespace: string,
  request: RecallRequest,
): Promise<RecallAnswer> {
  const index = memoryIndex(namespace);
  if (!backend.exists(index, {})) return nothing(backend, namespace, request);
  const moment = { now: nowMs(), asOf: request.asOf, knownAt: request.knownAt };
  const walker: Walker = { backend, graph, namespace, index, request, moment };
  const asked = request.graph;
  const walked = asked !== undefined && graph.hasEdges(namespace) ? asked : undefined;
  const restricted = walked?.mode === 'restrict' ? await restriction(walker, walked) : undefined;
  const recalled = await scoped(walker, census, restricted?.ids);
  const firstExpiry = recalled.counts?.firstExpiry ?? null;
  if (firstExpiry !== null) expiry.seen(namespace, firstExpiry);
  const [found, reasons] = await Promise.all([candidates(recalled), reasonsOf(recalled)]);
  const blended =
    walked?.mode === 'blend'
      ? await blend(walker, walked, found.candidates, recalled.scope)
      : undefined;
  const ranked = byAge(blended?.candidates ?? found.candidates, request);
  const page = await pageOf(recalled, ranked);
  const part = blended?.part ?? restricted?.part;
  const { hits } = page;
  const listed = hits.filter(isListed).length;
  const matched = Math.max(listed, await matchedOf(recalled, found));
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
    ...(asked !== undefined && walked === undefined ? { no_edges_index: true } : {}),
    ...(explained === undefined ? {} : { explained }),
  };
}

/** Of an unknown namespace; a filter is checked all the same. */
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
  census: Census,
  reach: readonly string[] | undefined,
): Promise<Recall> {
  const { backend, index, request, moment } = walker;
  // A filter makes a search for neighbours scan them all; words do not mind, and need not wait for a count.
  const near = isNear(request.mode);
  const counts = census.known(index) ?? (near ? await census.count(index) : undefined);
  if (counts === undefined) await backend.publish(index);
  const bare =
    counts !== undefined &&
    (isAllSeen(counts, moment) || (near && (await countUnseen(walker)) === 0));
  const seen: Scope = bare ? EVERYTHING : { filter: [], mustNot: unseenQueries(moment) };
  const filter = [
    ...(request.filter === undefined ? [] : [request.filter]),
    ...(reach === undefined ? [] : [{ ids: { values: reach } }]),
  ];
  return { ...walker, census, counts, seen, scope: { ...seen, filter }, reach };
}

interface Found {
  readonly candidates: readonly Candidate[];
  readonly total: number;
}

async function candidates(recalled: Recall): Promise<Found> {
  const { backend, index, request, scope } = recalled;
  const { k, collapse, mode } = request;
  const pool = poolOf(request);
  let { size } = pool;
  for (;;) {
    size = Math.min(size, MAX_K);
    const body = searchOf(mode, scope, size);
    const asked = { ranked: true, counted: !isNear(mode), brings: pool.brings };
    const found = await findCandidates(backend, index, body, asked).catch((error: unknown) => {
      throw named(recalled, error);
    });
    const all = found.candidates.length < size || size === MAX_K;
    if (collapse === undefined || all || collapsed(found.candidates, collapse).length >= k) {
      return found;
    }
    // Many of one session: deeper, until there are enough sessions.
    size *= DEEPER;
  }
}

/** A vector of another length is told in the words of the namespace. */
function named({ backend, index, namespace, request }: Recall, error: unknown): unknown {
  const given = 'vector' in request.mode ? request.mode.vector?.length : undefined;
  const dims = given === undefined ? undefined : dimsOf(backend, index);
  return dims === undefined || given === undefined || dims === given
    ? error
    : wrongDims(namespace, given, dims);
}

function byAge(
  ranked: readonly Candidate[],
  { recencyWeight }: RecallRequest,
): readonly Candidate[] {
  return recencyWeight > 0 ? byRecency(ranked, recencyWeight) : ranked;
}

interface Page {
  readonly hits: readonly Candidate[];
  /** All that collapsing leaves. */
  readonly kept: readonly Candidate[];
  readonly collapsed: number;
  readonly clipped: number;
}

async function pageOf(
  { backend, index, request }: Recall,
  ranked: readonly Candidate[],
): Promise<Page> {
  const { collapse, k, maxChars } = request;
  const kept = collapse === undefined ? ranked : collapsed(ranked, collapse);
  const first = await withEntries(backend, index, kept.slice(0, k));
  const { hits, clipped } =
    maxChars === undefined ? { hits: first, clipped: 0 } : withinChars(first, maxChars);
  return { hits, kept, collapsed: ranked.length - kept.length, clipped };
}

type Reasons = Omit<NotShown, 'k' | 'collapsed' | 'max_chars'>;

async function reasonsOf(recalled: Recall): Promise<Reasons> {
  const { request, seen, reach, moment } = recalled;
  const past = moment.asOf !== undefined || moment.knownAt !== undefined;
  const { filter } = request;
  const filtered = { ...seen, filter: filter === undefined ? [] : [filter] };
  const [hidden, refused, unreached] = await Promise.all([
    hiddenOf(recalled),
    filter === undefined ? 0 : countRefused(recalled, seen, filter),
    reach === undefined ? 0 : countRefused(recalled, filtered, { ids: { values: reach } }),
  ]);
  return {
    expired: hidden.expired,
    superseded: hidden.superseded,
    filter: refused,
    ...(past ? { not_yet: hidden.not_yet } : {}),
    ...(reach === undefined ? {} : { graph: unreached }),
  };
}

/** Mostly there are none, which the census knows. */
async function hiddenOf(recalled: Recall): Promise<Readonly<Record<Unseen, number>>> {
  const { seen, census, index, moment } = recalled;
  if (seen === EVERYTHING) return NONE_UNSEEN;
  const counts = recalled.counts ?? (await census.count(index));
  return isAllSeen(counts, moment) ? NONE_UNSEEN : unseenByReason(recalled);
}

const NONE_UNSEEN = { expired: 0, superseded: 0, not_yet: 0 };

/** How many could have been answered: a search by words counts them, one by nearness knows its k only. */
async function matchedOf(recalled: Recall, found: Found): Promise<number> {
  const { request, scope, counts } = recalled;
  const { mode } = request;
  if (!isNear(mode)) return found.total;
  const isWhole = scope.filter.length === 0 && scope.mustNot.length === 0;
  const known = isWhole && counts !== undefined ? answerable(mode, counts) : undefined;
  return known ?? countAnswerable(recalled, scope);
}

/** Found by the mode, not by the graph alone. */
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
  { id, entry, score }: Candidate,
  explanation: HitExplanation | undefined,
): RecallHit {
  return {
    id,
    text: entry?.text ?? '',
    metadata: entry?.metadata ?? null,
    score,
    stored_at: entry?.stored_at ?? null,
    ...(explanation === undefined ? {} : { explanation }),
  };
}
