// Candidates of a recall with the data that ranks them, and their ranking by graph and recency.
import type { Backend, JsonObject, SearchHit } from '../backend/index.js';
import { mapCooperatively } from '../base/cooperative-task.js';
import { shortestFloat } from '../base/shortest-floats.js';
import type { ContextScore } from '../fusion/context-score.js';
import { type GraphShare, overBest } from '../fusion/graph-blend.js';
import { withRecency } from '../fusion/recency.js';
import { type MemoryEntry, readEntry, SHOWN_FIELDS } from './memory-entry.js';

export interface Candidate {
  readonly id: string;
  /** Null: not read, because most of the pool is not shown. */
  readonly entry: MemoryEntry | null;
  readonly ownTime: number | null;
  /** Null in recent mode, until recency or the graph ranks. */
  readonly score: number | null;
  /**
   * Rank and score by the mode alone; the rank starts at 1 and is null for a candidate that only
   * the graph found.
   */
  readonly baseRank: number | null;
  readonly baseScore: number | null;
  readonly graph: GraphShare | null;
  /** Null: only the mode scored it. */
  readonly context: ContextScore | null;
  /** Present if a reranker ranked it. */
  readonly rerankScore?: number;
  /** The summands of the score, where recency or the graph takes part in it. */
  readonly parts: ScoreParts | null;
}

export interface ScoreParts {
  readonly relevance: number;
  readonly recency?: number;
}

export interface CandidateNeeds {
  readonly ranked: boolean;
  /** Requests an exact total. */
  readonly counted: boolean;
  /**
   * What each hit returns: its document, its own time, or only its id. A document costs five times
   * what an id does.
   */
  readonly brings: 'documents' | 'times' | 'ids';
}

export const BROUGHT: Readonly<Record<CandidateNeeds['brings'], JsonObject>> = {
  documents: { _source: { includes: SHOWN_FIELDS } },
  times: {
    _source: false,
    docvalue_fields: ['own_time', 'stored_at'].map((field) => ({ field, format: 'epoch_millis' })),
  },
  ids: { _source: false },
};

/** Runs the search and reads the hits, best first. */
export async function findCandidates(
  backend: Backend,
  index: string,
  body: JsonObject,
  { ranked, counted, brings }: CandidateNeeds,
): Promise<{ readonly candidates: readonly Candidate[]; readonly total: number }> {
  const { hits, total } = await backend.search({
    index,
    body: { ...body, track_total_hits: counted, ...BROUGHT[brings] },
  });
  const candidates = await mapCooperatively(hits, (hit, i) =>
    toCandidate(hit, ranked ? i + 1 : null),
  );
  return { candidates, total: total?.value ?? candidates.length };
}

export function toCandidate(
  { id, source, fields, score: given }: SearchHit,
  rank: number | null,
): Candidate {
  const entry = source === undefined ? null : readEntry(source);
  const score = given === null ? null : shortestFloat(given);
  const ownTime = entry === null ? timeIn(fields) : entry.own_time;
  return {
    id,
    entry,
    ownTime,
    score,
    baseRank: rank,
    baseScore: score,
    graph: null,
    context: null,
    parts: null,
  };
}

function timeIn(fields: string | undefined): number | null {
  if (fields === undefined) return null;
  const { own_time, stored_at } = JSON.parse(fields) as Readonly<Record<string, string[]>>;
  const [time] = own_time ?? stored_at ?? [];
  return time === undefined ? null : Number(time);
}

/** The candidates with their documents; those that were deleted meanwhile are left out. */
export async function withEntries(
  backend: Backend,
  index: string,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const unread = candidates.filter(({ entry }) => entry === null).map(({ id }) => id);
  if (unread.length === 0) return candidates;
  const body = { query: { ids: { values: unread } }, size: unread.length, sort: ['_doc'] };
  const wanted = { ranked: false, counted: false, brings: 'documents' } as const;
  const found = await findCandidates(backend, index, body, wanted);
  const entries = new Map(found.candidates.map(({ id, entry }) => [id, entry]));
  return candidates.flatMap((one) => {
    const entry = one.entry ?? entries.get(one.id);
    return entry === undefined ? [] : [{ ...one, entry }];
  });
}

/**
 * Adds the relevance (score divided by the best score) and the share of the graph; best first.
 * Where the mode gives no scores, the relevance is 1.
 */
export function blended(
  candidates: readonly Candidate[],
  shares: ReadonlyMap<string, GraphShare>,
): readonly Candidate[] {
  const relevance = overBest(candidates.map(relevanceOf));
  return byScore(
    candidates.map((one, i) => {
      const graph = shares.get(one.id) ?? null;
      const parts = { relevance: relevance[i] ?? 0 };
      return { ...one, graph, parts, score: parts.relevance + (graph?.share ?? 0) };
    }),
  );
}

/** In recent mode every hit has the same relevance. */
function relevanceOf({ score, baseRank }: Candidate): number {
  return score ?? (baseRank === null ? 0 : 1);
}

export function byRecency(candidates: readonly Candidate[], weight: number): readonly Candidate[] {
  const scores = withRecency(
    candidates.map((one) => one.score ?? 1),
    candidates.map(({ ownTime }) => ownTime ?? 0),
    weight,
  );
  return byScore(
    candidates.map((one, i) => {
      const { score = 0, relevance = 0, recency = 0 } = scores[i] ?? {};
      return { ...one, score, parts: { relevance, recency } };
    }),
  );
}

/** Equal scores stay in their previous order, because the sort is stable. */
function byScore(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...candidates].sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
}

/** The best candidate of each value; one without a value is kept. */
export function collapsed(candidates: readonly Candidate[], name: string): readonly Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ entry }) => {
    const value = valueAt(entry, name);
    if (value === undefined) return true;
    if (seen.has(value)) return false;
    seen.add(value);
    return true;
  });
}

function valueAt(entry: MemoryEntry | null, name: string): string | undefined {
  const metadata = entry?.metadata;
  let value: unknown = metadata?.[name];
  if (value === undefined) {
    value = metadata;
    for (const key of name.split('.')) value = (value as JsonObject | undefined)?.[key];
  }
  const scalar =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return scalar ? `${typeof value}:${value}` : undefined;
}

export interface PageOfMemories {
  readonly hits: readonly Candidate[];
  /** Number of candidates that are left out because of the limit. */
  readonly clipped: number;
}

/**
 * The first candidates whose texts have at most `maxChars` in total. If the first text alone is
 * longer, it is cut.
 */
export function withinChars(candidates: readonly Candidate[], maxChars: number): PageOfMemories {
  const hits: Candidate[] = [];
  let left = maxChars;
  for (const one of candidates) {
    const { entry } = one;
    const text = entry?.text ?? '';
    if (text.length > left) {
      if (entry !== null && hits.length === 0)
        hits.push({ ...one, entry: { ...entry, text: cut(text, left) } });
      break;
    }
    left -= text.length;
    hits.push(one);
  }
  return { hits, clipped: candidates.length - hits.length };
}

/** Does not cut a surrogate pair in half. */
function cut(text: string, chars: number): string {
  const last = text.charCodeAt(chars - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? chars - 1 : chars);
}
