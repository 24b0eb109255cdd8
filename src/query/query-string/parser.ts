// Parses a query string to its syntax tree by the grammar of Lucene's classic query parser, with
// its rules for the effect of AND, OR, NOT, + and - on adjacent clauses. Consecutive words without
// an operator stay one text, which is analysed as a whole.
import {
  plainWords,
  QuerySyntaxError,
  type RangeEnd,
  type Token,
  Tokens,
  unescapeText,
} from './lexer.js';

/** An empty `field` stands for the default fields. Texts are unescaped, patterns are not. */
export type Syntax = { readonly field: string; readonly boost: number } & (
  | { readonly type: 'text'; readonly words: readonly string[] }
  | { readonly type: 'phrase'; readonly text: string; readonly slop: number | undefined }
  | { readonly type: 'prefix'; readonly text: string }
  | { readonly type: 'wildcard'; readonly pattern: string }
  | { readonly type: 'regexp'; readonly pattern: string }
  /** Empty `edits`: the default of the request for a bare `~`. */
  | { readonly type: 'fuzzy'; readonly text: string; readonly edits: string }
  /** An undefined bound leaves the range open on that side. */
  | {
      readonly type: 'range';
      readonly lower: string | undefined;
      readonly upper: string | undefined;
      readonly includeLower: boolean;
      readonly includeUpper: boolean;
    }
  | { readonly type: 'any' }
  | {
      readonly type: 'bool';
      readonly clauses: readonly SyntaxClause[];
      /**
       * Set by the parser of simple query strings: clauses joined by an operator, or all documents
       * except those of one clause.
       */
      readonly simple?: 'list' | 'negated';
    }
);

export type Occur = 'must' | 'should' | 'must_not';

export interface SyntaxClause {
  readonly occur: Occur;
  readonly syntax: Syntax;
}

/** The largest position in a text. */
const MAX_SLOP = 2 ** 31 - 1;

export interface GrammarOptions {
  readonly defaultOperator: 'and' | 'or';
  /**
   * False: in a query with operators, every word is a clause of its own, because
   * minimum_should_match counts clauses.
   */
  readonly joinWords: boolean;
  readonly maxDepth: number;
  /**
   * Called for each text, phrase and pattern as it is read. It may throw, so that a text with too
   * many of them is not read to its end.
   */
  readonly countLeaf: () => void;
}

/** Returns undefined for a blank query. Throws QuerySyntaxError. */
export function parseQueryString(text: string, options: GrammarOptions): Syntax | undefined {
  const words = plainWords(text);
  if (words === undefined) return parseTokens(new Tokens(text), options);
  options.countLeaf();
  return textOf('', words);
}

/** Like parseQueryString(), for tokens. */
export function parseTokens(tokens: Tokens, options: GrammarOptions): Syntax | undefined {
  if (tokens.at(0).type === 'end') return undefined;
  const parser = new Parser(tokens, options);
  return parser.whole();
}

function textOf(field: string, words: readonly string[]): Syntax {
  return { type: 'text', field, boost: 1, words };
}

class Parser {
  readonly #tokens: Tokens;
  readonly #options: GrammarOptions;
  #next = 0;
  #depth = 0;

  constructor(tokens: Tokens, options: GrammarOptions) {
    this.#tokens = tokens;
    this.#options = options;
  }

  whole(): Syntax {
    const syntax = this.#query('');
    const token = this.#peek();
    if (token.type !== 'end') throw encountered(token);
    return syntax;
  }

  /** Reads clauses up to `)` or the end. */
  #query(field: string): Syntax {
    const clauses: { occur: Occur; syntax: Syntax }[] = [];
    let plain = false;
    do {
      const words = this.#words(field);
      if (words !== undefined) {
        plain = clauses.length === 0;
        const occur = this.#options.defaultOperator === 'or' ? 'should' : 'must';
        clauses.push({ occur, syntax: words });
        continue;
      }
      const conjunction = clauses.length === 0 ? undefined : this.#conjunction();
      const modifier = this.#modifier();
      plain = clauses.length === 0 && modifier === undefined;
      const syntax = this.#clause(field);
      this.#add(clauses, conjunction, modifier, syntax);
    } while (!['end', 'close'].includes(this.#peek().type));
    const [only] = clauses;
    if (plain && only !== undefined && clauses.length === 1) return only.syntax;
    return { type: 'bool', field: '', boost: 1, clauses };
  }

  /** Follows Lucene's QueryParserBase.addClause. */
  #add(
    clauses: { occur: Occur; syntax: Syntax }[],
    conjunction: 'and' | 'or' | undefined,
    modifier: 'plus' | 'minus' | undefined,
    syntax: Syntax,
  ): void {
    const byDefault = this.#options.defaultOperator;
    const previous = clauses.at(-1);
    if (previous !== undefined && previous.occur !== 'must_not') {
      if (conjunction === 'and') previous.occur = 'must';
      if (conjunction === 'or' && byDefault === 'and') previous.occur = 'should';
    }
    const required =
      byDefault === 'or'
        ? modifier === 'plus' || (conjunction === 'and' && modifier !== 'minus')
        : conjunction !== 'or' || modifier === 'plus';
    const occur = modifier === 'minus' ? 'must_not' : required ? 'must' : 'should';
    clauses.push({ occur, syntax });
  }

  /** Reads at least two consecutive words without operators or modifiers. */
  #words(field: string): Syntax | undefined {
    if (!this.#options.joinWords) return undefined;
    let end = this.#next;
    while (this.#tokens.at(end).type === 'term' && !binds(this.#tokens.at(end + 1))) end++;
    if (end - this.#next < 2 || this.#peek().type !== 'term') return undefined;
    this.#options.countLeaf();
    const words = this.#tokens.slice(this.#next, end).map(wordOf);
    this.#next = end;
    return textOf(field, words);
  }

  #conjunction(): 'and' | 'or' | undefined {
    const { type } = this.#peek();
    if (type !== 'and' && type !== 'or') return undefined;
    this.#next++;
    return type;
  }

  #modifier(): 'plus' | 'minus' | undefined {
    const { type } = this.#peek();
    if (type !== 'plus' && type !== 'minus' && type !== 'not') return undefined;
    this.#next++;
    return type === 'plus' ? 'plus' : 'minus';
  }

  /** Reads `[field:] (term | group)`. */
  #clause(outer: string): Syntax {
    let field = outer;
    const token = this.#peek();
    if (this.#tokens.at(this.#next + 1).type === 'colon') {
      if (token.type === 'term') field = unescapeText(token.text, token.at);
      else if (token.type === 'star') field = '*';
      else throw encountered(token);
      this.#next += 2;
    }
    return this.#peek().type === 'open' ? this.#group(field) : this.#term(field);
  }

  #group(field: string): Syntax {
    const open = this.#take();
    if (++this.#depth > this.#options.maxDepth) {
      throw new QuerySyntaxError(
        `Groups are nested deeper than ${this.#options.maxDepth}`,
        open.at,
      );
    }
    const inner = this.#query(field);
    const close = this.#take();
    if (close.type !== 'close') throw encountered(close);
    this.#depth--;
    return { ...inner, boost: inner.boost * this.#boost() };
  }

  /** Reads one leaf with its `~` and `^`, in either order. */
  #term(field: string): Syntax {
    const token = this.#take();
    this.#options.countLeaf();
    let tilde = this.#tilde();
    const boost = this.#boost();
    tilde ??= this.#tilde();
    return leaf(token, field, boost, tilde);
  }

  #tilde(): string | undefined {
    const token = this.#peek();
    if (token.type !== 'tilde') return undefined;
    this.#next++;
    return token.text;
  }
  #boost(): number {
    const token = this.#peek();
    if (token.type !== 'boost') return 1;
    this.#next++;
    return token.value;
  }
  #peek(): Token {
    return this.#tokens.at(this.#next);
  }
  #take(): Token {
    const token = this.#peek();
    this.#next++;
    return token;
  }
}

/** Whether the token belongs to the word before it, which is then not part of a run of words. */
function binds(token: Token): boolean {
  return ['colon', 'star', 'tilde', 'boost', 'and', 'or'].includes(token.type);
}

function wordOf(token: Token): string {
  return 'text' in token ? unescapeText(token.text, token.at) : '';
}

function leaf(token: Token, field: string, boost: number, tilde: string | undefined): Syntax {
  switch (token.type) {
    case 'star':
      return { field, boost, type: 'any' };
    case 'prefix':
      return {
        field,
        boost,
        type: 'prefix',
        text: unescapeText(token.text.slice(0, -1), token.at),
      };
    case 'wildcard':
      return { field, boost, type: 'wildcard', pattern: token.text };
    case 'regexp':
      return { field, boost, type: 'regexp', pattern: token.text };
    case 'quoted': {
      return {
        field,
        boost,
        type: 'phrase',
        text: unescapeText(token.text, token.at),
        slop: slopOf(tilde, token.at),
      };
    }
    case 'range': {
      const { lower, upper, includeLower, includeUpper, at } = token;
      const ends = { lower: endOf(lower, at), upper: endOf(upper, at) };
      return { field, boost, type: 'range', ...ends, includeLower, includeUpper };
    }
    case 'term':
      if (tilde === undefined) return { field, boost, type: 'text', words: [wordOf(token)] };
      return { field, boost, type: 'fuzzy', text: wordOf(token), edits: tilde };
    default:
      throw encountered(token);
  }
}

/** Returns the slop of a phrase; undefined if the text is not a number, as if it were absent. */
function slopOf(tilde: string | undefined, at: number): number | undefined {
  const slop = tilde === undefined || tilde === '' ? Number.NaN : Math.trunc(Number(tilde));
  if (slop < 0) throw new QuerySyntaxError(`Slop must be >= 0, cannot be ${slop}`, at);
  return Number.isNaN(slop) ? undefined : Math.min(slop, MAX_SLOP);
}

function endOf(end: RangeEnd, at: number): string | undefined {
  return end.text === '*' && !end.quoted ? undefined : unescapeText(end.text, at);
}

function encountered(token: Token): QuerySyntaxError {
  const what = token.type === 'end' ? '<EOF>' : 'text' in token ? token.text : token.type;
  return new QuerySyntaxError(`Encountered "${what}"`, token.at);
}
