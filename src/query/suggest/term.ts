// The term suggester: suggests terms of a field for each word of a text.
import type { Json } from '../../backend/index.js';
import { SuggestOptions } from './options.js';
import { readSpellChecker, type SpellChecker } from './spelling.js';

export interface TermSuggestion {
  readonly kind: 'term';
  readonly text: string;
  readonly field: string;
  /** Undefined: the field's search analyzer. */
  readonly analyzer: string | undefined;
  readonly size: number;
  /** The number of candidates to consider for each word. */
  readonly shardSize: number;
  readonly checker: SpellChecker;
}

const DEFAULT_SIZE = 5;

export function readTermSuggestion(body: Json, text: string): TermSuggestion {
  const options = SuggestOptions.read('term', body);
  const { size, shardSize, ...common } = readCommon(options);
  const checker = readSpellChecker(options);
  options.finish();
  return { kind: 'term', text, ...common, size, shardSize, checker };
}

/** The options that every suggester has. */
export function readCommon(
  options: SuggestOptions,
): Pick<TermSuggestion, 'field' | 'analyzer' | 'size' | 'shardSize'> {
  const field = options.field();
  const size = options.positive('size') ?? DEFAULT_SIZE;
  return {
    field,
    analyzer: options.text('analyzer'),
    size,
    shardSize: options.positive('shard_size') ?? Math.max(size, DEFAULT_SIZE),
  };
}
