// The pool of a recall that adds several scores of a memory: the first memories by words and by
// meaning, with their neighbours in the conversation, all of them scored exactly and put in order.
import type { JsonObject, SearchHit } from '../../backend/index.js';
import { mapCooperatively } from '../../base/cooperative-task.js';
import {
  type ContextScore,
  ContextScorer,
  type Findings,
  type Link,
} from '../../fusion/context-score.js';
import {
  BROUGHT,
  type Candidate,
  type CandidateNeeds,
  findCandidates,
  toCandidate,
} from '../candidates.js';
import { inScope, nearModeOf, scoringOf, searchOf } from '../modes.js';
import type { Recall } from '../recall.js';
import { MAX_K, type RecallMode } from '../recall-body.js';
import { worldOf } from '../recall-graph.js';
import { contentWords, matching, type QuestionWord } from './question.js';
import { plainWords } from './said.js';

export interface FusedPool {
  /** Best first. */
  readonly candidates: readonly Candidate[];
  /** Number of matches of the words; of hybrid mode not counted. */
  readonly total: number;
  /** The lists contain all that the mode finds. */
  readonly isComplete: boolean;
  /** Memories outside the pool by their ids, scored like the pool but without neighbours. */
  readonly score: (ids: readonly string[]) => Promise<readonly Candidate[]>;
}

type FusedMode = Extract<RecallMode, { kind: 'query' | 'hybrid' }>;

/** Memories of each list whose neighbours are looked for. */
const MAX_SEEDS = 200;
/** Links around them that are read, the strongest first. */
const MAX_LINKS = 2000;
/** Neighbours that are added to the pool. */
const MAX_BROUGHT = 1000;
/** Words of a question whose pairs and sessions count. */
const MAX_WORDS = 64;
/** Ids per search. */
const BATCH = 5000;
/** Words between the two of a phrase: function words stand there. */
const SLOP = 2;
/**
 * Names of the parts of the query that scores the pool; each phrase has a number behind its name.
 * Phrases of one clause would be looked for between the memories of the pool, too.
 */
const PARTS = { words: 'words', phrase: 'phrase', session: 'session' } as const;
const MAX_QUESTION_CHARS = 8000;

export async function fusedPool(
  recalled: Recall,
  depth: number,
  brings: CandidateNeeds['brings'],
): Promise<FusedPool> {
  const mode = recalled.request.mode as FusedMode;
  const size = Math.min(depth, MAX_K);
  const [words, near] = await Promise.all([wordList(recalled, size), nearList(recalled, size)]);
  const ranked = [...new Set([...words.ids, ...near.ids])];
  const links = await linksOf(recalled, [words.ids, near.ids]);
  const ids = [...ranked, ...broughtBy(links, new Set(ranked))];
  const reader = await poolReader(recalled, brings);
  const pool = await reader(ids, near.scores);
  const lists = { words: mode.kind === 'hybrid' ? 0.5 : 1, semantic: 0.5 };
  const findings = pool.map(({ findings: one }) => one);
  const scorer = new ContextScorer(findings, lists, recalled.request.context);
  const listed = listedRanks(mode, scorer, pool, new Set(ranked));
  const toRanked = (members: readonly PoolMember[], scores: readonly ContextScore[]) =>
    members.map((member, i) => rankedCandidate(mode, scorer, member, scores[i], listed));
  const candidates = toRanked(pool, scorer.scores(findings, links))
    .filter(({ id, score }) => (score ?? 0) > 0 || listed.has(id))
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
  return {
    candidates,
    total: words.total,
    isComplete: words.ids.length < size && near.ids.length < size,
    score: async (others) => {
      const members = await reader(others, new Map());
      const alone = members.map(({ findings: one }) => one);
      return toRanked(members, scorer.scores(alone, []));
    },
  };
}

/** Rank and score of hybrid mode without context, to the maximum depth of a search. */
export async function fusedRanks(
  recalled: Recall,
): Promise<ReadonlyMap<string, { readonly rank: number; readonly score: number | null }>> {
  const plain = { ...recalled, request: { ...recalled.request, context: undefined } };
  const { candidates } = await fusedPool(plain, MAX_K, 'ids');
  return new Map(candidates.map(({ id, score }, i) => [id, { rank: i + 1, score }]));
}

interface List {
  readonly ids: readonly string[];
  readonly scores: ReadonlyMap<string, number>;
  readonly total: number;
}

const NO_LIST: List = { ids: [], scores: new Map(), total: 0 };

async function wordList({ backend, index, request, scope }: Recall, size: number): Promise<List> {
  const { query, words, kind } = request.mode as FusedMode;
  const body = searchOf({ kind: 'query', query, words }, scope, size);
  return listOf(await findCandidates(backend, index, body, idsOnly(kind === 'query')));
}

async function nearList({ backend, index, request, scope }: Recall, size: number): Promise<List> {
  const mode = request.mode as FusedMode;
  if (mode.kind !== 'hybrid') return NO_LIST;
  const body = searchOf(nearModeOf(mode), scope, size);
  return listOf(await findCandidates(backend, index, body, idsOnly(false)));
}

function idsOnly(counted: boolean): CandidateNeeds {
  return { ranked: true, counted, brings: 'ids' };
}

function listOf({
  candidates,
  total,
}: {
  readonly candidates: readonly Candidate[];
  readonly total: number;
}): List {
  return {
    ids: candidates.map(({ id }) => id),
    scores: new Map(candidates.map(({ id, score }) => [id, score ?? 0])),
    total,
  };
}

async function linksOf(
  { graph, namespace, request, moment }: Recall,
  lists: readonly (readonly string[])[],
): Promise<readonly Link[]> {
  const { context } = request;
  if (context === undefined || context.neighbours === 0 || !graph.hasEdges(namespace)) return [];
  const seeds = [...new Set(lists.flatMap((ids) => ids.slice(0, MAX_SEEDS)))];
  if (seeds.length === 0) return [];
  const world = worldOf(undefined, request, moment);
  const instant = { world, system: request.knownAt ?? null };
  return graph.linksAround(namespace, { seeds, hops: 1, moment: instant }, MAX_LINKS);
}

function broughtBy(links: readonly Link[], ranked: ReadonlySet<string>): readonly string[] {
  const ends = new Set(links.flatMap(({ src, dst }) => [src, dst]));
  return [...ends].filter((id) => !ranked.has(id)).slice(0, MAX_BROUGHT);
}

interface PoolMember {
  readonly candidate: Candidate;
  readonly findings: Findings;
}

/** Reads what the searches find out about memories: those of the scope, in the order of storing. */
type PoolReader = (
  ids: readonly string[],
  /** Scores of nearest vectors that are there already. */
  near: ReadonlyMap<string, number>,
) => Promise<readonly PoolMember[]>;

async function poolReader(recalled: Recall, brings: CandidateNeeds['brings']): Promise<PoolReader> {
  const parts = await partsOf(recalled);
  const spoken = new Set(questionWords(recalled));
  return async (ids, near) => {
    const members: PoolMember[] = [];
    for (let at = 0; at < ids.length; at += BATCH) {
      const batch = ids.slice(at, at + BATCH);
      const unknown = batch.filter((id) => !near.has(id));
      const [hits, others] = await Promise.all([
        factsOf(recalled, parts, batch, brings),
        cosinesOf(recalled, unknown),
      ]);
      const read = (hit: SearchHit): PoolMember => {
        const score = near.get(hit.id) ?? others.get(hit.id);
        return toMember(recalled, hit, score, spoken);
      };
      members.push(...(await mapCooperatively(hits, read)));
    }
    return members;
  };
}

/** The scored parts of the query for the pool, each with its name. */
async function partsOf(recalled: Recall): Promise<readonly JsonObject[]> {
  const { request, index, scope, fields } = recalled;
  const mode = request.mode as FusedMode;
  const { phrase = 0, session = 0 } = request.context ?? {};
  const parts = [{ bool: { should: [mode.words], _name: PARTS.words } }];
  if (phrase === 0 && session === 0) return parts;
  const all = await contentWords(recalled.backend, index, mode.query);
  const words = (all ?? []).slice(0, MAX_WORDS);
  const pairs = phrase === 0 ? [] : pairsOf(words);
  const isGrouped = session > 0 && fields.session && words.length > 0;
  const isBare = scope.filter.length === 0 && scope.mustNot.length === 0;
  return [
    ...parts,
    ...pairs,
    ...(isGrouped
      ? [
          {
            group_score: {
              field: 'session',
              queries: distinctWords(words).map((word) => matching('text', word)),
              ...(isBare ? {} : { filter: inScope([], scope) }),
              _name: PARTS.session,
            },
          },
        ]
      : []),
  ];
}

function pairsOf(words: readonly QuestionWord[]): readonly JsonObject[] {
  return words.slice(1).map(({ text }, i) => {
    const query = `${words[i]?.text ?? ''} ${text}`;
    return { match_phrase: { text: { query, slop: SLOP, _name: `${PARTS.phrase}${i}` } } };
  });
}

function distinctWords(words: readonly QuestionWord[]): readonly string[] {
  return [...new Map(words.map(({ stem, text }) => [stem, text])).values()];
}

function questionWords({ request }: Recall): readonly string[] {
  const { query } = request.mode as FusedMode;
  return plainWords(query.slice(0, MAX_QUESTION_CHARS));
}

async function factsOf(
  { backend, index, scope, request, names }: Recall,
  parts: readonly JsonObject[],
  ids: readonly string[],
  brings: CandidateNeeds['brings'],
): Promise<readonly SearchHit[]> {
  const filter = [...scope.filter, { ids: { values: ids } }];
  const speakers =
    (request.context?.speaker ?? 0) === 0 ? [] : names.speaker.map((name) => `metadata.${name}`);
  const { docvalue_fields: times = [], ...shown } = BROUGHT[brings];
  const { hits } = await backend.search({
    index,
    body: {
      query: { bool: { filter, must_not: scope.mustNot, should: parts } },
      size: ids.length,
      // Scores of parts are read document by document, which is cheap in this order.
      sort: ['_doc'],
      track_total_hits: false,
      include_named_queries_score: true,
      ...shown,
      docvalue_fields: [...(times as readonly JsonObject[]), ...speakers],
    },
  });
  return hits;
}

/** Scores of nearest vectors, of those that have a vector. */
async function cosinesOf(
  { backend, index, scope, request }: Recall,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const mode = request.mode as FusedMode;
  if (mode.kind !== 'hybrid' || ids.length === 0) return new Map();
  const body = scoringOf(nearModeOf(mode), scope, ids);
  return listOf(await findCandidates(backend, index, body, idsOnly(false))).scores;
}

function toMember(
  { names }: Recall,
  hit: SearchHit,
  near: number | undefined,
  spoken: ReadonlySet<string>,
): PoolMember {
  const scores = JSON.parse(hit.matchedQueries ?? '{}') as Readonly<Record<string, number>>;
  const findings = {
    id: hit.id,
    words: scores[PARTS.words] ?? 0,
    // A score of nearest vectors is (1 + cosine) / 2.
    cosine: near === undefined || near === 0 ? 0 : 2 * near - 1,
    phrase: phraseScore(scores),
    session: scores[PARTS.session] ?? 0,
    isSpeaker: speakerWords(hit.fields, names.speaker).some((word) => spoken.has(word)),
  };
  return { candidate: toCandidate(hit, null), findings };
}

function phraseScore(scores: Readonly<Record<string, number>>): number {
  let sum = 0;
  for (const [name, score] of Object.entries(scores)) {
    if (name.startsWith(PARTS.phrase)) sum += score;
  }
  return sum;
}

/** Words of two letters or more of the first name that is there. */
function speakerWords(fields: string | undefined, names: readonly string[]): readonly string[] {
  if (fields === undefined) return [];
  const values = JSON.parse(fields) as Readonly<Record<string, readonly unknown[]>>;
  const name = names.find((one) => values[`metadata.${one}`] !== undefined);
  const [value] = values[`metadata.${name}`] ?? [];
  return plainWords(String(value ?? '')).filter((word) => word.length > 1);
}

/** The ranks by the mode alone of the memories of the lists, from 1. */
function listedRanks(
  mode: FusedMode,
  scorer: ContextScorer,
  pool: readonly PoolMember[],
  ranked: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const listed = pool
    .filter(({ findings }) => ranked.has(findings.id))
    .map(({ findings }) => ({ id: findings.id, score: baseScore(mode, scorer, findings) }))
    .sort((a, b) => b.score - a.score);
  return new Map(listed.map(({ id }, i) => [id, i + 1]));
}

function baseScore(mode: FusedMode, scorer: ContextScorer, findings: Findings): number {
  return mode.kind === 'query' ? findings.words : scorer.base(findings);
}

function rankedCandidate(
  mode: FusedMode,
  scorer: ContextScorer,
  { candidate, findings }: PoolMember,
  context: ContextScore | undefined,
  listed: ReadonlyMap<string, number>,
): Candidate {
  const score = context?.score ?? 0;
  return {
    ...candidate,
    score,
    baseRank: listed.get(candidate.id) ?? null,
    baseScore: baseScore(mode, scorer, findings),
    context: context ?? null,
  };
}
