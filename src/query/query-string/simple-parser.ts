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
}

/** Groups that lie deeper are read as text of the group around them. */
const MAX_DEPTH = 32;
const MAX_EDITS = 2;
const EVERYTHING: Syntax = { type: 'any', field: '*', boost: 1 };

/** Undefined: no clause at all. */
export function parseSimple(text: string, grammar: SimpleGrammar): Syntax | undefined {
  if (text.trim() === '*') return EVERYTHING;
  return new SimpleParser(text, 0, text.length, grammar, 0).parse();
}

class SimpleParser {
  readonly #text: string;
  readonly #end: number;
  readonly #grammar: SimpleGrammar;
  readonly #depth: number;
  #at: number;
  #operation: Occur | undefined;
  #previous: Occur | undefined;
  #nots = 0;
  #top: Syntax | undefined;

  constructor(text: string, start: number, end: number, grammar: SimpleGrammar, depth: number) {
    this.#text = text;
    this.#at = start;
    this.#end = end;
    this.#grammar = grammar;
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
    const end = this.#closing();
    if (end === undefined || this.#depth >= MAX_DEPTH) return;
    this.#at = end + 1;
    if (end === start) {
      this.#operation = undefined;
      return;
    }
    const inner = new SimpleParser(this.#text, start, end, this.#grammar, this.#depth + 1);
    this.#add(inner.parse());
  }
  #closing(): number | undefined {
    let open = 1;
    for (let at = this.#at; at < this.#end; at++) {
      const char = this.#text.charAt(at);
      if (char === '\\' && this.#has('ESCAPE')) at++;
      else if (char === '(') open++;
      else if (char === ')' && --open === 0) return at;
    }
    return undefined;
  }

  #phrase(): void {
    const start = ++this.#at;
    let text = '';
    while (this.#at < this.#end && this.#char() !== '"') {
      if (this.#isEscape()) this.#at++;
      text += this.#char();
      this.#at++;
    }
    if (this.#at >= this.#end) {
      this.#at = start;
      return;
    }
    this.#at++;
    if (this.#at - 1 === start) {
      this.#operation = undefined;
      return;
    }
    const near = this.#char() === '~' && this.#at < this.#end && this.#has('NEAR');
    const slop = near ? this.#number(0) : 0;
    this.#add({ type: 'phrase', field: '', boost: 1, text, slop });
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
    if (edits > 0) this.#add({ ...base, type: 'fuzzy', text, edits: String(edits) });
    else if (prefix && !fuzzy) this.#add({ ...base, type: 'prefix', text: text.slice(0, -1) });
    else this.#add({ ...base, type: 'text', words: [text] });
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

  #add(branch: Syntax | undefined): void {
    if (branch === undefined) return;
    const clause = this.#nots % 2 === 1 ? negated(branch) : branch;
    if (this.#top === undefined) {
      this.#top = clause;
    } else {
      const operation =
        this.#operation ?? (this.#grammar.defaultOperator === 'and' ? 'must' : 'should');
      const joined =
        operation === this.#previous && this.#top.type === 'bool'
          ? this.#top.clauses
          : [{ occur: operation, syntax: this.#top }];
      this.#top = bool([...joined, { occur: operation, syntax: clause }]);
      this.#previous = operation;
    }
    this.#operation = undefined;
  }
}

function bool(clauses: readonly SyntaxClause[]): Syntax {
  return { type: 'bool', field: '', boost: 1, clauses };
}

function negated(syntax: Syntax): Syntax {
  return bool([
    { occur: 'must_not', syntax },
    { occur: 'should', syntax: EVERYTHING },
  ]);
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r';
}
