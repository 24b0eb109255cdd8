// The likelihood of a word after the words before it, although most n-grams occur in no document:
// three smoothing models.
import type { Json } from '../../backend/index.js';
import { illegal, isObject, malformed, shortened, tokenName } from '../values.js';
import { SuggestOptions } from './options.js';

export type Smoothing =
  | { readonly kind: 'stupid_backoff'; readonly discount: number }
  | { readonly kind: 'laplace'; readonly alpha: number }
  | {
      readonly kind: 'linear_interpolation';
      readonly trigram: number;
      readonly bigram: number;
      readonly unigram: number;
    };

/** The suggester's default is a 32-bit float; a model named in the request has a double. */
export const DEFAULT_SMOOTHING: Smoothing = { kind: 'stupid_backoff', discount: Math.fround(0.4) };

/** A word, and its occurrences according to its candidate generator. */
export interface Gram {
  readonly term: string;
  readonly occurrences: number;
}

/** Counts of n-grams in the field of the suggester. */
export interface RunCounts {
  /** The count of a word, or of words joined by the separator. */
  readonly of: (...words: readonly Gram[]) => number;
  /** The total number of words in all documents. */
  readonly words: number;
  readonly differentTerms: number;
}

/** Avoids a division by zero for words that do not occur. */
const TINY = 0.00000000001;

const positive = (value: number): string | undefined =>
  value > 0 ? undefined : 'must be greater than 0';
const share = (value: number): string | undefined =>
  value < 0 || value > 1 ? 'must be between 0 and 1' : undefined;

export function readSmoothing(value: Json | undefined): Smoothing | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) {
    throw malformed(`suggester[phrase] [smoothing] must be an object, found [${tokenName(value)}]`);
  }
  const [only, second] = Object.entries(value);
  if (only === undefined) throw illegal('Missing smoothing model for suggester[phrase]');
  if (second !== undefined) throw illegal('only one smoothing model supported');
  return readModel(only[0], only[1]);
}

function readModel(name: string, body: Json): Smoothing {
  const options = (): SuggestOptions => SuggestOptions.read(`phrase][smoothing][${name}`, body);
  switch (name) {
    case 'stupid_backoff': {
      const given = options();
      const discount = given.float('discount') ?? 0.4;
      given.finish();
      check('discount', discount, positive);
      return { kind: name, discount };
    }
    case 'laplace': {
      const given = options();
      const alpha = given.float('alpha') ?? 0.5;
      given.finish();
      check('alpha', alpha, positive);
      return { kind: name, alpha };
    }
    case 'linear':
    case 'linear_interpolation':
      return readLinear(options());
    default:
      throw malformed(
        `suggester[phrase] [smoothing] unknown model [${shortened(name)}], expected one of [stupid_backoff, laplace, linear_interpolation, linear]`,
      );
  }
}

function readLinear(given: SuggestOptions): Smoothing {
  const [trigram = 0, bigram = 0, unigram = 0] = ['trigram', 'bigram', 'unigram'].map((name) => {
    const lambda = given.float(`${name}_lambda`);
    if (lambda === undefined) throw illegal(`linear_interpolation requires [${name}_lambda]`);
    check(`${name}_lambda`, lambda, share);
    return lambda;
  });
  given.finish();
  const sum = trigram + bigram + unigram;
  if (Math.abs(sum - 1) > 0.001) throw illegal('linear smoothing lambdas must sum to 1');
  return {
    kind: 'linear_interpolation',
    trigram: trigram / sum,
    bigram: bigram / sum,
    unigram: unigram / sum,
  };
}

function check(name: string, value: number, wrong: (value: number) => string | undefined): void {
  const why = wrong(value);
  if (why !== undefined) throw illegal(`smoothing [${name}] ${why}, got [${value}]`);
}

/**
 * Returns the n-grams whose counts the likelihood of `word` after `before` (nearest first) may
 * need.
 */
export function runsOf(
  { kind }: Smoothing,
  word: Gram,
  [one, two]: readonly Gram[],
): readonly (readonly Gram[])[] {
  if (one === undefined) return [[word]];
  const bigrams = [[word], [one, word]];
  if (two === undefined) return bigrams;
  return kind === 'linear_interpolation'
    ? [...bigrams, [word, one, two], [word, one]]
    : [...bigrams, [two, one, word]];
}

/** Returns the likelihood of `word` after at most two words, nearest first. */
export function likelihood(
  model: Smoothing,
  word: Gram,
  [one, two]: readonly Gram[],
  counts: RunCounts,
): number {
  if (one === undefined) return ofWord(model, word, counts);
  return two === undefined
    ? ofPair(model, word, one, counts)
    : ofTriple(model, word, one, two, counts);
}

function ofWord(model: Smoothing, word: Gram, { of, words, differentTerms }: RunCounts): number {
  if (model.kind !== 'laplace') return (1 + of(word)) / (words + differentTerms);
  return (model.alpha + of(word)) / (words + model.alpha * differentTerms);
}

function ofPair(model: Smoothing, word: Gram, one: Gram, counts: RunCounts): number {
  const count = counts.of(one, word);
  switch (model.kind) {
    case 'stupid_backoff':
      return count < 1
        ? model.discount * ofWord(model, word, counts)
        : count / (one.occurrences + TINY);
    case 'laplace':
      return (model.alpha + count) / (one.occurrences + model.alpha * counts.differentTerms);
    case 'linear_interpolation': {
      const alone = model.unigram * ofWord(model, word, counts);
      return count < 1 ? alone : model.bigram * (count / (0.5 + one.occurrences)) + alone;
    }
  }
}

function ofTriple(model: Smoothing, word: Gram, one: Gram, two: Gram, counts: RunCounts): number {
  switch (model.kind) {
    case 'stupid_backoff': {
      const pair = counts.of(one, word);
      if (pair < 1) return model.discount * ofWord(model, word, counts);
      const triple = counts.of(two, one, word);
      if (triple < 1) return model.discount * (pair / (one.occurrences + TINY));
      return triple / (pair + TINY);
    }
    case 'laplace':
      return (
        (model.alpha + counts.of(two, one, word)) /
        (counts.of(one, word) + model.alpha * counts.differentTerms)
      );
    case 'linear_interpolation': {
      // The n-grams are looked up in reverse order, as in Elasticsearch.
      const triple = counts.of(word, one, two);
      const pair = ofPair(model, word, one, counts);
      return triple < 1 ? pair : model.trigram * (triple / (1 + counts.of(word, one))) + pair;
    }
  }
}
