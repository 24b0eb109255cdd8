// Finds out whether a memory exists already: the nearest vectors by cosine are candidates. If the
// request has a vector, it alone is compared. Where the service embeds the texts, a difference in
// their words limits the similarity, so that a negation, number or name is not lost by
// deduplication.
import type { Backend, JsonObject } from '../backend/index.js';
import { type CooperativeTask, runCooperatively } from '../base/cooperative-task.js';
import { plainJson } from '../base/json-text.js';
import { LIFE_FIELDS, type MemoryEntry, readEntry } from './memory-entry.js';
import { TEXT_VECTOR } from './memory-index.js';
import { type RecallMoment, unseenQueries, whyUnseen } from './visible.js';
import { type Difference, differenceOf, foldedText } from './wording.js';

/** Maximum similarity of texts that differ in a word. */
const DISAGREEING = 0.9;
/** Number of candidates, the nearest first. */
const CANDIDATES = 10;
/** Scores are float32: beyond the sixth digit a cosine is noise. */
const ROUND = 1e6;
/**
 * Characters of a text up to which its vector is compared; longer texts are duplicates by their
 * words only.
 */
const MAX_COMPARED = 200_000;
/** Words of a difference that are shown. */
const MAX_WORDS = 20;

export interface Draft {
  readonly id: string | undefined;
  readonly text: string | undefined;
  readonly vector: readonly number[] | undefined;
  readonly metadata: JsonObject | undefined;
  readonly supersedes: readonly string[];
  /** Hash of the text, by fingerprintOf. */
  readonly fingerprint: string | undefined;
}

export interface DuplicateSearch {
  readonly backend: Backend;
  readonly index: string;
  readonly moment: RecallMoment;
  /**
   * Computes the vector of a text with the embedder of the namespace. Undefined: a remote model
   * does it, and a semantic query on the index is used instead.
   */
  readonly embed: ((text: string) => Float32Array) | undefined;
  /** Where no memory is as near as this, none is alike, and no words are compared. */
  readonly leastCosine: number;
}

export interface Likeness {
  readonly id: string;
  /** Cosine, at most 0.9 where the texts differ. */
  readonly similarity: number;
  readonly cosine: number;
  /** The words that differ between the two texts. */
  readonly difference: Difference | undefined;
}

/**
 * A hash that is equal for texts that differ only in case, punctuation, white space and articles;
 * undefined for a text without words.
 */
export function* fingerprintOf(
  hash: (bytes: Uint8Array) => Uint8Array,
  text: string,
): CooperativeTask<string | undefined> {
  const words = yield* foldedText(text);
  return words === '' ? undefined : Buffer.from(hash(Buffer.from(words))).toString('hex');
}

/**
 * The most similar of the memories that are visible at the moment; undefined: none is near enough.
 */
export async function mostAlike(
  search: DuplicateSearch,
  draft: Draft,
): Promise<Likeness | undefined> {
  let best: Likeness | undefined;
  for (const candidate of await candidates(search, draft)) {
    const { id, entry, cosine } = candidate;
    // Storing under an existing id updates that memory, unless the content is the same.
    if (id === draft.id && !isSame(draft, entry)) continue;
    const difference = await runCooperatively(differenceBetween(draft, candidate));
    const similarity = difference === undefined ? cosine : Math.min(cosine, DISAGREEING);
    if (best === undefined || isNearer(similarity, cosine, best)) {
      best = { id, similarity, cosine, difference };
    }
  }
  return best;
}

function isNearer(similarity: number, cosine: number, best: Likeness): boolean {
  return similarity > best.similarity || (similarity === best.similarity && cosine > best.cosine);
}

interface Candidate {
  readonly id: string;
  readonly entry: MemoryEntry;
  readonly cosine: number;
  /** The words need not be compared: they are equal, or the request has a vector. */
  readonly settled: boolean;
}

/**
 * Memories with equal words first, then the nearest. A filter makes the search slow, so it is added
 * only if a candidate of the first search does not count.
 */
async function candidates(search: DuplicateSearch, draft: Draft): Promise<readonly Candidate[]> {
  const { moment } = search;
  const { supersedes } = draft;
  const found = await look(search, draft, []);
  // What is not among the nearest is no nearer than these, visible or not.
  if (!isAnyNear(found, search)) return [];
  const counts = ({ id, entry }: Candidate): boolean =>
    whyUnseen(entry, moment) === undefined && !supersedes.includes(id);
  if (found.every(counts)) return found;
  // Excludes memories that are not visible and those that the draft supersedes.
  const taken = supersedes.length === 0 ? [] : [{ ids: { values: supersedes } }];
  const visible = await look(search, draft, [...unseenQueries(moment), ...taken]);
  return isAnyNear(visible, search) ? visible : [];
}

function isAnyNear(found: readonly Candidate[], { leastCosine }: DuplicateSearch): boolean {
  return found.some(({ cosine }) => cosine >= leastCosine);
}

async function look(
  search: DuplicateSearch,
  { text = '', vector, fingerprint }: Draft,
  scope: readonly JsonObject[],
): Promise<readonly Candidate[]> {
  const { backend, index } = search;
  const read = async (
    body: JsonObject,
    settled: boolean,
    cosine?: number,
  ): Promise<readonly Candidate[]> => {
    const _source = { includes: LIFE_FIELDS };
    const { hits } = await backend.search({
      index,
      body: { ...body, size: CANDIDATES, track_total_hits: false, _source },
    });
    return hits.map(({ id, score, source }) => {
      return { id, entry: readEntry(source), cosine: cosine ?? cosineOf(score ?? 0), settled };
    });
  };
  if (vector !== undefined) return read({ knn: knnOf('vector', vector, scope) }, true);
  // Needed for texts without content words, which have no vector: "to be or not to be".
  const same = { filter: [{ term: { fingerprint: fingerprint ?? '' } }], must_not: scope };
  const [equal, near] = await Promise.all([
    fingerprint === undefined ? [] : read({ query: { bool: same } }, true, 1),
    text.length > MAX_COMPARED ? [] : nearest(search, text, scope, (body) => read(body, false)),
  ]);
  return [...equal, ...near];
}

async function nearest(
  { embed }: DuplicateSearch,
  text: string,
  scope: readonly JsonObject[],
  read: (body: JsonObject) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  if (embed === undefined) {
    const semantic = { field: 'text', query: text, k: CANDIDATES, ...asFilter(scope) };
    return read({ query: { semantic } });
  }
  const vector = embed(text);
  if (!vector.some((value) => value !== 0)) return [];
  return read({ knn: knnOf(TEXT_VECTOR, [...vector], scope) });
}

function knnOf(
  field: string,
  vector: readonly number[],
  mustNot: readonly JsonObject[],
): JsonObject {
  return { field, query_vector: vector, k: CANDIDATES, ...asFilter(mustNot) };
}

function asFilter(mustNot: readonly JsonObject[]): JsonObject {
  return mustNot.length === 0 ? {} : { filter: { bool: { must_not: mustNot } } };
}

/** The score of a cosine similarity is (1 + cosine) / 2. */
export function cosineOf(score: number): number {
  return Math.round(Math.min(1, 2 * score - 1) * ROUND) / ROUND;
}

function isSame({ text, metadata }: Draft, entry: MemoryEntry): boolean {
  return (
    (text ?? null) === entry.text && plainJson(metadata ?? {}) === plainJson(entry.metadata ?? {})
  );
}

/** Undefined: the texts have no relevant difference. */
function* differenceBetween(
  { text }: Draft,
  { entry, settled }: Candidate,
): CooperativeTask<Difference | undefined> {
  if (settled || text === undefined || entry.text === null) return undefined;
  // A stored text of more than twice the limit certainly differs; its beginning gives the words to
  // show.
  const isLonger = entry.text.length > 2 * MAX_COMPARED;
  const theirs = isLonger ? entry.text.slice(0, 2 * MAX_COMPARED) : entry.text;
  const difference = yield* differenceOf(text, theirs);
  if (difference === undefined) return isLonger ? { ours: [], theirs: [] } : undefined;
  return {
    ours: difference.ours.slice(0, MAX_WORDS),
    theirs: difference.theirs.slice(0, MAX_WORDS),
  };
}
