// Finds the declarations of a C++ file in its namespaces by reading tokens. It is no parser of the
// language, but sufficient for code in this repository's format. Bodies of functions and classes
// are skipped.

export interface Declaration {
  /** The enclosing namespaces; an unnamed one is ''. */
  readonly scope: readonly string[];
  readonly name: string;
  readonly kind:
    | 'function'
    | 'variable'
    | 'type'
    | 'forward'
    | 'enumerator'
    | 'using'
    | 'using namespace';
}

type Emit = (scope: readonly string[], name: string, kind: Declaration['kind']) => void;

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|^[ \t]*#(?:[^\n\\]|\\[\s\S])*|R"([^()\\ ]{0,16})\([\s\S]*?\)\1"|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|(?:0[xX][\da-fA-F']+|\d[\d'.eE]*)\w*|[A-Za-z_]\w*|::|<=>|[-+*/%&|^=!<>]=|<<|&&|\|\||->|\S/gm;
const WORD = /^[A-Za-z_]\w*$/;
const SPECIFIER =
  /^(?:static|inline|constexpr|const|constinit|extern|thread_local|typedef|consteval|volatile)$/;
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

export function declarationsOf(text: string): Declaration[] {
  const found: Declaration[] = [];
  const tokens = [...text.matchAll(TOKEN)]
    .map(([token]) => token)
    .filter((token) => !/^(?:\/\/|\/\*|\s*#)/.test(token));
  new Reader(tokens, (scope, name, kind) => found.push({ scope, name, kind })).namespace(
    0,
    tokens.length,
    [],
  );
  return found;
}

class Reader {
  readonly #tokens: readonly string[];
  readonly #emit: Emit;

  constructor(tokens: readonly string[], emit: Emit) {
    this.#tokens = tokens;
    this.#emit = emit;
  }

  namespace(from: number, to: number, scope: readonly string[]): void {
    for (let at = from; at < to; ) {
      const token = this.#token(at);
      if (token === ';' || token === '}') at++;
      else if (token === 'inline' && this.#token(at + 1) === 'namespace') at++;
      else if (token === 'namespace') at = this.#nested(at, scope);
      else if (token === 'static_assert') at = this.#find(at, ';') + 1;
      else if (token === 'using') at = this.#using(at, scope);
      else at = Math.max(this.#declaration(at, to, scope), at + 1);
    }
  }

  #token(at: number): string {
    return this.#tokens[at] ?? '';
  }

  #isWord(at: number): boolean {
    return WORD.test(this.#token(at));
  }

  /** The position where a bracket closes. */
  #close(at: number): number {
    const open = this.#token(at);
    const closing = CLOSING[open];
    let depth = 0;
    for (let i = at; i < this.#tokens.length; i++) {
      if (this.#token(i) === open) depth++;
      else if (this.#token(i) === closing && --depth === 0) return i;
    }
    return this.#tokens.length;
  }

  /** The position where a list of template arguments closes; `at` itself if `<` is no bracket. */
  #closeAngle(at: number): number {
    let depth = 0;
    for (let i = at; i < this.#tokens.length; i++) {
      const token = this.#token(i);
      if (token in CLOSING) i = this.#close(i);
      else if (token === '<') depth++;
      else if (token === '>' && --depth === 0) return i;
      else if (token === '>=') return i;
      else if (token === ';') return at;
    }
    return at;
  }

  /** The next of one of `tokens` outside of brackets. */
  #find(at: number, ...tokens: readonly string[]): number {
    let i = at;
    while (i < this.#tokens.length && !tokens.includes(this.#token(i))) {
      i = (this.#token(i) in CLOSING ? this.#close(i) : i) + 1;
    }
    return i;
  }

  #nested(at: number, scope: readonly string[]): number {
    const begin = this.#find(at, '{', ';');
    if (this.#token(begin) === ';') return begin; // an alias
    const name = this.#tokens.slice(at + 1, begin).join('');
    const end = this.#close(begin);
    this.namespace(begin + 1, end, [...scope, name]);
    return end + 1;
  }

  #using(at: number, scope: readonly string[]): number {
    const end = this.#find(at, ';');
    if (this.#token(at + 1) === 'namespace') {
      this.#emit(scope, this.#tokens.slice(at + 2, end).join(''), 'using namespace');
    } else if (this.#token(at + 2) === '=') this.#emit(scope, this.#token(at + 1), 'type');
    else this.#emit(scope, this.#token(end - 1), 'using');
    return end + 1;
  }

  #declaration(from: number, to: number, scope: readonly string[]): number {
    let last = -1; // the word that may be the name
    let specifiers = true;
    for (let at = from; at < to; ) {
      const token = this.#token(at);
      const skipped = this.#skip(at, last);
      if (skipped > at) {
        at = skipped;
      } else if (specifiers && /^(?:struct|class|union|enum)$/.test(token) && this.#isType(at)) {
        return this.#type(at, scope);
      } else if (token === 'operator') {
        const begin = this.#find(at + (this.#token(at + 1) === '(' ? 3 : 1), '(');
        const name = this.#tokens.slice(at, begin).join('');
        if (this.#token(at - 1) !== '::') this.#emit(scope, name, 'function');
        return this.#functionEnd(this.#close(begin) + 1, to);
      } else if (token === '(') {
        this.#name(scope, last, 'function');
        return this.#functionEnd(this.#close(at) + 1, to);
      } else if (['=', '{', '[', ';'].includes(token)) {
        this.#name(scope, last, 'variable');
        return this.#find(at, ';') + 1;
      } else {
        specifiers &&= SPECIFIER.test(token);
        if (this.#isWord(at)) last = at;
        at++;
      }
    }
    return to;
  }

  #name(scope: readonly string[], at: number, kind: Declaration['kind']): void {
    if (at >= 0 && this.#token(at - 1) !== '::') this.#emit(scope, this.#token(at), kind);
  }

  /**
   * Skips what does not belong to the name: template heads and arguments, attributes, constraints.
   */
  #skip(at: number, last: number): number {
    const token = this.#token(at);
    if (token === 'template') return this.#closeAngle(at + 1) + 1;
    if (token === '<' && last >= 0) return this.#closeAngle(at) + 1;
    if (token === '[' && this.#token(at + 1) === '[') return this.#close(at) + 1;
    if (/^(?:__attribute__|alignas|decltype)$/.test(token)) return this.#close(at + 1) + 1;
    return token === 'requires' ? this.#constraintEnd(at + 1) : at;
  }

  #constraintEnd(from: number): number {
    let at = from;
    do {
      if (/^(?:&&|\|\|)$/.test(this.#token(at))) at++;
      if (this.#token(at) === '(') at = this.#close(at) + 1;
      else {
        while (this.#isWord(at) || this.#token(at) === '::') at++;
        if (this.#token(at) === '<') at = this.#closeAngle(at) + 1;
      }
    } while (/^(?:&&|\|\|)$/.test(this.#token(at)));
    return at;
  }

  /** The position of the name of a type, and that of the next token. */
  #typeName(at: number): { name: number; next: number } {
    let name = at + 1;
    if (/^(?:class|struct)$/.test(this.#token(name))) name++;
    while (this.#token(name) === '[' || this.#token(name) === 'alignas') {
      name = this.#close(this.#token(name) === '[' ? name : name + 1) + 1;
    }
    while (this.#token(name + 1) === '::') name += 2;
    let next = name + 1;
    if (this.#token(next) === '<') next = this.#closeAngle(next) + 1;
    if (this.#token(next) === 'final') next++;
    return { name, next };
  }

  /** False for the return type of a function, or the type of a variable. */
  #isType(at: number): boolean {
    return ['{', ':', ';'].includes(this.#token(this.#typeName(at).next));
  }

  #type(at: number, scope: readonly string[]): number {
    const { name, next } = this.#typeName(at);
    const begin = this.#find(next, '{', ';');
    const forward = this.#token(begin) === ';';
    if (this.#isWord(name)) this.#name(scope, name, forward ? 'forward' : 'type');
    if (forward) return begin + 1;
    if (this.#token(at) === 'enum' && name === at + 1) this.#enumerators(begin, scope);
    return this.#find(this.#close(begin) + 1, ';') + 1;
  }

  #enumerators(begin: number, scope: readonly string[]): void {
    const end = this.#close(begin);
    for (let at = begin + 1; at < end; at++) {
      if (this.#isWord(at) && /^[{,]$/.test(this.#token(at - 1))) {
        this.#emit(scope, this.#token(at), 'enumerator');
      }
    }
  }

  /** The position after the body of a function, or after `;` if it has none. */
  #functionEnd(from: number, to: number): number {
    for (let at = from; at < to; ) {
      const begin = this.#find(at, '{', ';');
      if (this.#token(begin) !== '{') return begin + 1;
      const end = this.#close(begin);
      // `a_{1}, b_{2} {`: members that a constructor initializes.
      const before = this.#token(begin - 1);
      const member =
        WORD.test(before) && !/^(?:const|noexcept|override|final|mutable)$/.test(before);
      if (!member || !/^[,{]$/.test(this.#token(end + 1))) return end + 1;
      at = end + 1;
    }
    return to;
  }
}
