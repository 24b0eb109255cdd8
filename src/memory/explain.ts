// Explains the ranks of memories and the absence of others: ranks, matched words and summands of
// the score. It costs some additional searches and is done on request only.
import type { JsonObject } from '../backend/index.js';
import type { ContextScore } from '../fusion/context-score.js';
import type { Candidate } from './candidates.js';
import { fusedRanks } from './context/fused-pool.js';
import { searchedQuestion } from './context/question.js';
import { LIFE_FIELDS, type MemoryEntry, readEntry } from './memory-entry.js';
import { inScope, searchOf } from './modes.js';
import type { Recall } from './recall.js';
import { isPooled, MAX_K, type RecallMode } from './recall-body.js';
import { type HiddenReason, whyUnseen } from './visible.js';

export interface HitExplanation {
  /** From 1. */
  readonly rank: number;
  readonly mode: RecallMode['kind'];
  /** Rank and score by the mode alone; null for a memory that only the graph found. */
  readonly base: { readonly rank: number | null; readonly score: number | null };
  /** Words of the query that the text contains, according to the namespace's analyzer. */
  readonly matched_terms: readonly string[];
  /** The summands of the score. */
  readonly parts: {
    readonly relevance: number | null;
    readonly graph?: number;
    readonly recency?: number;
    readonly neighbours?: number;
    readonly session?: number;
  };
  /**
   * Where the context counts: the shares of words, meaning and phrases, which are added, multiplied
   * by the factor of the speaker and divided by the best such product; the neighbours and the
   * session are added to that.
   */
  readonly context?: Omit<ContextScore, 'score' | 'own'>;
  /** The link with the largest contribution. */
  readonly graph?: {
    readonly seed: string;
    readonly hop: number;
    readonly strength: number;
    readonly share: number;
  };
  /** The memory's own time, epoch milliseconds. */
  readonly own_time: number | null;
}

/**
 * Why a memory is not returned. `pool`: it ranks after all candidates that graph and recency
 * considered.
 */
export type Reason =
  | 'returned'
  | 'unknown'
  | HiddenReason
  | 'filter'
  | 'graph'
  | 'no_match'
  | 'collapsed'
  | 'k'
  | 'max_chars'
  | 'pool';

export interface IdExplanation {
  readonly id: string;
  readonly returned: boolean;
  readonly reason: Reason;
  /** Rank in a response without limit, from 1. */
  readonly rank?: number;
  readonly score?: number | null;
  /** Rank and score by the mode alone. */
  readonly base?: { readonly rank: number | null; readonly score: number | null };
  /** Set for a superseded memory: the ids of its successors. */
  readonly superseded_by?: readonly string[];
}

/** Maximum number of words of a query that are checked. */
const MAX_TERMS = 64;

export async function explainHits(
  recalled: Recall,
  hits: readonly Candidate[],
  ranked: readonly Candidate[],
): Promise<readonly HitExplanation[]> {
  const { mode } = recalled.request;
  const terms = await matchedTerms(recalled, hits);
  const ranks = new Map(ranked.map(({ id }, i) => [id, i + 1]));
  return hits.map(({ id, ownTime, baseRank, baseScore, parts, score, graph, context }) => ({
    rank: ranks.get(id) ?? 0,
    mode: mode.kind,
    base: { rank: baseRank, score: baseScore },
    matched_terms: terms.get(id) ?? [],
    parts: {
      relevance: parts?.relevance ?? context?.own ?? score,
      ...(parts !== null || context === null ? {} : surroundings(context)),
      ...(graph === null || parts?.recency !== undefined ? {} : { graph: graph.share }),
      ...(parts?.recency === undefined ? {} : { recency: parts.recency }),
    },
    ...(context === null ? {} : { context: partsOf(context) }),
    ...(graph === null ? {} : { graph: { ...linkOf(graph), share: graph.share } }),
    own_time: ownTime,
  }));
}

function surroundings({ neighbours, session }: ContextScore) {
  return { neighbours: neighbours.reduce((sum, { share }) => sum + share, 0), session };
}

function partsOf({ score: _score, own: _own, ...parts }: ContextScore) {
  return parts;
}

function linkOf({ link }: NonNullable<Candidate['graph']>) {
  return { seed: link.seed, hop: link.hop, strength: link.strength };
}

/** Id -> matched words in the spelling of the query. */
async function matchedTerms(
  { backend, index, request, fields }: Recall,
  hits: readonly Candidate[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { mode } = request;
  if (!('query' in mode) || hits.length === 0) return new Map();
  const question = await searchedQuestion(backend, mode.query, fields);
  const words = await queryWords(backend, index, question);
  if (words.length === 0) return new Map();
  const should = words.map((word) => ({ match: { text: { query: word, _name: word } } }));
  const body = {
    query: { bool: { filter: [{ ids: { values: hits.map(({ id }) => id) } }], should } },
    size: hits.length,
    track_total_hits: false,
    _source: false,
  };
  const { hits: found } = await backend.search({ index, body });
  return new Map(
    found.map(({ id, matchedQueries }) => [id, JSON.parse(matchedQueries ?? '[]') as string[]]),
  );
}

/** One word for each distinct term that the analyzer makes of the query. */
async function queryWords(
  backend: Recall['backend'],
  index: string,
  query: string,
): Promise<readonly string[]> {
  const answer = await backend.analyze(index, { field: 'text', text: query });
  const { tokens } = JSON.parse(answer) as {
    readonly tokens: readonly { token: string; start_offset: number; end_offset: number }[];
  };
  const byTerm = new Map<string, string>();
  for (const { token, start_offset, end_offset } of tokens) {
    if (!byTerm.has(token)) byTerm.set(token, query.slice(start_offset, end_offset));
  }
  return [...new Set(byTerm.values())].slice(0, MAX_TERMS);
}

/** `kept`: the ranked candidates after collapsing. */
export async function explainIds(
  recalled: Recall,
  hits: readonly Candidate[],
  ranked: readonly Candidate[],
  kept: readonly Candidate[],
): Promise<readonly IdExplanation[]> {
  const ids = recalled.request.explainIds;
  const unranked = ids.filter((id) => !ranked.some((one) => one.id === id));
  const [entries, let_through, deep] = await Promise.all([
    entriesOf(recalled, unranked),
    passing(recalled, unranked),
    unranked.length === 0 ? new Map() : deepRanks(recalled),
  ]);
  const reach = recalled.reach === undefined ? undefined : new Set(recalled.reach);
  return Promise.all(
    ids.map(async (id): Promise<IdExplanation> => {
      const place = placeOf(recalled, id, hits, ranked, kept);
      if (place !== undefined) return place;
      const entry = entries.get(id);
      const unseen = entry === undefined ? undefined : whyUnseen(entry, recalled.moment);
      if (entry === undefined) return { id, returned: false, reason: 'unknown' };
      if (unseen === 'superseded') {
        const superseded_by = await successors(recalled, id);
        return { id, returned: false, reason: unseen, superseded_by };
      }
      if (unseen !== undefined) return { id, returned: false, reason: unseen };
      if (!let_through.has(id)) return { id, returned: false, reason: 'filter' };
      if (reach?.has(id) === false) return { id, returned: false, reason: 'graph' };
      const base = deep.get(id);
      if (base === undefined) return { id, returned: false, reason: 'no_match' };
      if (isPooled(recalled.request)) return { id, returned: false, reason: 'pool', base };
      return { id, returned: false, reason: 'k', ...base, base };
    }),
  );
}

/** The explanation of a ranked memory; undefined for any other. */
function placeOf(
  { request }: Recall,
  id: string,
  hits: readonly Candidate[],
  ranked: readonly Candidate[],
  kept: readonly Candidate[],
): IdExplanation | undefined {
  const one = ranked.find((other) => other.id === id);
  if (one === undefined) return undefined;
  const rank = kept.findIndex((other) => other.id === id) + 1;
  const returned = hits.some((other) => other.id === id);
  const within = rank <= request.k ? 'max_chars' : 'k';
  const reason = returned ? 'returned' : rank === 0 ? 'collapsed' : within;
  const base = { rank: one.baseRank, score: one.baseScore };
  return { id, returned, reason, ...(rank === 0 ? {} : { rank }), score: one.score, base };
}

async function entriesOf(
  { backend, index }: Recall,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MemoryEntry>> {
  if (ids.length === 0) return new Map();
  const body = {
    query: { ids: { values: ids } },
    size: ids.length,
    _source: { includes: LIFE_FIELDS },
  };
  const { hits } = await backend.search({ index, body });
  return new Map(hits.map(({ id, source }) => [id, readEntry(source)]));
}

/** The ids that match the filter of the request. */
async function passing(
  { backend, index, request }: Recall,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { filter } = request;
  if (filter === undefined || ids.length === 0) return new Set(ids);
  const query = inScope([], { filter: [filter, { ids: { values: ids } }], mustNot: [] });
  const { hits } = await backend.search({
    index,
    body: { query, size: ids.length, _source: false },
  });
  return new Set(hits.map(({ id }) => id));
}

type Rank = { readonly rank: number; readonly score: number | null };

/** Ranks of all memories that the mode finds, up to the maximum depth of a search. */
async function deepRanks(recalled: Recall): Promise<ReadonlyMap<string, Rank>> {
  const { backend, index, request, scope } = recalled;
  const { mode } = request;
  if (mode.kind === 'hybrid') return fusedRanks(recalled);
  const body: JsonObject = { ...searchOf(mode, scope, MAX_K), _source: false };
  const { hits } = await backend.search({ index, body });
  return new Map(hits.map(({ id, score }, i) => [id, { rank: i + 1, score }]));
}

async function successors(
  { graph, namespace, moment }: Recall,
  id: string,
): Promise<readonly string[]> {
  const { nodes } = await graph.reachable(namespace, {
    seeds: [id],
    hops: 1,
    types: ['supersedes'],
    direction: 'in',
    moment: { world: Number.MAX_SAFE_INTEGER, system: moment.knownAt ?? null },
  });
  return [...nodes.keys()];
}
