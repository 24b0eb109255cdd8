// The completion suggester: finds inputs of a completion field that start with a text.
import type { Json } from '../../backend/index.js';
import type { FuzzyPrefix } from '../../wire/suggest.js';
import { illegal, isObject, malformed, printed, tokenName, toText } from '../values.js';
import { SuggestOptions } from './options.js';
import { readCommon } from './term.js';

export interface CompletionSuggestion {
  readonly kind: 'completion';
  readonly text: string;
  readonly field: string;
  readonly analyzer: string | undefined;
  readonly size: number;
  readonly skipDuplicates: boolean;
  readonly fuzzy: FuzzyPrefix | undefined;
}

/** Each suggestion has a document that is read. */
const MAX_SIZE = 10_000;
/** AUTO allows the edits of a word of this length. */
const AUTO_LENGTH = 5;

export function readCompletionSuggestion(body: Json, text: string): CompletionSuggestion {
  const options = SuggestOptions.read('completion', body);
  const { field, analyzer, size } = readCommon(options);
  for (const name of ['regex', 'contexts', 'context']) {
    if (options.raw(name) === undefined) continue;
    throw malformed(
      `suggester[completion] [${name}] is not supported by this server, leave it out`,
    );
  }
  const fuzzy = readFuzzy(options.raw('fuzzy'));
  const skipDuplicates = options.flag('skip_duplicates') ?? false;
  options.finish();
  if (size > MAX_SIZE) {
    throw illegal(`suggester[completion] [size] must be at most ${MAX_SIZE}, got [${size}]`);
  }
  return { kind: 'completion', text, field, analyzer, size, skipDuplicates, fuzzy };
}

function readFuzzy(value: Json | undefined): FuzzyPrefix | undefined {
  if (value === undefined || value === false) return undefined;
  const body = value === true ? {} : value;
  if (!isObject(body)) {
    throw malformed(
      `suggester[completion] [fuzzy] must be an object or a boolean, found [${tokenName(body)}]`,
    );
  }
  const options = SuggestOptions.read('completion][fuzzy', body);
  const fuzzy = {
    edits: readEdits(options.raw('fuzziness')),
    transpositions: options.flag('transpositions') ?? true,
    minLength: options.integer('min_length') ?? 3,
    prefixLength: options.integer('prefix_length') ?? 1,
    unicodeAware: options.flag('unicode_aware') ?? false,
  };
  options.integer('max_determinized_states');
  options.finish();
  return fuzzy;
}

function readEdits(value: Json | undefined): number {
  if (value === undefined) return 1;
  const text = toText(value) ?? '';
  const auto = /^AUTO(?::(\d+),(\d+))?$/i.exec(text);
  if (auto !== null) {
    const [low, high] = [Number(auto[1] ?? 3), Number(auto[2] ?? 6)];
    if (low > high) {
      throw illegal(`fuzziness [${text}]: the first length must not be greater than the second`);
    }
    if (AUTO_LENGTH < low) return 0;
    return AUTO_LENGTH < high ? 1 : 2;
  }
  const edits = text.trim() === '' ? Number.NaN : Number(text);
  if (edits === 0 || edits === 1 || edits === 2) return edits;
  throw illegal(
    `Invalid fuzziness value: ${printed(value)}. Valid edit distances are [AUTO, 0, 1, 2]`,
  );
}
