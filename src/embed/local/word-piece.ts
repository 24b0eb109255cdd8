// The tokenizer of BERT: clean, fold and split the text into words, then cut each word into the
// longest pieces of the vocabulary, from its start. Ids equal those of the library `tokenizers`.
import { plainWords, type TokenizerOptions } from './bert-words.js';

export type { TokenizerOptions } from './bert-words.js';

const CLS = '[CLS]';
const SEP = '[SEP]';
const UNKNOWN = '[UNK]';
/** Tokens that a text may spell out, where the vocabulary has them. */
const SPECIAL = ['[PAD]', UNKNOWN, CLS, SEP, '[MASK]'];
const SPELLED = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/;
const CONTINUED = '##';
/** Longer words are unknown. */
const MAX_WORD = 100;
/** [CLS] and [SEP]. */
const ENDS = 2;

export class WordPieceTokenizer {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #options: TokenizerOptions;
  readonly #maxTokens: number;
  readonly #cls: number;
  readonly #sep: number;
  readonly #unknown: number;

  /**
   * `vocabulary`: a token for each id; a carriage return at its end is ignored. Throws an error
   * that names a missing token. `maxTokens` includes [CLS] and [SEP].
   */
  constructor(vocabulary: readonly string[], options: TokenizerOptions, maxTokens: number) {
    const ids = new Map<string, number>();
    for (const [id, line] of vocabulary.entries()) {
      const token = line.endsWith('\r') ? line.slice(0, -1) : line;
      if (token !== '' && !ids.has(token)) ids.set(token, id);
    }
    this.#ids = ids;
    this.#options = options;
    this.#maxTokens = maxTokens;
    this.#cls = idOf(ids, CLS);
    this.#sep = idOf(ids, SEP);
    this.#unknown = idOf(ids, UNKNOWN);
  }

  /** The ids of [CLS], as many tokens of the text as fit, and [SEP]. */
  encode(text: string): readonly number[] {
    const ids = [this.#cls];
    const most = this.#maxTokens - ENDS + 1;
    for (const id of this.#tokens(text)) {
      if (ids.length >= most) break;
      ids.push(id);
    }
    ids.push(this.#sep);
    return ids;
  }

  *#tokens(text: string): Iterable<number> {
    for (const part of text.split(SPELLED)) {
      const special = SPECIAL.includes(part) ? this.#ids.get(part) : undefined;
      if (special !== undefined) yield special;
      else for (const word of plainWords(part, this.#options)) yield* this.#pieces(word);
    }
  }

  /** A word with a part that no piece fits is unknown as a whole. */
  #pieces(word: string): readonly number[] {
    const characters = [...word];
    if (characters.length > MAX_WORD) return [this.#unknown];
    const pieces: number[] = [];
    for (let start = 0; start < characters.length; ) {
      const [id, end] = this.#longest(characters, start);
      if (id === undefined) return [this.#unknown];
      pieces.push(id);
      start = end;
    }
    return pieces;
  }

  #longest(characters: readonly string[], start: number): readonly [number | undefined, number] {
    const prefix = start === 0 ? '' : CONTINUED;
    for (let end = characters.length; end > start; end--) {
      const id = this.#ids.get(prefix + characters.slice(start, end).join(''));
      if (id !== undefined) return [id, end];
    }
    return [undefined, start];
  }
}

function idOf(ids: ReadonlyMap<string, number>, token: string): number {
  const id = ids.get(token);
  if (id === undefined) throw new Error(`has no [${token}] in its vocabulary, which BERT needs`);
  return id;
}
