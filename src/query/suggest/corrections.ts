// The best corrections of a text: one candidate for each of its words, so that few words change and the words go together
// (a noisy channel, as Elasticsearch has it). The best ways to each pair of last words are carried along, so that the cost
// does not grow with the number of combinations.
import { illegal } from '../values.js';
import { likelihood, type RunCounts, runsOf, type Smoothing } from './smoothing.js';
import { compareTerms } from './spelling.js';

/** What a word may be. */
export interface WordCandidate {
  readonly term: string;
  readonly documents: number;
  readonly occurrences: number;
  /** To the word of the text; 1: that word. */
  readonly likeness: number;
  /** Among the candidates of its word. */
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
  /** Corrections that are wanted. */
  readonly most: number;
}

/** Runs that one text may ask the counts of, and steps that its corrections may take. */
const MAX_RUNS = 65_536;
const MAX_STEPS = 4_000_000;

const all = ({ original, candidates }: WordSet): readonly WordCandidate[] => [
  original,
  ...candidates,
];

/** The words before the one at `at` that its score looks at, nearest first, in every combination. */
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

/** Every run of words whose count a score may need. */
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
  if (runs > MAX_RUNS || runs * most * (errorsOf(maxErrors, sets.length) + 1) > MAX_STEPS) {
    throw illegal(
      `suggester[phrase] would have to compare ${runs} runs of words, lower [shard_size], [size] of the generators, [gram_size] or [max_errors]`,
    );
  }
  return sets.flatMap((set, at) =>
    contexts(sets, at, gramSize).flatMap((before) =>
      all(set).flatMap((word) => runsOf(smoothing, word, before) as (readonly WordCandidate[])[]),
    ),
  );
}

/** Words that may be wrong. */
function errorsOf(maxErrors: number, words: number): number {
  if (maxErrors >= 1) return Math.trunc(maxErrors);
  return Math.max(1, Math.round(Math.fround(maxErrors * words)));
}

interface Way {
  readonly words: readonly WordCandidate[];
  readonly errors: number;
  readonly logs: number;
}

/** Corrections better than the text by `confidence`, best first, and the score that they exceed. */
export function correct(
  sets: readonly WordSet[],
  counts: RunCounts,
  channel: Channel,
): { readonly corrections: readonly Correction[]; readonly cutoff: number } {
  if (sets.length === 0) return { corrections: [], cutoff: Number.MIN_VALUE };
  const { confidence, most } = channel;
  const step = (way: Way, word: WordCandidate): number =>
    way.logs + scoreOf(word, way.words, counts, channel);
  const original = sets.reduce<Way>(
    (way, set) => ({
      words: [...way.words, set.original],
      errors: 0,
      logs: step(way, set.original),
    }),
    { words: [], errors: 0, logs: 0 },
  );
  const cutoff = confidence > 0 ? Math.exp(original.logs) * confidence : Number.MIN_VALUE;
  const errors = errorsOf(channel.maxErrors, sets.length);
  let ways: readonly Way[] = [{ words: [], errors: 0, logs: 0 }];
  for (const set of sets) {
    const next = ways.flatMap((way) => [
      extended(way, set.original, way.errors, step),
      ...(way.errors < errors
        ? set.candidates.map((word) => extended(way, word, way.errors + 1, step))
        : []),
    ]);
    ways = bestByEnd(next, channel.gramSize, most);
  }
  const corrections = ways
    .map(({ words, logs }) => ({ words, score: Math.exp(logs) }))
    .filter(({ score }) => score > cutoff)
    .sort(byScore)
    .slice(0, most);
  return { corrections, cutoff };
}

function extended(
  way: Way,
  word: WordCandidate,
  errors: number,
  step: (way: Way, word: WordCandidate) => number,
): Way {
  return { words: [...way.words, word], errors, logs: step(way, word) };
}

function scoreOf(
  word: WordCandidate,
  before: readonly WordCandidate[],
  counts: RunCounts,
  { realWordLikelihood, gramSize, smoothing }: Channel,
): number {
  const depth = Math.min(before.length, gramSize - 1, 2);
  const context = before.slice(before.length - depth).reverse();
  const channel = word.likeness === 1 ? realWordLikelihood : word.likeness;
  return Math.log10(channel * likelihood(smoothing, word, context, counts));
}

/** What comes looks at the last words and the errors alone: of ways that share them, the best are enough. */
function bestByEnd(ways: readonly Way[], gramSize: number, most: number): readonly Way[] {
  const depth = Math.min(gramSize - 1, 2);
  const groups = new Map<string, Way[]>();
  for (const way of ways) {
    const end = depth === 0 ? [] : way.words.slice(-depth);
    const key = [way.errors, ...end.map(({ term, userInput }) => `${term}\0${userInput}`)].join(
      '\0',
    );
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [way]);
    else group.push(way);
  }
  return [...groups.values()].flatMap((group) =>
    group.sort((a, b) => b.logs - a.logs || compareWords(a.words, b.words)).slice(0, most),
  );
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

/** The text of a correction; with tags, runs of words that changed stand between them. */
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
