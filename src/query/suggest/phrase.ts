// The phrase suggester: corrects a whole text, using similar words that are likely in sequence.

import type { Json } from '../../backend/index.js';
import { checkLength, checkRepeated } from '../list-limits.js';
import { illegal, isArray, isObject, malformed, shortened, tokenName, toText } from '../values.js';
import { SuggestOptions } from './options.js';
import { DEFAULT_SMOOTHING, readSmoothing, type Smoothing } from './smoothing.js';
import { DEFAULT_CHECKER, readSpellChecker, type SpellChecker } from './spelling.js';
import { readCommon } from './term.js';

export interface PhraseSuggestion {
  readonly kind: 'phrase';
  readonly text: string;
  /** The field whose index has the counts of words and n-grams. */
  readonly field: string;
  readonly analyzer: string | undefined;
  readonly size: number;
  /** The number of corrections, and of candidates for one word, that are considered. */
  readonly shardSize: number;
  /** The longest n-gram; undefined: that of the analyzer. */
  readonly gramSize: number | undefined;
  /** The probability that a word of the dictionary is what the user meant. */
  readonly realWordLikelihood: number;
  /** The score of a correction must exceed that of the text by this factor. */
  readonly confidence: number;
  /** The maximum of wrong words: a number from 1 on, a share of the words below 1. */
  readonly maxErrors: number;
  readonly separator: string;
  readonly forceUnigrams: boolean;
  /** A text with this number of words or more is not corrected. */
  readonly tokenLimit: number;
  readonly highlight: { readonly pre: string; readonly post: string } | undefined;
  readonly smoothing: Smoothing;
  /** At least one. */
  readonly generators: readonly DirectGenerator[];
}

/** A source of candidates for a word. */
export interface DirectGenerator {
  readonly field: string;
  readonly size: number;
  readonly checker: SpellChecker;
}

const DEFAULT_CANDIDATES = 5;
const DEFAULT_TOKEN_LIMIT = 10;
/** A generous limit; scores do not use longer n-grams. */
const MAX_GRAM_SIZE = 100;

const positive = (value: number): string | undefined =>
  value > 0 ? undefined : 'must be greater than 0';
const notNegative = (value: number): string | undefined =>
  value < 0 ? 'must not be negative' : undefined;

export function readPhraseSuggestion(body: Json, text: string): PhraseSuggestion {
  const options = SuggestOptions.read('phrase', body);
  const common = readCommon(options);
  if (options.raw('collate') !== undefined) {
    throw malformed('suggester[phrase] [collate] is not supported by this server, leave it out');
  }
  const gramSize = options.positive('gram_size');
  if (gramSize !== undefined && gramSize > MAX_GRAM_SIZE) {
    throw illegal(
      `suggester[phrase] [gram_size] must be at most ${MAX_GRAM_SIZE}, got [${gramSize}]`,
    );
  }
  const likelihood = options.checkedFloat('real_word_error_likelihood', positive);
  const generators = readGenerators(options.raw('direct_generator'));
  const suggestion: PhraseSuggestion = {
    kind: 'phrase',
    text,
    ...common,
    gramSize,
    realWordLikelihood: likelihood ?? Math.fround(0.95),
    confidence: options.checkedFloat('confidence', notNegative) ?? 1,
    maxErrors: options.checkedFloat('max_errors', positive) ?? 0.5,
    separator: options.text('separator') ?? ' ',
    forceUnigrams: options.flag('force_unigrams') ?? true,
    tokenLimit: options.positive('token_limit') ?? DEFAULT_TOKEN_LIMIT,
    highlight: readTags(options.raw('highlight')),
    smoothing: readSmoothing(options.raw('smoothing')) ?? DEFAULT_SMOOTHING,
    generators:
      generators.length > 0
        ? generators
        : [{ field: common.field, size: DEFAULT_CANDIDATES, checker: DEFAULT_CHECKER }],
  };
  options.finish();
  return suggestion;
}

function readGenerators(value: Json | undefined): readonly DirectGenerator[] {
  if (value === undefined) return [];
  if (!isArray(value)) {
    throw malformed(
      `suggester[phrase] [direct_generator] must be an array, found [${tokenName(value)}]`,
    );
  }
  checkLength('[direct_generator] of [phrase]', value.length, 'name fewer');
  return value.map(readGenerator);
}

function readGenerator(body: Json): DirectGenerator {
  const options = SuggestOptions.read('phrase][direct_generator', body);
  for (const name of ['pre_filter', 'post_filter']) {
    if (options.raw(name) === undefined) continue;
    throw malformed(
      `suggester[phrase] [direct_generator] [${name}] is not supported by this server, leave it out`,
    );
  }
  const generator = {
    field: options.field(),
    size: options.positive('size') ?? DEFAULT_CANDIDATES,
    checker: readSpellChecker(options),
  };
  options.finish();
  return generator;
}

function readTags(value: Json | undefined): PhraseSuggestion['highlight'] {
  if (value === undefined) return undefined;
  if (!isObject(value)) {
    throw malformed(`suggester[phrase] [highlight] must be an object, found [${tokenName(value)}]`);
  }
  const unknown = Object.keys(value).find((key) => !['pre_tag', 'post_tag'].includes(key));
  if (unknown !== undefined) {
    throw malformed(`suggester[phrase][highlight] doesn't support field [${shortened(unknown)}]`);
  }
  const [pre, post] = [value['pre_tag'], value['post_tag']].map((tag) =>
    tag === undefined ? undefined : toText(tag),
  );
  for (const tag of [pre, post]) checkRepeated('suggester[phrase][highlight] the tag', tag ?? '');
  if (pre === undefined && post === undefined) return undefined;
  if (pre !== undefined && post !== undefined) return { pre, post };
  throw illegal('Pre and post tag must both be null or both not be null.');
}
