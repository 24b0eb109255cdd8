// The pool of a recall that adds several scores of a memory: the first memories by words and by
// meaning, with their neighbours in the conversation, all of them scored exactly and put in order.
import type { ColumnAt, ColumnValue, Json, JsonObject } from '../../backend/index.js';
import { mapCooperatively } from '../../base/cooperative-task.js';
import {
  type ContextScore,
  ContextScorer,
  type Findings,
  type Link,
} from '../../fusion/context-score.js';
import { type Candidate, type CandidateNeeds, withEntries } from '../candidates.js';
import { inScope, nearModeOf, nearQueryOf, type Scope } from '../modes.js';
import {
  bareCandidate,
  firstAt,
  type RankedList,
  rankedList,
  scoreAt,
  TIMES,
  textAt,
} from '../ranked-list.js';
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
/** Ids in the order of storing, in which scores are read fastest. */
const IN_ORDER: readonly Json[] = ['_doc', '_id'];
const MAX_QUESTION_CHARS = 8000;

export async function fusedPool(
  recalled: Recall,
  depth: number,
  brings: CandidateNeeds['brings'],
): Promise<FusedPool> {
  const mode = recalled.request.mode as FusedMode;
  const size = Math.min(depth, MAX_K);
  // Vectors take longest, and may need another thread: what this one does meanwhile costs no time.
  const [near, words, reader] = await Promise.all([
    nearList(recalled, size),
    wordList(recalled, size),
    poolReader(recalled, brings),
  ]);
  const lists = [words, near].map(({ hits }) => hits.map(({ id }) => id));
  const ranked = [...new Set(lists.flat())];
  const links = await linksOf(recalled, lists);
  const ids = [...ranked, ...broughtBy(links, new Set(ranked))];
  const known = new Map(near.hits.map(({ id, score }) => [id, score]));
  const pool = await reader(ids, known);
  const shares = { words: mode.kind === 'hybrid' ? 0.5 : 1, semantic: 0.5 };
  const findings = pool.map(({ findings: one }) => one);
  const scorer = new ContextScorer(findings, shares, recalled.request.context);
  const listed = listedRanks(mode, scorer, pool, new Set(ranked));
  const toRanked = (members: readonly PoolMember[], scores: readonly ContextScore[]) =>
    members.map((member, i) => rankedCandidate(mode, scorer, member, scores[i], listed));
  const candidates = toRanked(pool, scorer.scores(findings, links))
    .filter(({ id, score }) => (score ?? 0) > 0 || listed.has(id))
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
  return {
    candidates,
    total: words.total,
    isComplete: lists.every((list) => list.length < size),
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

const NO_LIST: RankedList = { hits: [], total: 0 };

async function wordList(recalled: Recall, size: number): Promise<RankedList> {
  const { words, kind } = recalled.request.mode as FusedMode;
  const query = inScope([words], recalled.scope);
  return rankedList(recalled, query, { size, counted: kind === 'query' });
}

async function nearList(recalled: Recall, size: number): Promise<RankedList> {
  const mode = recalled.request.mode as FusedMode;
  if (mode.kind !== 'hybrid') return NO_LIST;
  const query = nearQueryOf(nearModeOf(mode), recalled.scope, size);
  return rankedList(recalled, query, { size, counted: false });
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
  const isSpeaker = speakerTest(recalled);
  return async (ids, near) => {
    const members: PoolMember[] = [];
    for (let at = 0; at < ids.length; at += BATCH) {
      const batch = ids.slice(at, at + BATCH);
      members.push(...(await membersOf(recalled, parts, batch, near, brings, isSpeaker)));
    }
    return brings === 'documents' ? withDocuments(recalled, members) : members;
  };
}

async function withDocuments(
  { backend, index }: Recall,
  members: readonly PoolMember[],
): Promise<readonly PoolMember[]> {
  const read = await withEntries(
    backend,
    index,
    members.map(({ candidate }) => candidate),
  );
  const entries = new Map(read.map((candidate) => [candidate.id, candidate]));
  return members.flatMap(({ findings }) => {
    const candidate = entries.get(findings.id);
    return candidate === undefined ? [] : [{ candidate, findings }];
  });
}

/** The queries that score the pool. Phrases of one clause would span the memories of the pool. */
interface Parts {
  readonly words: JsonObject;
  readonly phrases: readonly JsonObject[];
  readonly session: JsonObject | undefined;
}

async function partsOf(recalled: Recall): Promise<Parts> {
  const { request, scope, fields } = recalled;
  const mode = request.mode as FusedMode;
  const { phrase = 0, session = 0 } = request.context ?? {};
  if (phrase === 0 && session === 0) {
    return { words: mode.words, phrases: [], session: undefined };
  }
  const all = await contentWords(recalled.backend, mode.query);
  const words = (all ?? []).slice(0, MAX_WORDS);
  const isGrouped = session > 0 && fields.session && words.length > 0;
  const isBare = scope.filter.length === 0 && scope.mustNot.length === 0;
  const grouped = {
    field: 'session',
    queries: distinctWords(words).map((word) => matching('text', word)),
    ...(isBare ? {} : { filter: inScope([], scope) }),
  };
  return {
    words: mode.words,
    phrases: phrase === 0 ? [] : pairsOf(words),
    session: isGrouped ? { group_score: grouped } : undefined,
  };
}

function pairsOf(words: readonly QuestionWord[]): readonly JsonObject[] {
  return words.slice(1).map(({ text }, i) => {
    const query = `${words[i]?.text ?? ''} ${text}`;
    return { match_phrase: { text: { query, slop: SLOP } } };
  });
}

function distinctWords(words: readonly QuestionWord[]): readonly string[] {
  return [...new Map(words.map(({ stem, text }) => [stem, text])).values()];
}

type SpeakerTest = (name: ColumnValue) => boolean;

/** Whether the question has a word of the name, of two letters or more. */
function speakerTest({ request }: Recall): SpeakerTest {
  const { query } = request.mode as FusedMode;
  const spoken = new Set(plainWords(query.slice(0, MAX_QUESTION_CHARS)));
  const known = new Map<ColumnValue, boolean>([[null, false]]);
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const isSpeaker = plainWords(String(name)).some((word) => word.length > 1 && spoken.has(word));
    known.set(name, isSpeaker);
    return isSpeaker;
  };
}

function inPool(scope: Scope, ids: readonly string[]): Scope {
  return { ...scope, filter: [...scope.filter, { ids: { values: ids } }] };
}

/**
 * One search: its columns are what ranks, without a document. `known`: scores of nearest vectors.
 */
async function membersOf(
  { backend, index, scope, request, names }: Recall,
  { words, phrases, session }: Parts,
  ids: readonly string[],
  known: ReadonlyMap<string, number>,
  brings: CandidateNeeds['brings'],
  isSpeaker: SpeakerTest,
): Promise<readonly PoolMember[]> {
  const mode = request.mode as FusedMode;
  const pool = inPool(scope, ids);
  const others = ids.filter((id) => !known.has(id));
  const near =
    mode.kind === 'hybrid' && others.length > 0
      ? [nearQueryOf(nearModeOf(mode), inPool(scope, others), others.length)]
      : [];
  const times = brings === 'ids' ? [] : TIMES;
  const speakers = (request.context?.speaker ?? 0) === 0 ? [] : names.speaker.map(speakerColumn);
  const found = await backend.columns({
    index,
    query: inScope([], pool),
    columns: [...IN_ORDER, ...times, ...speakers],
    scores: [words, ...phrases, ...near, ...(session === undefined ? [] : [session])],
    size: ids.length,
    counted: false,
  });
  const [, id, ...rest] = found.columns;
  const take = (count: number): readonly ColumnAt[] => rest.splice(0, count);
  const columns = {
    id,
    times: take(times.length),
    speakers: take(speakers.length),
    words: take(1),
    phrases: take(phrases.length),
    near: take(near.length),
    session: take(1),
  };
  return mapCooperatively([...Array(found.hits).keys()], (hit) =>
    toMember(columns, hit, known, isSpeaker),
  );
}

/** The columns of the pool; none for what does not count. */
interface PoolColumns {
  readonly id: ColumnAt | undefined;
  readonly times: readonly ColumnAt[];
  readonly speakers: readonly ColumnAt[];
  readonly words: readonly ColumnAt[];
  readonly phrases: readonly ColumnAt[];
  readonly near: readonly ColumnAt[];
  readonly session: readonly ColumnAt[];
}

/** `name`: a member of the metadata, of any type or of none. */
function speakerColumn(name: string): Json {
  return { [`metadata.${name}`]: { unmapped_type: 'keyword' } };
}

function toMember(
  columns: PoolColumns,
  hit: number,
  known: ReadonlyMap<string, number>,
  isSpeaker: SpeakerTest,
): PoolMember {
  const id = textAt(columns.id, hit);
  const near = known.get(id) ?? scoreAt(columns.near, hit);
  const findings = {
    id,
    words: scoreAt(columns.words, hit),
    // A score of nearest vectors is (1 + cosine) / 2.
    cosine: near === 0 ? 0 : 2 * near - 1,
    phrase: scoreAt(columns.phrases, hit),
    session: scoreAt(columns.session, hit),
    isSpeaker: isSpeaker(firstAt(columns.speakers, hit)),
  };
  return { candidate: bareCandidate(id, firstAt(columns.times, hit)), findings };
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
