// Is a memory there already? The nearest by cosine are candidates; where both have words, the words decide whether the
// likeness may count in full, so that no negation, number or name is swallowed.
import type { Backend, JsonObject } from '../backend.js';
import { type MemoryEntry, readEntry, toText } from './memory-entry.js';
import { type RecallMoment, unseenQueries } from './visible.js';
import { type Difference, differenceOf, wordsOf } from './wording.js';

/** What texts that disagree in a word are alike at most. */
const DISAGREEING = 0.9;
/** Looked at, the nearest first. */
const CANDIDATES = 20;
/** Beyond float32 noise: equal vectors are alike 1, not 0.9999999. */
const ROUND = 1e9;
/** Words of a difference that are shown. */
const MAX_WORDS = 20;

export interface Draft {
  readonly id: string | undefined;
  readonly text: string | undefined;
  readonly vector: readonly number[] | undefined;
  readonly metadata: JsonObject | undefined;
  readonly supersedes: readonly string[];
}

export interface DuplicateSearch {
  readonly backend: Backend;
  readonly index: string;
  readonly moment: RecallMoment;
  /** Texts to vectors, one after the other; zeros for a text without content words. */
  readonly embed: (texts: readonly string[]) => readonly Float32Array[];
  readonly fingerprint: (text: string) => string | undefined;
}

export interface Likeness {
  readonly id: string;
  /** Cosine, at most 0.9 where the texts disagree. */
  readonly similarity: number;
  readonly cosine: number;
  /** What keeps the two apart. */
  readonly difference: Difference | undefined;
}

/** What two texts have in common that are the same but for case, punctuation, spaces and articles; nothing for no words. */
export function fingerprintOf(
  hash: (bytes: Uint8Array) => Uint8Array,
  text: string,
): string | undefined {
  const words = wordsOf(text);
  if (words.length === 0) return undefined;
  return Buffer.from(hash(Buffer.from(words.join(' ')))).toString('hex');
}

/** The most alike of the memories that are seen now; undefined: none is near. */
export async function mostAlike(
  search: DuplicateSearch,
  draft: Draft,
): Promise<Likeness | undefined> {
  const found = await candidates(search, draft);
  const cosines = cosinesOf(search, draft, found);
  let best: Likeness | undefined;
  for (const [i, { id, entry }] of found.entries()) {
    // Storing under an id changes what is there, unless all of it is the same.
    if (id === draft.id && !isSame(draft, entry)) continue;
    const cosine = cosines[i] ?? 0;
    const difference = differenceBetween(draft, entry);
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
}

async function candidates(
  { backend, index, moment, fingerprint }: DuplicateSearch,
  { text, vector, supersedes }: Draft,
): Promise<readonly Candidate[]> {
  const mustNot = [
    ...unseenQueries(moment),
    ...(supersedes.length === 0 ? [] : [{ ids: { values: supersedes } }]),
  ];
  const body = (query: JsonObject): JsonObject => ({
    ...query,
    size: CANDIDATES,
    track_total_hits: false,
    _source: { includes: ['text', 'metadata', 'unindexed', 'vector'] },
  });
  const request =
    vector === undefined
      ? body({ query: { bool: { should: sameWords(text ?? '', fingerprint), must_not: mustNot } } })
      : body({
          knn: {
            field: 'vector',
            query_vector: vector,
            k: CANDIDATES,
            filter: { bool: { must_not: mustNot } },
          },
        });
  const { hits } = await backend.search({ index, body: request });
  return hits.map(({ id, source }) => ({ id, entry: readEntry(source) }));
}

/** The very same words come first, then those that share most. */
function sameWords(
  text: string,
  fingerprint: DuplicateSearch['fingerprint'],
): readonly JsonObject[] {
  const print = fingerprint(text);
  const same = { constant_score: { filter: { term: { fingerprint: print ?? '' } }, boost: 1e6 } };
  return [...(print === undefined ? [] : [same]), { match: { text: { query: text } } }];
}

function cosinesOf(
  { embed, fingerprint }: DuplicateSearch,
  { text, vector }: Draft,
  found: readonly Candidate[],
): readonly number[] {
  if (vector !== undefined) return found.map(({ entry }) => cosineOf(vector, entry.vector ?? []));
  if (found.length === 0) return [];
  const print = fingerprint(text ?? '');
  const [ours = new Float32Array(), ...theirs] = embed([
    text ?? '',
    ...found.map(({ entry }) => entry.text ?? ''),
  ]);
  return found.map(({ entry }, i) => {
    // Also where no word has a direction: "to be or not to be".
    if (print !== undefined && print === fingerprint(entry.text ?? '')) return 1;
    return cosineOf(ours, theirs[i] ?? []);
  });
}

/** 0 where either has no direction or they have different lengths. */
export function cosineOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return 0;
  let [dot, aa, bb] = [0, 0, 0];
  // Scaled, so that squares of the largest float32 stay finite.
  const [scaleA, scaleB] = [1 / largest(a), 1 / largest(b)];
  for (let i = 0; i < a.length; i++) {
    const x = (a[i] ?? 0) * scaleA;
    const y = (b[i] ?? 0) * scaleB;
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  if (!(aa > 0 && bb > 0)) return 0;
  return Math.round(Math.max(-1, Math.min(1, dot / Math.sqrt(aa * bb))) * ROUND) / ROUND;
}

function largest(numbers: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < numbers.length; i++) most = Math.max(most, Math.abs(numbers[i] ?? 0));
  return most === 0 ? 1 : most;
}

function isSame({ text, metadata }: Draft, entry: MemoryEntry): boolean {
  return (text ?? null) === entry.text && toText(metadata ?? {}) === toText(entry.metadata ?? {});
}

/** Undefined: nothing keeps them apart. */
function differenceBetween({ text }: Draft, entry: MemoryEntry): Difference | undefined {
  if (text === undefined || entry.text === null) return undefined;
  const difference = differenceOf(text, entry.text);
  if (difference === undefined) return undefined;
  return {
    ours: difference.ours.slice(0, MAX_WORDS),
    theirs: difference.theirs.slice(0, MAX_WORDS),
  };
}
