// Parses a simple query string to its syntax tree in one pass. Operators bind to the following
// clause. The same operator adds clauses to one list; another operator makes the list so far a
// clause of a new list.
import type { QuarryError } from '../../errors.js';
import { illegal } from '../values.js';
import type { Occur, Syntax, SyntaxClause } from './parser.js';

/** The operators that can be disabled, and their bits. */
export const FLAGS = {
  AND: 1,
  NOT: 2,
  OR: 4,
  PREFIX: 8,
  PHRASE: 16,
  PRECEDENCE: 32,
  ESCAPE: 64,
  WHITESPACE: 128,
  FUZZY: 256,
  NEAR: 512,
} as const;
export type Flag = keyof typeof FLAGS;

export interface SimpleGrammar {
  readonly flags: ReadonlySet<Flag>;
  readonly defaultOperator: 'and' | 'or';
  /**
   * Called for each word and phrase as it is read. It may throw, so that a text with too many of
   * them is not read to its end.
   */
  readonly countLeaf: () => void;
}

/** Deeper groups are read as part of the group around them. */
const MAX_DEPTH = 32;
/** Lists in lists, which alternating operators make: the core refuses deeper ones. */
const MAX_LISTS = 64;
const MAX_EDITS = 2;
const EVERYTHING: Syntax = { type: 'any', field: '*', boost: 1 };

/** Returns undefined if the text has no clauses. */
export function parseSimple(text: string, grammar: SimpleGrammar): Syntax | undefined {
  if (text.trim() === '*') {
    grammar.countLeaf();
    return EVERYTHING;
  }
  const ends = new Ends(text, grammar.flags.has('ESCAPE'));
  return new SimpleParser(text, 0, text.length, grammar, ends, 0).parse();
}

/** The offset that stands for none. */
const NOWHERE = -1;

/**
 * The closing quote and the closing parenthesis for every offset in the text. Each table is built
 * on first use, in one pass from the end: a separate scan for every opening character would take
 * quadratic time if none is closed.
 */
export class Ends {
  readonly #text: string;
  readonly #escapes: boolean;
  #quotes: Int32Array | undefined;
  #parentheses: Int32Array | undefined;

  constructor(text: string, escapes: boolean) {
    this.#text = text;
    this.#escapes = escapes;
  }

  /** Returns the offset of the first unescaped quote from `at` on. */
  quote(at: number): number {
    this.#quotes ??= this.#fromTheEnd((char, place) => (char === '"' ? place : undefined));
    return this.#quotes[at] ?? NOWHERE;
  }

  /**
   * Returns the offset of the first `)` from `at` on that does not close a group opened at `at` or
   * later.
   */
  parenthesis(at: number): number {
    this.#parentheses ??= this.#fromTheEnd((char, place, ends) => {
      if (char === ')') return place;
      if (char !== '(') return undefined;
      const inner = ends[place + 1] ?? NOWHERE;
      return inner === NOWHERE ? NOWHERE : ends[inner + 1];
    });
    return this.#parentheses[at] ?? NOWHERE;
  }

  /**
   * `endAt` returns the end for this offset; undefined if it is the same as for the next offset.
   */
  #fromTheEnd(
    endAt: (char: string, place: number, ends: Int32Array) => number | undefined,
  ): Int32Array {
    const ends = new Int32Array(this.#text.length + 2).fill(NOWHERE);
    for (let place = this.#text.length - 1; place >= 0; place--) {
      const char = this.#text.charAt(place);
      const next = char === '\\' && this.#escapes ? place + 2 : place + 1;
      ends[place] = endAt(char, place, ends) ?? ends[next] ?? NOWHERE;
    }
    return ends;
  }
}

class SimpleParser {
  readonly #text: string;
  readonly #end: number;
  readonly #grammar: SimpleGrammar;
  readonly #ends: Ends;
  readonly #depth: number;
  #at: number;
  #operation: Occur | undefined;
  #previous: Occur | undefined;
  #nots = 0;
  #lists = 0;
  #top: Syntax | undefined;
  /** The clauses of `#top` if it is a list that this parser has started. */
  #clauses: SyntaxClause[] = [];

  constructor(
    text: string,
    start: number,
    end: number,
    grammar: SimpleGrammar,
    ends: Ends,
    depth: number,
  ) {
    this.#text = text;
    this.#at = start;
    this.#end = end;
    this.#grammar = grammar;
    this.#ends = ends;
    this.#depth = depth;
  }

  parse(): Syntax | undefined {
    while (this.#at < this.#end) {
      if (this.#char() === '-' && this.#has('NOT')) {
        this.#nots++;
        this.#at++;
        continue;
      }
      this.#step();
      // Any other character, even a space, ends the effect of a minus.
      this.#nots = 0;
    }
    return this.#top;
  }

  #step(): void {
    const char = this.#char();
    if (char === '(' && this.#has('PRECEDENCE')) this.#group();
    else if (char === ')' && this.#has('PRECEDENCE')) this.#at++;
    else if (char === '"' && this.#has('PHRASE')) this.#phrase();
    else if (char === '+' && this.#has('AND')) this.#operator('must');
    else if (char === '|' && this.#has('OR')) this.#operator('should');
    else if (isSpace(char) && this.#has('WHITESPACE')) this.#at++;
    else this.#word();
  }

  #char(): string {
    return this.#text.charAt(this.#at);
  }
  #has(flag: Flag): boolean {
    return this.#grammar.flags.has(flag);
  }
  #isEscape(): boolean {
    return this.#char() === '\\' && this.#has('ESCAPE');
  }

  /** The first of several operators applies; an operator before the first clause has no effect. */
  #operator(operation: Occur): void {
    if (this.#top !== undefined) this.#operation ??= operation;
    this.#at++;
  }

  #group(): void {
    const start = ++this.#at;
    const end = this.#within(this.#ends.parenthesis(start));
    if (end === undefined || this.#depth >= MAX_DEPTH) return;
    this.#at = end + 1;
    if (end === start) {
      this.#operation = undefined;
      return;
    }
    const depth = this.#depth + 1;
    this.#add(new SimpleParser(this.#text, start, end, this.#grammar, this.#ends, depth).parse());
  }
  /** Returns undefined for an offset outside the range of this parser. */
  #within(place: number): number | undefined {
    return place === NOWHERE || place >= this.#end ? undefined : place;
  }

  #phrase(): void {
    const start = ++this.#at;
    const end = this.#within(this.#ends.quote(start));
    if (end === undefined) return;
    let text = '';
    while (this.#at < end) {
      if (this.#isEscape()) this.#at++;
      text += this.#char();
      this.#at++;
    }
    this.#at++;
    if (this.#at - 1 === start) {
      this.#operation = undefined;
      return;
    }
    const near = this.#char() === '~' && this.#at < this.#end && this.#has('NEAR');
    const slop = near ? this.#number(0) : 0;
    this.#leaf({ type: 'phrase', field: '', boost: 1, text, slop });
  }

  #word(): void {
    let text = '';
    let prefix = false;
    let fuzzy = false;
    while (this.#at < this.#end) {
      if (this.#isEscape()) {
        prefix = false;
        this.#at++;
        if (this.#at >= this.#end) break;
      } else if (this.#isEndOfWord()) {
        break;
      } else if (text !== '' && this.#char() === '~' && this.#has('FUZZY')) {
        fuzzy = true;
        break;
      } else {
        prefix = text !== '' && this.#char() === '*' && this.#has('PREFIX');
      }
      text += this.#char();
      this.#at++;
    }
    if (text === '') return;
    const base = { field: '', boost: 1 };
    const edits = fuzzy ? Math.min(this.#number(MAX_EDITS), MAX_EDITS) : 0;
    if (edits > 0) this.#leaf({ ...base, type: 'fuzzy', text, edits: String(edits) });
    else if (prefix && !fuzzy) this.#leaf({ ...base, type: 'prefix', text: text.slice(0, -1) });
    else this.#leaf({ ...base, type: 'text', words: [text] });
  }
  #isEndOfWord(): boolean {
    const char = this.#char();
    if (char === '"') return this.#has('PHRASE');
    if (char === '|') return this.#has('OR');
    if (char === '+') return this.#has('AND');
    if (char === '(' || char === ')') return this.#has('PRECEDENCE');
    return isSpace(char) && this.#has('WHITESPACE');
  }
  /** Reads the number between a tilde and the end of the word. Other text counts as 0. */
  #number(whenBare: number): number {
    let text = '';
    this.#at++;
    while (this.#at < this.#end && !this.#isEndOfWord()) {
      text += this.#char();
      this.#at++;
    }
    if (text === '') return whenBare;
    return /^\d{1,9}$/.test(text) ? Number(text) : 0;
  }

  #leaf(syntax: Syntax): void {
    this.#grammar.countLeaf();
    this.#add(syntax);
  }

  #add(branch: Syntax | undefined): void {
    if (branch === undefined) return;
    const clause = this.#nots % 2 === 1 ? this.#negated(branch) : branch;
    if (this.#top === undefined) {
      this.#top = clause;
    } else {
      const operation =
        this.#operation ?? (this.#grammar.defaultOperator === 'and' ? 'must' : 'should');
      if (operation !== this.#previous) {
        if (++this.#lists > MAX_LISTS) throw tooDeep();
        this.#clauses = [{ occur: operation, syntax: this.#top }];
        this.#top = bool(this.#clauses, 'list');
        this.#previous = operation;
      }
      this.#clauses.push({ occur: operation, syntax: clause });
    }
    this.#operation = undefined;
  }

  #negated(syntax: Syntax): Syntax {
    this.#grammar.countLeaf();
    const clauses: readonly SyntaxClause[] = [
      { occur: 'must_not', syntax },
      { occur: 'should', syntax: EVERYTHING },
    ];
    return bool(clauses, 'negated');
  }
}

function bool(clauses: readonly SyntaxClause[], simple: 'list' | 'negated'): Syntax {
  return { type: 'bool', field: '', boost: 1, clauses, simple };
}

function tooDeep(): QuarryError {
  return illegal(
    `The nested depth of the query exceeds the maximum nested depth of [${MAX_LISTS}] levels: [+] and [|] alternate too often in [simple_query_string], group the words with parentheses`,
  );
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r';
}
