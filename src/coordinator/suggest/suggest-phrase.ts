// The phrase suggester: tokens, the candidates of each token from its generators, counts of the
// word sequences, and the best corrections according to these counts.
import type { SuggestEntry } from '../../backend/index.js';
import { runCooperatively } from '../../base/cooperative-task.js';
import {
  type Channel,
  type Corrected,
  checkCandidates,
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
  shardClient.countSuggested(Math.min(corrections.length, size));
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

const NONE: Corrected = { corrections: [], cutoff: Number.MIN_VALUE };

async function correctionsOf(
  suggestion: PhraseSuggestion,
  shardClient: SuggestClient,
): Promise<Corrected> {
  const { field, analyzer, text, generators, separator } = suggestion;
  const tokens = await tokensOf(shardClient, field, analyzer, text);
  for (const generator of generators) await tokensOf(shardClient, generator.field, undefined, '');
  const spoken = wordsOf(tokens, suggestion.forceUnigrams);
  if (spoken.length === 0 || spoken.length >= suggestion.tokenLimit) return NONE;
  const counted: CountedWords[] = [];
  for (const generator of generators)
    counted.push(await CountedWords.read(generator, spoken, shardClient));
  const [first, ...others] = counted.filter((one) => one.counts.hasField);
  if (first === undefined) return NONE;
  const originals = spoken.map((_, at) => first.original(at));
  const found = new Candidates(originals);
  for (const one of [first, ...others]) await found.draw(one, shardClient);
  const sets = found.sets(suggestion.shardSize);
  const channel: Channel = {
    ...suggestion,
    gramSize: suggestion.gramSize ?? gramSizeOf(tokens),
    most: suggestion.shardSize,
  };
  const runs = [...new Set(neededRuns(sets, channel).map((run) => runText(run, separator)))];
  const counts = await shardClient.counts(field, runs);
  if (!counts.hasField) return NONE;
  return runCooperatively(correct(sets, runCounts(runs, counts, separator), channel));
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

/** The counts of the words of a text in the field of one generator. */
class CountedWords {
  readonly generator: DirectGenerator;
  readonly counts: FieldCounts;
  readonly #words: readonly string[];

  private constructor(generator: DirectGenerator, words: readonly string[], counts: FieldCounts) {
    this.generator = generator;
    this.#words = words;
    this.counts = counts;
  }

  static async read(
    generator: DirectGenerator,
    words: readonly string[],
    shardClient: SuggestClient,
  ): Promise<CountedWords> {
    return new CountedWords(generator, words, await shardClient.counts(generator.field, words));
  }

  original(at: number): WordCandidate {
    return this.#candidate(this.#words[at] ?? '', this.counts.terms[at], 1, true);
  }

  /**
   * Words of `near`, which are those of the dictionary near `original`. The more frequent the
   * original is, the more frequent they must be.
   */
  candidates(original: WordCandidate, near: readonly CandidateTerm[]): readonly WordCandidate[] {
    const { checker, size } = this.generator;
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
 * The candidates of each word from all generators; the first generator gives the frequency of the
 * word itself.
 */
class Candidates {
  readonly #originals: readonly WordCandidate[];
  /** By word of the text and by term. */
  readonly #found = new Map<string, Map<string, WordCandidate>>();
  #count = 0;

  constructor(originals: readonly WordCandidate[]) {
    this.#originals = originals;
  }

  async draw(from: CountedWords, shardClient: SuggestClient): Promise<void> {
    const { field, checker } = from.generator;
    const { maxEdits: edits, prefixLength: prefix } = checker;
    const byTerm = new Map(this.#originals.map((one) => [one.term, one]));
    const corrected = [...byTerm.values()].filter(({ term }) => isCorrected(term, checker));
    const most = MOST_CANDIDATES;
    const asks = corrected.map(({ term }) => ({ field, term, edits, prefix, most }));
    await shardClient.eachCandidates(asks, (near, at) => {
      const original = corrected[at];
      if (original !== undefined) this.#add(original.term, from.candidates(original, near));
    });
  }

  /** The best `most` candidates of each word. */
  sets(most: number): readonly WordSet[] {
    return this.#originals.map((original) => ({
      original,
      candidates: [...(this.#found.get(original.term)?.values() ?? [])]
        .sort((a, b) => b.score - a.score || (a.term < b.term ? -1 : 1))
        .slice(0, most),
    }));
  }

  #add(word: string, more: readonly WordCandidate[]): void {
    const found = this.#found.get(word) ?? new Map<string, WordCandidate>();
    this.#found.set(word, found);
    this.#count -= found.size;
    for (const one of more) found.set(one.term, one);
    this.#count += found.size;
    checkCandidates(this.#count);
  }
}
