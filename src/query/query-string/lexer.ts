// The tokens of a query string, by the lexical rules of Lucene's classic query parser
// (QueryParser.jj): the longest match wins.

export type Token = { readonly at: number } & (
  | { readonly type: 'and' | 'or' | 'not' | 'plus' | 'minus' | 'open' | 'close' | 'colon' | 'end' }
  /** `text` is as written, escapes included. star: a lone `*`. */
  | {
      readonly type: 'term' | 'star' | 'prefix' | 'wildcard' | 'quoted' | 'regexp';
      readonly text: string;
    }
  /** `~`, `~1`, `~0.5`; `text` is the part after the tilde. */
  | { readonly type: 'tilde'; readonly text: string }
  | { readonly type: 'boost'; readonly value: number }
  | {
      readonly type: 'range';
      readonly lower: RangeEnd;
      readonly upper: RangeEnd;
      readonly includeLower: boolean;
      readonly includeUpper: boolean;
    }
);

export interface RangeEnd {
  readonly text: string;
  readonly quoted: boolean;
}

/**
 * The error for characters that begin no token, and for tokens that begin no clause. `at` is an
 * offset in characters.
 */
export class QuerySyntaxError extends Error {
  readonly at: number;

  constructor(reason: string, at: number) {
    super(reason);
    this.at = at;
  }
}

const SPACES = ' \t\n\r\u3000';
/** Characters that cannot start a term; inside a term, `+` and `-` are ordinary characters. */
const SPECIAL = `${SPACES}+-!():^[]"{}~*?\\/`;
const OPERATORS: Readonly<Record<string, 'and' | 'or' | 'not'>> = {
  AND: 'and',
  '&&': 'and',
  OR: 'or',
  '||': 'or',
  NOT: 'not',
};
const SIGNS: Readonly<Record<string, 'plus' | 'minus' | 'not' | 'open' | 'close' | 'colon'>> = {
  '+': 'plus',
  '-': 'minus',
  '!': 'not',
  '(': 'open',
  ')': 'close',
  ':': 'colon',
};

/** Escapes characters for use in the brackets of a regular expression. */
const escapeClass = (characters: string): string => characters.replace(/[\\\]^-]/g, '\\$&');
const OF_SEVERAL_WORDS = new RegExp(`[^${SPACES}]+`, 'g');
/** Finds special characters anywhere, and operator words that stand alone. */
const MARKED = new RegExp(
  `[${escapeClass(SPECIAL.slice(SPACES.length))}]|(?<![^${SPACES}])(?:AND|OR|NOT|&&|\\|\\|)(?![^${SPACES}])`,
);

/**
 * Returns the words of a text that consists of at least two plain words, which is the most common
 * query; undefined for other texts.
 */
export function plainWords(text: string): readonly string[] | undefined {
  if (MARKED.test(text)) return undefined;
  const words = text.match(OF_SEVERAL_WORDS);
  return words === null || words.length < 2 ? undefined : words;
}

/**
 * The tokens of a text. Each is read on first access, so that an error is reported without reading
 * the rest of the text.
 */
export class Tokens {
  readonly #text: string;
  readonly #read: Token[] = [];
  #next: number;

  constructor(text: string) {
    this.#text = text;
    this.#next = skipSpaces(text, 0);
  }

  /** Returns an `end` token for any index after the last token. Throws QuerySyntaxError. */
  at(index: number): Token {
    while (this.#read.length <= index) {
      if (this.#next >= this.#text.length) return { type: 'end', at: this.#next };
      const { token, next } = readToken(this.#text, this.#next);
      this.#read.push(token);
      this.#next = skipSpaces(this.#text, next);
    }
    return this.#read[index] as Token;
  }

  slice(from: number, to: number): readonly Token[] {
    return this.#read.slice(from, to);
  }
}

interface LexedToken {
  readonly token: Token;
  readonly next: number;
}

const SPACE_RUN = new RegExp(`[${SPACES}]*`, 'y');
/**
 * Characters that neither end a term nor have another meaning, which most of a long text consists
 * of.
 */
const LETTER_RUN = new RegExp(`[^${escapeClass(SPECIAL)}]+`, 'y');

const RANGE_END = /[^ \]}]+/y;

/** A longer text after a tilde cannot be a number. */
const MAX_TILDE = 64;
const TILDE_RUN = new RegExp(`^[^${escapeClass(SPECIAL.replace(/[+-]/g, ''))}]*`);

function skipSpaces(text: string, from: number): number {
  SPACE_RUN.lastIndex = from;
  SPACE_RUN.test(text);
  return SPACE_RUN.lastIndex;
}

function readToken(text: string, at: number): LexedToken {
  const first = text.charAt(at);
  const sign = SIGNS[first];
  const follower = text.charAt(at + 1);
  if ('+-!'.includes(first) && follower !== '' && SPACES.includes(follower)) {
    return { token: { type: 'term', text: first, at }, next: at + 1 };
  }
  if (sign !== undefined) return { token: { type: sign, at }, next: at + 1 };
  switch (first) {
    case '"':
      return readEnclosed(text, at, 'quoted');
    case '/':
      return readEnclosed(text, at, 'regexp');
    case '[':
    case '{':
      return readRange(text, at);
    case '~':
      return readTilde(text, at);
    case '^':
      return readBoost(text, at);
    case ']':
    case '}':
      throw new QuerySyntaxError(`Lexical error: unexpected "${first}"`, at);
    default:
      return readTerm(text, at);
  }
}

/** Reads up to the next unescaped quote or slash. */
function readEnclosed(text: string, at: number, type: 'quoted' | 'regexp'): LexedToken {
  const end = text.charAt(at);
  let next = at + 1;
  while (next < text.length && text.charAt(next) !== end) {
    next += text.charAt(next) === '\\' ? 2 : 1;
  }
  if (next >= text.length) throw new QuerySyntaxError(`Lexical error: no closing ${end}`, at);
  return { token: { type, text: text.slice(at + 1, next), at }, next: next + 1 };
}

/** Reads a tilde and the text after it, which is the edits or the slop. */
function readTilde(text: string, at: number): LexedToken {
  const characters = TILDE_RUN.exec(text.slice(at + 1, at + 1 + MAX_TILDE))?.[0] ?? '';
  return { token: { type: 'tilde', text: characters, at }, next: at + 1 + characters.length };
}

function readBoost(text: string, at: number): LexedToken {
  const number = /^\s*\d+(\.\d+)?/.exec(text.slice(at + 1, at + 33))?.[0];
  if (number === undefined) throw new QuerySyntaxError('Expected a number after "^"', at);
  return { token: { type: 'boost', value: Number(number), at }, next: at + 1 + number.length };
}

function readTerm(text: string, at: number): LexedToken {
  let next = at;
  let wild = 0;
  while (next < text.length) {
    LETTER_RUN.lastIndex = next;
    if (LETTER_RUN.test(text)) {
      next = LETTER_RUN.lastIndex;
      continue;
    }
    const char = text.charAt(next);
    if (char === '\\') {
      if (next + 1 >= text.length) {
        throw new QuerySyntaxError('Term can not end with escape character.', next);
      }
      next += 2;
      continue;
    }
    if (char === '*' || char === '?') wild++;
    else if (SPECIAL.includes(char) && (next === at || !'+-'.includes(char))) break;
    next++;
  }
  const image = text.slice(at, next);
  const operator = OPERATORS[image];
  if (operator !== undefined) return { token: { type: operator, at }, next };
  return { token: { type: termType(image, wild), text: image, at }, next };
}

function termType(image: string, wild: number): 'term' | 'star' | 'prefix' | 'wildcard' {
  if (image === '*') return 'star';
  if (wild === 0) return 'term';
  return wild === 1 && endsInBareStar(image) ? 'prefix' : 'wildcard';
}

/** Whether the final star is unescaped: the number of backslashes before it is even. */
function endsInBareStar(image: string): boolean {
  if (!image.endsWith('*')) return false;
  let at = image.length - 2;
  while (image.charAt(at) === '\\') at--;
  return (image.length - at) % 2 === 0;
}

/** Reads `[a TO b]`, `{a TO b}` and combinations of both brackets. */
function readRange(text: string, at: number): LexedToken {
  const lower = readRangeEnd(text, skipSpaces(text, at + 1));
  const to = skipSpaces(text, lower.next);
  if (text.slice(to, to + 2) !== 'TO' || !SPACES.includes(text.charAt(to + 2) || 'x')) {
    throw new QuerySyntaxError('Expected "TO" between the ends of a range', to);
  }
  const upper = readRangeEnd(text, skipSpaces(text, to + 2));
  const close = skipSpaces(text, upper.next);
  const sign = text.charAt(close);
  if (sign !== ']' && sign !== '}') {
    throw new QuerySyntaxError('Expected "]" or "}" at the end of a range', close);
  }
  const token: Token = {
    type: 'range',
    at,
    lower: lower.end,
    upper: upper.end,
    includeLower: text.charAt(at) === '[',
    includeUpper: sign === ']',
  };
  return { token, next: close + 1 };
}

function readRangeEnd(text: string, at: number): { end: RangeEnd; next: number } {
  if (text.charAt(at) === '"') {
    const { token, next } = readEnclosed(text, at, 'quoted');
    return { end: { text: 'text' in token ? token.text : '', quoted: true }, next };
  }
  RANGE_END.lastIndex = at;
  const image = RANGE_END.exec(text)?.[0];
  if (image === undefined) throw new QuerySyntaxError('Expected a value in a range', at);
  return { end: { text: image, quoted: false }, next: at + image.length };
}

/** Removes backslashes: `\:` becomes `:`, `\u0041` becomes `A`. */
export function unescapeText(text: string, at: number): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(u[0-9a-fA-F]{4}|u|[\s\S]|$)/g, (_, escaped: string) => {
    if (escaped === '') {
      throw new QuerySyntaxError('Term can not end with escape character.', at);
    }
    if (escaped === 'u') throw new QuerySyntaxError('Truncated unicode escape sequence.', at);
    return escaped.length === 5
      ? String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
      : escaped;
  });
}

/** Escapes every character that has a meaning (`escape: true`). */
export function escapeAll(text: string): string {
  return text.replace(/[\\+\-!():^[\]"{}~*?|&/]/g, '\\$&');
}
