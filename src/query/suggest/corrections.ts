// Finds the best corrections of a text: one candidate for each word, so that few words change and
// the words are likely in sequence (a noisy channel model, as in Elasticsearch). The search keeps
// the best paths for each pair of last words, so that its cost does not grow with the number of
// combinations.
import type { CooperativeTask } from '../../base/cooperative-task.js';
import { illegal } from '../values.js';
import { likelihood, type RunCounts, runsOf, type Smoothing } from './smoothing.js';
import { compareTerms } from './spelling.js';

/** A candidate for a word of the text. */
export interface WordCandidate {
  readonly term: string;
  readonly documents: number;
  readonly occurrences: number;
  /** Similarity to the word of the text; 1: that word itself. */
  readonly likeness: number;
  /** The candidate's score among those of its word. */
  readonly score: number;
  readonly userInput: boolean;
}

export interface WordSet {
  readonly original: WordCandidate;
  /** Best first. */
  readonly candidates: readonly WordCandidate[];
}

export interface Correction {
  readonly words: readonly WordCandidate[];
  readonly score: number;
}

export interface Channel {
  readonly realWordLikelihood: number;
  readonly gramSize: number;
  readonly smoothing: Smoothing;
  /** See PhraseSuggestion. */
  readonly maxErrors: number;
  readonly confidence: number;
  /** The maximum number of corrections. */
  readonly most: number;
}

/** The limits on n-grams whose counts one text may need, and on the steps of its search. */
const MAX_RUNS = 65_536;
const MAX_STEPS = 250_000;

const all = ({ original, candidates }: WordSet): readonly WordCandidate[] => [
  original,
  ...candidates,
];

/** Returns all combinations of the words before `at` that a score depends on, nearest first. */
function contexts(
  sets: readonly WordSet[],
  at: number,
  gramSize: number,
): readonly (readonly WordCandidate[])[] {
  const depth = Math.min(at, gramSize - 1, 2);
  let found: readonly (readonly WordCandidate[])[] = [[]];
  for (let back = 1; back <= depth; back++) {
    const set = sets[at - back];
    if (set === undefined) continue;
    found = found.flatMap((context) => all(set).map((word) => [...context, word]));
  }
  return found;
}

/** Throws for more candidates of all words than the search has steps. */
export function checkCandidates(count: number): void {
  if (count > MAX_STEPS) throw tooManyRuns(count);
}

function tooManyRuns(runs: number): Error {
  return illegal(
    `suggester[phrase] would have to compare ${runs} runs of words, lower [shard_size], [size] of the generators, [gram_size] or [max_errors]`,
  );
}

/** Returns every n-gram whose count a score may need. */
export function neededRuns(
  sets: readonly WordSet[],
  { gramSize, smoothing, most, maxErrors }: Channel,
): readonly (readonly WordCandidate[])[] {
  const widths = sets.map(({ candidates }) => candidates.length + 1);
  const runs = widths.reduce(
    (sum, width, at) =>
      sum +
      width *
        (gramSize > 1 ? (widths[at - 1] ?? 1) : 1) *
        (gramSize > 2 ? (widths[at - 2] ?? 1) : 1),
    0,
  );
  const errors = errorsOf(maxErrors, sets.length);
  const steps = runs * Math.min(most, combinations(widths, errors)) * (errors + 1);
  if (runs > MAX_RUNS || steps > MAX_STEPS) throw tooManyRuns(runs);
  return sets.flatMap((set, at) =>
    contexts(sets, at, gramSize).flatMap((before) =>
      all(set).flatMap((word) => runsOf(smoothing, word, before) as (readonly WordCandidate[])[]),
    ),
  );
}

/** The number of words that may be wrong. */
function errorsOf(maxErrors: number, words: number): number {
  if (maxErrors >= 1) return Math.min(words, Math.trunc(maxErrors));
  return Math.max(1, Math.round(Math.fround(maxErrors * words)));
}

/**
 * Returns the number of ways to choose a candidate for each word, with at most `errors` wrong
 * words.
 */
function combinations(widths: readonly number[], errors: number): number {
  let ways: readonly number[] = [1];
  for (const width of widths) {
    ways = Array.from(
      { length: Math.min(ways.length, errors) + 1 },
      (_, wrong) => (ways[wrong] ?? 0) + (width - 1) * (ways[wrong - 1] ?? 0),
    );
  }
  return ways.reduce((sum, count) => sum + count, 0);
}

/** A partial correction up to a word. It extends the partial correction up to the previous word. */
interface CorrectionPath {
  readonly before: CorrectionPath | undefined;
  /** The index in all() of its word. */
  readonly at: number;
  readonly errors: number;
  readonly logs: number;
}

export interface Corrected {
  readonly corrections: readonly Correction[];
  readonly cutoff: number;
}

/**
 * Returns the corrections whose score exceeds that of the text times `confidence`, best first, and
 * this threshold.
 */
export function* correct(
  sets: readonly WordSet[],
  counts: RunCounts,
  channel: Channel,
): CooperativeTask<Corrected> {
  if (sets.length === 0) return { corrections: [], cutoff: Number.MIN_VALUE };
  const { confidence, most } = channel;
  const scores = new Scores(sets, counts, channel);
  const original = sets.reduce((logs, _, place) => logs + scores.of(place, 0, 0, 0), 0);
  const cutoff = confidence > 0 ? Math.exp(original) * confidence : Number.MIN_VALUE;
  const ways = yield* bestWays(scores, errorsOf(channel.maxErrors, sets.length), most);
  const corrections = ways
    .map((way) => ({ words: scores.wordsOf(way), score: Math.exp(way.logs) }))
    .filter(({ score }) => score > cutoff)
    .sort(byScore)
    .slice(0, most);
  return { corrections, cutoff };
}

/** Logarithms of likelihoods of a word after the words before it. Each is computed once. */
class Scores {
  /** The number of preceding words that a score depends on. */
  readonly depth: number;
  readonly words: readonly (readonly WordCandidate[])[];
  /** The rank of each candidate in the term order of its position. */
  readonly ranks: readonly (readonly number[])[];
  readonly #counts: RunCounts;
  readonly #channel: Channel;
  readonly #known: readonly Float64Array[];

  constructor(sets: readonly WordSet[], counts: RunCounts, channel: Channel) {
    this.#counts = counts;
    this.#channel = channel;
    this.depth = Math.min(channel.gramSize - 1, 2);
    this.words = sets.map(all);
    this.ranks = this.words.map((words) => {
      const sorted = [...words].sort((a, b) => compareTerms(a.term, b.term));
      return words.map((word) => sorted.findIndex(({ term }) => term === word.term));
    });
    this.#known = this.words.map(({ length }, place) =>
      new Float64Array(length * this.#width(place, 1) * this.#width(place, 2)).fill(Number.NaN),
    );
  }

  /**
   * `one` and `two` are the indexes of the previous word and the one before that; 0 if there is
   * none.
   */
  of(place: number, at: number, one: number, two: number): number {
    const [near, far] = [this.#width(place, 1), this.#width(place, 2)];
    const key = (at * near + (near > 1 ? one : 0)) * far + (far > 1 ? two : 0);
    const known = this.#known[place];
    const score = known?.[key] ?? Number.NaN;
    if (!Number.isNaN(score) || known === undefined) return score;
    const computed = this.#score(place, at, one, two);
    known[key] = computed;
    return computed;
  }

  wordsOf(way: CorrectionPath): readonly WordCandidate[] {
    return placesOf(way).map((at, place) => {
      const word = this.words[place]?.[at];
      if (word === undefined) throw new Error('a correction has a word too many');
      return word;
    });
  }

  #score(place: number, at: number, one: number, two: number): number {
    const { smoothing, realWordLikelihood } = this.#channel;
    const word = this.words[place]?.[at];
    if (word === undefined) throw new Error('a word has no such candidate');
    const before = [this.words[place - 1]?.[one], this.words[place - 2]?.[two]]
      .slice(0, this.depth)
      .filter((other) => other !== undefined);
    const channel = word.likeness === 1 ? realWordLikelihood : word.likeness;
    return Math.log10(channel * likelihood(smoothing, word, before, this.#counts));
  }

  /** The number of candidates that a score distinguishes `back` words before a position. */
  #width(place: number, back: number): number {
    return back > this.depth ? 1 : (this.words[place - back]?.length ?? 1);
  }
}

/**
 * Later scores depend only on the last words and the number of errors, so only the best paths are
 * kept among those that share them.
 */
function* bestWays(
  scores: Scores,
  errors: number,
  most: number,
): CooperativeTask<readonly CorrectionPath[]> {
  let ways: readonly CorrectionPath[] = [];
  for (const [place, words] of scores.words.entries()) {
    const groups = new Map<number, CorrectionPath[]>();
    const from = place === 0 ? [undefined] : ways;
    for (const before of from) {
      yield;
      const wrong = before?.errors ?? 0;
      const [one, two] = [before?.at ?? 0, before?.before?.at ?? 0];
      const choices = wrong < errors ? words.length : 1;
      for (let at = 0; at < choices; at++) {
        const logs = (before?.logs ?? 0) + scores.of(place, at, one, two);
        const ends = scores.depth === 0 ? 0 : scores.depth === 1 ? at : at * MAX_RUNS + one;
        const count = wrong + (at === 0 ? 0 : 1);
        const key = ends * (scores.words.length + 1) + count;
        const group = groups.get(key) ?? [];
        if (group.length === 0) groups.set(key, group);
        keep(group, { before, at, errors: count, logs }, scores.ranks, most);
      }
    }
    ways = [...groups.values()].flat();
  }
  return ways;
}

/** Inserts into a sorted list, best first, of at most `most` paths. */
function keep(
  group: CorrectionPath[],
  way: CorrectionPath,
  ranks: readonly (readonly number[])[],
  most: number,
): void {
  let place = group.length;
  while (place > 0 && isBetter(way, group[place - 1], ranks)) place--;
  if (place >= most) return;
  group.splice(place, 0, way);
  if (group.length > most) group.pop();
}

function isBetter(
  way: CorrectionPath,
  other: CorrectionPath | undefined,
  ranks: readonly (readonly number[])[],
): boolean {
  if (other === undefined || way.logs !== other.logs) return way.logs > (other?.logs ?? -Infinity);
  const [these, those] = [placesOf(way), placesOf(other)];
  for (const [place, at] of these.entries()) {
    const [mine, theirs] = [ranks[place]?.[at] ?? 0, ranks[place]?.[those[place] ?? 0] ?? 0];
    if (mine !== theirs) return mine < theirs;
  }
  return false;
}

/** Returns the index of the chosen candidate for each word. */
function placesOf(way: CorrectionPath): readonly number[] {
  const places: number[] = [];
  for (let one: CorrectionPath | undefined = way; one !== undefined; one = one.before)
    places.push(one.at);
  return places.reverse();
}

function byScore(a: Correction, b: Correction): number {
  return b.score - a.score || compareWords(a.words, b.words);
}

function compareWords(a: readonly WordCandidate[], b: readonly WordCandidate[]): number {
  for (const [i, word] of a.entries()) {
    const difference = compareTerms(word.term, b[i]?.term ?? '');
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Joins the words of a correction. `tags` enclose runs of changed words. */
export function joinWords(
  words: readonly WordCandidate[],
  tags?: { readonly pre: string; readonly post: string },
): string {
  if (tags === undefined) return words.map(({ term }) => term).join(' ');
  return words
    .map(({ term, userInput }, i) => {
      if (userInput) return term;
      const opens = words[i - 1]?.userInput ?? true;
      const closes = words[i + 1]?.userInput ?? true;
      return `${opens ? tags.pre : ''}${term}${closes ? tags.post : ''}`;
    })
    .join(' ');
}
