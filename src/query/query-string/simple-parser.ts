// A simple query string to its syntax tree. One pass: operators bind to what follows, the same operator joins more
// clauses to one list, another one makes the list so far a clause of a new list.
import type { Occur, Syntax, SyntaxClause } from './parser.js';

/** Operators that may be switched off, and their bits. */
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
  /** Called for each word and phrase as it is read: may throw, so that a text of too many is not read to its end. */
  readonly countLeaf: () => void;
}

/** Groups that lie deeper are read as text of the group around them. */
const MAX_DEPTH = 32;
const MAX_EDITS = 2;
const EVERYTHING: Syntax = { type: 'any', field: '*', boost: 1 };

/** Undefined: no clause at all. */
export function parseSimple(text: string, grammar: SimpleGrammar): Syntax | undefined {
  if (text.trim() === '*') {
    grammar.countLeaf();
    return EVERYTHING;
  }
  const ends = new Ends(text, grammar.flags.has('ESCAPE'));
  return new SimpleParser(text, 0, text.length, grammar, ends, 0).parse();
}

/** No place in the text. */
const NOWHERE = -1;

/**
 * Where what is opened ends: the next quote, and the parenthesis that closes a group, for every place in the text. Each table is made
 * in one pass from the end, when it is first asked for: a search for every opening sign would take quadratic time where
 * none is closed.
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

  /** The first quote from `at` on that no backslash escapes. */
  quote(at: number): number {
    this.#quotes ??= this.#fromTheEnd((char, place) => (char === '"' ? place : undefined));
    return this.#quotes[at] ?? NOWHERE;
  }

  /** The first `)` from `at` on that closes no group which opened there or later. */
  parenthesis(at: number): number {
    this.#parentheses ??= this.#fromTheEnd((char, place, ends) => {
      if (char === ')') return place;
      if (char !== '(') return undefined;
      const inner = ends[place + 1] ?? NOWHERE;
      return inner === NOWHERE ? NOWHERE : ends[inner + 1];
    });
    return this.#parentheses[at] ?? NOWHERE;
  }

  /** `endAt`: the end from this place on; undefined where that is the end from the next place on. */
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
  #top: Syntax | undefined;
  /** Of `#top` where it is a list that this parser has begun. */
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
      // Even a space ends the reach of a minus.
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

  /** The first of several counts, and none before the first clause. */
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
  /** A place that this parser reaches. */
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
  /** Behind a tilde, to the end of the word. No number counts as 0. */
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

function isSpace(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r';
}
