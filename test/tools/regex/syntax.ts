// Parses a JavaScript regular expression to a tree, for tests that count the steps of a
// backtracking matcher.

export type Node =
  /** One character; `chars`: those that the expression spells out. */
  | { readonly kind: 'set'; readonly accepts: (char: string) => boolean; readonly chars: string }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'choice'; readonly items: readonly Node[] }
  | {
      readonly kind: 'repeat';
      readonly of: Node;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    }
  /** `name`: number or name of the group; undefined: it captures nothing. */
  | { readonly kind: 'group'; readonly name: string | undefined; readonly of: Node }
  | {
      readonly kind: 'look';
      readonly behind: boolean;
      readonly negative: boolean;
      readonly of: Node;
    }
  | { readonly kind: 'place'; readonly sign: '^' | '$' | 'b' | 'B' }
  | { readonly kind: 'back'; readonly name: string };

export interface Expression {
  readonly source: string;
  readonly flags: string;
}

export function parseExpression({ source, flags }: Expression): Node {
  const parser = new Parser(source, flags);
  return parser.whole();
}

const QUANTIFIER = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\??)/;
const GROUP = /^\((?:\?(?:(:)|(<?[=!])|<([^>]+)>))?/;
/** An escape that stands for one character of some set, or for itself. */
const ESCAPE =
  /^\\(?:[pP]\{[^}]*\}|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|c[A-Za-z]|[\s\S])/;

class Parser {
  #rest: string;
  readonly #flags: string;
  #groups = 0;

  constructor(source: string, flags: string) {
    this.#rest = source;
    this.#flags = flags.replace(/[^isuv]/g, '');
  }

  whole(): Node {
    const node = this.#choice();
    if (this.#rest !== '') throw new Error(`unexpected [${this.#rest}]`);
    return node;
  }

  #choice(): Node {
    const items = [this.#sequence()];
    while (this.#takes('|')) items.push(this.#sequence());
    return items.length === 1 ? (items[0] as Node) : { kind: 'choice', items };
  }

  #sequence(): Node {
    const items: Node[] = [];
    while (this.#rest !== '' && this.#rest[0] !== '|' && this.#rest[0] !== ')') {
      items.push(this.#repeated(this.#atom()));
    }
    return items.length === 1 ? (items[0] as Node) : { kind: 'sequence', items };
  }

  #repeated(of: Node): Node {
    const match = QUANTIFIER.exec(this.#rest);
    if (match === null) return of;
    const [whole, sign, least, comma, most, lazy] = match;
    this.#rest = this.#rest.slice(whole.length);
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0;
    const bounded = comma === undefined ? min : most === '' ? Infinity : Number(most);
    const max = sign === undefined ? bounded : sign === '?' ? 1 : Infinity;
    return { kind: 'repeat', of, min, max, lazy: lazy === '?' };
  }

  #atom(): Node {
    const first = this.#rest[0] ?? '';
    if (first === '(') return this.#group();
    if (first === '[') return this.#set(classEnd(this.#rest));
    if (first === '\\') return this.#escape();
    if ((first === '^' || first === '$') && this.#takes(first)) {
      return { kind: 'place', sign: first };
    }
    return this.#set(1);
  }

  #group(): Node {
    const [whole, plain, look, name] = GROUP.exec(this.#rest) ?? [''];
    this.#rest = this.#rest.slice(whole.length);
    const captures = plain === undefined && look === undefined;
    const number = captures ? String(++this.#groups) : undefined;
    const of = this.#choice();
    if (!this.#takes(')')) throw new Error('a group without an end');
    if (look === undefined) return { kind: 'group', name: name ?? number, of };
    return { kind: 'look', behind: look.startsWith('<'), negative: look.endsWith('!'), of };
  }

  #escape(): Node {
    const back = /^\\(?:([1-9]\d*)|k<([^>]+)>)/.exec(this.#rest);
    if (back !== null) {
      this.#rest = this.#rest.slice(back[0].length);
      return { kind: 'back', name: back[1] ?? back[2] ?? '' };
    }
    const second = this.#rest[1];
    if (second === 'b' || second === 'B') {
      this.#rest = this.#rest.slice(2);
      return { kind: 'place', sign: second };
    }
    return this.#set((ESCAPE.exec(this.#rest)?.[0] ?? '\\').length);
  }

  /** The next `length` characters of the expression stand for one character of the text. */
  #set(length: number): Node {
    const source = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    const expression = new RegExp(`^(?:${source})$`, this.#flags);
    const known = new Map<string, boolean>();
    const accepts = (char: string): boolean => {
      const before = known.get(char);
      if (before !== undefined) return before;
      const now = expression.test(char);
      known.set(char, now);
      return now;
    };
    return { kind: 'set', accepts, chars: spelled(source) };
  }

  #takes(sign: string): boolean {
    if (!this.#rest.startsWith(sign)) return false;
    this.#rest = this.#rest.slice(sign.length);
    return true;
  }
}

function classEnd(text: string): number {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === ']') return at + 1;
  }
  throw new Error('a class without an end');
}

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '\0' };

/** The literal characters in a class, an escape or a character. */
function spelled(source: string): string {
  return source
    .replace(/\\(?:[pP]\{[^}]*\}|[dwsDWS])/g, '')
    .replace(/\\(?:x([0-9a-fA-F]{2})|u\{?([0-9a-fA-F]{1,6})\}?)/g, (_, byte, point) =>
      String.fromCodePoint(Number.parseInt(byte ?? point, 16)),
    )
    .replace(/\\([nrt0])/g, (_, letter: string) => CONTROLS[letter] ?? '')
    .replace(/^\[\^?|\]$/g, '')
    .replace(/\\(.)/g, '$1');
}
