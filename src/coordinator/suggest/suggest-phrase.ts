// The phrase suggester: tokens, the candidates of each token from its generators, counts of the
// word sequences, and the best corrections according to these counts.
import type { SuggestEntry } from '../../backend/index.js';
import {
  type Channel,
  correct,
  joinWords,
  neededRuns,
  type WordCandidate,
  type WordSet,
} from '../../query/suggest/corrections.js';
import type { DirectGenerator, PhraseSuggestion } from '../../query/suggest/phrase.js';
import type { Gram, RunCounts } from '../../query/suggest/smoothing.js';
import { isCorrected, MOST_CANDIDATES, spell } from '../../query/suggest/spelling.js';
import { illegal } from '../../query/values.js';
import type { CandidateTerm, SuggestToken } from '../../wire/suggest.js';
import type { FieldCounts, SuggestClient } from './suggest-client.js';
import { tokensOf } from './suggest-term.js';

export async function suggestPhrases(
  suggestion: PhraseSuggestion,
  shardClient: SuggestClient,
): Promise<readonly SuggestEntry[]> {
  const { text, size, highlight } = suggestion;
  const { corrections, cutoff } = await correctionsOf(suggestion, shardClient);
  const options = corrections
    .map(({ words, score }) => ({
      text: joinWords(words),
      ...(highlight === undefined ? {} : { highlighted: joinWords(words, highlight) }),
      score: Math.fround(score),
    }))
    .filter(({ score }) => score > cutoff)
    .sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1))
    .slice(0, size);
  return [{ text, offset: 0, length: text.length, options }];
}

const NONE: ReturnType<typeof correct> = { corrections: [], cutoff: Number.MIN_VALUE };

async function correctionsOf(
  suggestion: PhraseSuggestion,
  shardClient: SuggestClient,
): Promise<ReturnType<typeof correct>> {
  const { field, analyzer, text, generators, separator } = suggestion;
  const tokens = await tokensOf(shardClient, field, analyzer, text);
  for (const generator of generators) await tokensOf(shardClient, generator.field, undefined, '');
  const spoken = wordsOf(tokens, suggestion.forceUnigrams);
  if (spoken.length === 0 || spoken.length >= suggestion.tokenLimit) return NONE;
  const drawn = await Promise.all(
    generators.map((generator) => GeneratorCandidates.read(generator, spoken, shardClient)),
  );
  const [first, ...others] = drawn.filter((one) => one.counts.hasField);
  if (first === undefined) return NONE;
  const sets = spoken.map((_, at) => draw(at, [first, ...others], suggestion.shardSize));
  const channel: Channel = {
    ...suggestion,
    gramSize: suggestion.gramSize ?? gramSizeOf(tokens),
    most: suggestion.shardSize,
  };
  const runs = [...new Set(neededRuns(sets, channel).map((run) => runText(run, separator)))];
  const counts = await shardClient.counts(field, runs);
  if (!counts.hasField) return NONE;
  return correct(sets, runCounts(runs, counts, separator), channel);
}

function runText(words: readonly Gram[], separator: string): string {
  return words.map(({ term }) => term).join(separator);
}

function runCounts(runs: readonly string[], counts: FieldCounts, separator: string): RunCounts {
  const known = new Map(runs.map((run, i) => [run, counts.terms[i]?.occurrences ?? 0]));
  return {
    of: (...words) => known.get(runText(words, separator)) ?? 0,
    words: counts.occurrences,
    differentTerms: counts.differentTerms,
  };
}

/** The words of a text. Its analyzer may add shingles and synonyms. */
function wordsOf(tokens: readonly SuggestToken[], forceUnigrams: boolean): readonly string[] {
  const words = tokens.filter(
    ({ kind }) => kind === 'word' || (kind === 'shingle' && !forceUnigrams),
  );
  if (words.length > 0 || tokens.length === 0) return words.map(({ term }) => term);
  throw illegal(
    'At least one unigram is required but all tokens were ngrams, set [force_unigrams] to false or name another [analyzer]',
  );
}

/** The maximum number of words in a shingle of the analyzer. */
function gramSizeOf(tokens: readonly SuggestToken[]): number {
  const words = tokens.filter(({ kind }) => kind === 'word');
  const sizes = tokens
    .filter(({ kind }) => kind === 'shingle')
    .map((run) => words.filter(({ start, end }) => start >= run.start && end <= run.end).length);
  return Math.max(1, ...sizes);
}

/** Candidates by word. */
type NearWords = ReadonlyMap<string, readonly CandidateTerm[]>;

/** The data of one generator for the words of a text. */
class GeneratorCandidates {
  readonly generator: DirectGenerator;
  readonly counts: FieldCounts;
  readonly #words: readonly string[];
  readonly #near: NearWords;

  private constructor(
    generator: DirectGenerator,
    words: readonly string[],
    counts: FieldCounts,
    near: NearWords,
  ) {
    this.generator = generator;
    this.#words = words;
    this.counts = counts;
    this.#near = near;
  }

  static async read(
    generator: DirectGenerator,
    words: readonly string[],
    shardClient: SuggestClient,
  ): Promise<GeneratorCandidates> {
    const { field, checker } = generator;
    const { maxEdits: edits, prefixLength: prefix } = checker;
    const requested = [...new Set(words)].filter((word) => isCorrected(word, checker));
    const asks = requested.map((term) => ({ field, term, edits, prefix, most: MOST_CANDIDATES }));
    const [counts, near] = await Promise.all([
      shardClient.counts(field, words),
      shardClient.candidates(asks),
    ]);
    return new GeneratorCandidates(
      generator,
      words,
      counts,
      new Map(requested.map((word, i) => [word, near[i] ?? []])),
    );
  }

  original(at: number): WordCandidate {
    return this.#candidate(this.#words[at] ?? '', this.counts.terms[at], 1, true);
  }

  /**
   * Words similar to `original`. The more frequent the original is, the more frequent they must be.
   */
  candidates(original: WordCandidate): readonly WordCandidate[] {
    const { checker, size } = this.generator;
    const near = this.#near.get(original.term) ?? [];
    const needed = checker.mode === 'always' ? 0 : this.#threshold(original.documents);
    const stricter = { ...checker, minDocFreq: Math.max(checker.minDocFreq, needed) };
    const known = new Map(near.map((one) => [one.term, one]));
    return spell(original.term, near, this.counts.documents, stricter, size).map((word) =>
      this.#candidate(word.term, known.get(word.term), word.score, false),
    );
  }

  #threshold(documents: number): number {
    const { minDocFreq } = this.generator.checker;
    if (documents === 0) return 0;
    const plateau = Math.trunc(
      minDocFreq >= 1 ? minDocFreq : Math.fround(this.counts.documents * minDocFreq),
    );
    const needed = documents * (Math.log10(documents - plateau) * (1 / Math.log10(5))) + 1;
    return Number.isNaN(needed) ? 0 : Math.max(0, Math.round(needed));
  }

  #candidate(
    term: string,
    count: { readonly documents: number; readonly occurrences: number } | undefined,
    likeness: number,
    userInput: boolean,
  ): WordCandidate {
    const { documents = 0, occurrences = 0 } = count ?? {};
    const score = likeness * ((occurrences + 1) / (this.counts.occurrences + 1));
    return { term, documents, occurrences, likeness, score, userInput };
  }
}

/**
 * The candidates of one word from all generators; the first generator gives the frequency of the
 * word itself.
 */
function draw(
  at: number,
  drawn: readonly [GeneratorCandidates, ...GeneratorCandidates[]],
  most: number,
): WordSet {
  const original = drawn[0].original(at);
  const found = new Map<string, WordCandidate>();
  for (const one of drawn) for (const word of one.candidates(original)) found.set(word.term, word);
  const candidates = [...found.values()].sort(
    (a, b) => b.score - a.score || (a.term < b.term ? -1 : 1),
  );
  return { original, candidates: candidates.slice(0, most) };
}
