// Splits a mustache template into tags and the text between them, in one pass. A line of only
// blanks and tags that show no value leaves no blank line. The delimiters may change within the
// template (`{{=<% %>=}}`).

export type Tag =
  | { readonly kind: 'text'; readonly text: string }
  /** value: `{{x}}`; raw: `{{{x}}}` and `{{&x}}`; partial: `{{>x}}`. */
  | { readonly kind: 'value' | 'raw' | 'partial'; readonly name: string }
  /** `{{#x}}` and `{{^x}}`, with the tags up to `{{/x}}`. */
  | {
      readonly kind: 'section' | 'inverted';
      readonly name: string;
      readonly inside: readonly Tag[];
    };

/** The message has the reason and the offset in characters. */
export class TemplateSyntaxError extends Error {}

export function readTags(source: string): readonly Tag[] {
  const cutter = new Cutter(source);
  return nested(cutter.pieces(), source.length);
}

type Sign = 'text' | 'value' | '#' | '^' | '/' | '>' | '{' | '&' | '!' | '=';

/**
 * `at` is the offset of the tag. `value` is a text, or the content of a tag without surrounding
 * blanks.
 */
interface Piece {
  readonly sign: Sign;
  value: string;
  readonly at: number;
}

const SIGNS = '#^/>{&!=';
/** Tags that show a value. */
const SHOWN: readonly Sign[] = ['value', '{', '&'];
const BLANKS = /\s*/y;

class Cutter {
  readonly #source: string;
  readonly #pieces: Piece[] = [];
  #at = 0;
  #opening = '{{';
  #closing = '}}';
  /** The index of the first piece of the current line. */
  #line = 0;

  constructor(source: string) {
    this.#source = source;
  }

  pieces(): readonly Piece[] {
    for (;;) {
      const open = this.#source.indexOf(this.#opening, this.#at);
      this.#text(open < 0 ? this.#source.length : open);
      if (open < 0) break;
      this.#tag(open);
    }
    this.#endLine();
    return this.#pieces;
  }

  /** Adds text up to `end`, line by line. */
  #text(end: number): void {
    for (const line of this.#source.slice(this.#at, end).split(/(?<=\n)/)) {
      if (line === '') continue;
      this.#add('text', line, this.#at);
      this.#at += line.length;
      if (line.endsWith('\n')) this.#endLine();
    }
  }

  /** Removes the blanks of a line that has no text and only tags that show nothing. */
  #endLine(): void {
    const line = this.#pieces.slice(this.#line);
    this.#line = this.#pieces.length;
    const shows = ({ sign, value }: Piece): boolean =>
      sign === 'text' ? value.trim() !== '' : SHOWN.includes(sign);
    if (line.every(({ sign }) => sign === 'text') || line.some(shows)) return;
    for (const piece of line) if (piece.sign === 'text') piece.value = '';
  }

  #tag(open: number): void {
    this.#at = open + this.#opening.length;
    this.#skipBlanks();
    const first = this.#source.charAt(this.#at);
    const sign = first !== '' && SIGNS.includes(first) ? (first as Sign) : 'value';
    if (sign !== 'value') this.#at++;
    this.#skipBlanks();
    // In `{{{x}}}` and `{{=a b=}}`, a sign before the delimiter ends the value.
    const end = sign === '{' ? `}${this.#closing}` : sign === '=' ? sign : this.#closing;
    const value = this.#upTo(end).trimEnd();
    if (sign === '=') this.#upTo(this.#closing);
    this.#add(sign, value, open);
    if (sign === '=') this.#delimit(value);
  }

  #add(sign: Sign, value: string, at: number): void {
    this.#pieces.push({ sign, value, at });
  }

  /** Returns the text before `mark` and moves past it. */
  #upTo(mark: string): string {
    const from = this.#at;
    const found = this.#source.indexOf(mark, from);
    if (found < 0) throw new TemplateSyntaxError(`Unclosed tag at ${this.#source.length}`);
    this.#at = found + mark.length;
    return this.#source.slice(from, found);
  }

  #skipBlanks(): void {
    BLANKS.lastIndex = this.#at;
    BLANKS.test(this.#source);
    this.#at = BLANKS.lastIndex;
  }

  #delimit(value: string): void {
    const [opening = '', closing = ''] = value.split(/\s+/);
    if (opening === '' || closing === '') throw new TemplateSyntaxError(`Invalid tags: ${value}`);
    this.#opening = opening;
    this.#closing = closing;
  }
}

interface Section {
  readonly name: string;
  readonly around: Tag[];
}

/** `end` is the length of the template. */
function nested(pieces: readonly Piece[], end: number): readonly Tag[] {
  const sections: Section[] = [];
  let tags: Tag[] = [];
  for (const { sign, value, at } of pieces) {
    if (sign === '/') {
      const section = sections.pop();
      if (section === undefined) {
        throw new TemplateSyntaxError(`Unopened section "${value}" at ${at}`);
      }
      if (section.name !== value) {
        throw new TemplateSyntaxError(`Unclosed section "${section.name}" at ${at}`);
      }
      tags = section.around;
    } else if (sign === '#' || sign === '^') {
      const inside: Tag[] = [];
      tags.push({ kind: sign === '#' ? 'section' : 'inverted', name: value, inside });
      sections.push({ name: value, around: tags });
      tags = inside;
    } else {
      addLeaf(tags, sign, value);
    }
  }
  const left = sections.at(-1);
  if (left === undefined) return tags;
  throw new TemplateSyntaxError(`Unclosed section "${left.name}" at ${end}`);
}

/** Comments and changes of delimiters show nothing. */
function addLeaf(tags: Tag[], sign: Exclude<Sign, '#' | '^' | '/'>, value: string): void {
  if (sign === 'text') {
    addText(tags, value);
  } else if (sign === 'value') {
    tags.push({ kind: 'value', name: value });
  } else if (sign === '{' || sign === '&') {
    tags.push({ kind: 'raw', name: value });
  } else if (sign === '>') {
    tags.push({ kind: 'partial', name: value });
  }
}

/** Merges consecutive lines into one text. */
function addText(tags: Tag[], text: string): void {
  const last = tags.at(-1);
  if (last?.kind === 'text') tags[tags.length - 1] = { kind: 'text', text: last.text + text };
  else if (text !== '') tags.push({ kind: 'text', text });
}
