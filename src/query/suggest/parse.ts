// Parses the `suggest` section of a search body: names, each with a text and a suggester.
import type { Json, JsonObject } from '../../backend/index.js';
import { didYouMean } from '../../base/similar-names.js';
import { QuarryError } from '../../errors.js';
import { checkLength } from '../list-limits.js';
import { illegal, isObject, malformed, shortened, tokenName, toScalar, toText } from '../values.js';
import { type CompletionSuggestion, readCompletionSuggestion } from './completion.js';
import { type PhraseSuggestion, readPhraseSuggestion } from './phrase.js';
import { readTermSuggestion, type TermSuggestion } from './term.js';

export type Suggestion = TermSuggestion | PhraseSuggestion | CompletionSuggestion;

type Reader = (body: Json, text: string) => Suggestion;

const SUGGESTERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['term', readTermSuggestion],
  ['phrase', readPhraseSuggestion],
  ['completion', readCompletionSuggestion],
]);

/** By name. */
export type Suggestions = ReadonlyMap<string, Suggestion>;

export interface SplitSuggest {
  readonly rest: JsonObject;
  readonly suggestions: Suggestions;
}

/**
 * Splits the body into the rest of the search and its suggestions, which may be empty. Returns
 * undefined without `suggest`.
 */
export function splitSuggest(body: JsonObject): SplitSuggest | undefined {
  if (body['suggest'] === undefined) return undefined;
  const { suggest, ...rest } = body;
  return { rest, suggestions: parseSuggest(suggest) };
}

/** Whether only suggestions are requested. The search itself is then not run and has no hits. */
export function suggestsOnly(rest: JsonObject): boolean {
  return ['query', 'knn', 'retriever', 'aggs', 'aggregations'].every(
    (key) => rest[key] === undefined,
  );
}

function parseSuggest(suggest: Json): Suggestions {
  if (!isObject(suggest))
    throw malformed(`[suggest] must be an object, found [${tokenName(suggest)}]`);
  checkLength('[suggest]', Object.keys(suggest).length, 'ask for the others in a second search');
  const found = new Map<string, Suggestion>();
  const global = textOf(suggest['text']);
  for (const [name, body] of Object.entries(suggest)) {
    if (isObject(body)) found.set(name, parseSuggestion(name, body, global));
    else if (toScalar(body) === undefined) {
      throw malformed(`unexpected token [${tokenName(body)}] after [${shortened(name)}]`);
    } else if (name !== 'text') {
      throw illegal(`[suggest] does not support [${shortened(name)}]`);
    }
  }
  return found;
}

/**
 * Returns the common text; undefined if `text` is no scalar, as then it is the name of a
 * suggestion.
 */
function textOf(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : toText(value);
}

function parseSuggestion(name: string, body: JsonObject, global: string | undefined): Suggestion {
  const suggesters = Object.entries(body).filter(([, value]) => toScalar(value) === undefined);
  for (const [key, value] of Object.entries(body)) {
    if (toScalar(value) === undefined || ['text', 'prefix', 'regex'].includes(key)) continue;
    throw malformed(`suggestion does not support [${shortened(key)}]`);
  }
  const [only, second] = suggesters;
  if (only === undefined) throw new QuarryError('parse_exception', 'missing suggestion object');
  if (second !== undefined) {
    throw malformed(
      `suggestion [${shortened(name)}] has more than one suggester, [${only[0]}] and [${second[0]}]`,
    );
  }
  const read = SUGGESTERS.get(only[0]);
  if (read === undefined) {
    throw malformed(
      `unknown suggester [${shortened(only[0])}]${didYouMean(only[0], SUGGESTERS.keys())}`,
    );
  }
  if (only[0] === 'completion' && body['regex'] !== undefined) {
    throw malformed('suggester[completion] [regex] is not supported by this server, use [prefix]');
  }
  const text = textOf(body['text']) ?? textOf(body['prefix']) ?? textOf(body['regex']) ?? global;
  if (text === undefined) throw illegal('The required text option is missing');
  return read(only[1], text);
}
