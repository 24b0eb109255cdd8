// Prose formats: Markdown with front matter, plain text, source code, HTML. A document for each
// part of a few pages, cut between lines, with the title of the whole.
import { basename } from 'node:path';
import { type Handler, Parser } from 'htmlparser2';
import { parse as parseYaml } from 'yaml';
import { trimEndOf } from '../../base/trim-end.js';
import { BrokenFile, type ByteSource, type FileRecord, textOf, wholeText } from '../source.js';

/** Limit for a text that is read as a whole; longer files are unstructured data. */
export const MAX_PROSE_BYTES = 32 << 20;
/** The same limit for a document whose text is a part of its file, in characters. */
export const MAX_PROSE_CHARACTERS = 32 << 20;
/** Characters of one part: a few pages, which a hit can show. */
const PART_CHARACTERS = 24_000;
const MAX_LINKS = 500;

/**
 * Maximum number of characters of a file that are held at once; entries of archives are read as a
 * whole.
 */
const STREAM_CHARACTERS = 4 << 20;

export async function* readText(source: ByteSource, encoding: string): AsyncIterable<FileRecord> {
  const title = titleFromPath(source.path);
  if (source.absolute === undefined || source.size <= STREAM_CHARACTERS) {
    yield* partsOf(await wholeText(source, encoding, MAX_PROSE_BYTES), { title });
    return;
  }
  let count = 0;
  const record = (body: string): FileRecord => {
    count += 1;
    const numbered = count === 1 ? title : `${title} (${count})`;
    return { at: String(count), doc: { title: numbered, part: count, body } };
  };
  let rest = '';
  for await (const piece of textOf(source, encoding)) {
    rest += piece;
    if (rest.length < STREAM_CHARACTERS) continue;
    // The last part may continue in the next piece.
    const parts = [...cutText(rest)];
    rest = parts.pop() ?? '';
    for (const body of parts) yield record(body);
  }
  for (const body of cutText(rest)) yield record(body);
}

export async function* readCode(
  source: ByteSource,
  encoding: string,
  language: string,
): AsyncIterable<FileRecord> {
  const text = await wholeText(source, encoding, MAX_PROSE_BYTES);
  yield* partsOf(text, { title: basename(source.path), language });
}

export async function* readMarkdown(
  source: ByteSource,
  encoding: string,
): AsyncIterable<FileRecord> {
  const text = await wholeText(source, encoding, MAX_PROSE_BYTES);
  const { matter, body } = splitMatter(text);
  const heading = headingOf(body);
  const named = matter['title'];
  const title = typeof named === 'string' ? named : (heading ?? titleFromPath(source.path));
  const { title: _, ...rest } = matter;
  yield* partsOf(body, { title, ...(Object.keys(rest).length === 0 ? {} : { meta: rest }) });
}

/** The first heading, without closing `#` characters. */
function headingOf(body: string): string | undefined {
  const text = /^#{1,6} +(\S.*)$/m.exec(body)?.[1];
  if (text === undefined) return undefined;
  const open = trimEndOf(text, '#');
  return open !== text && open.endsWith(' ') ? open.trimEnd() : text;
}

/**
 * Splits off the YAML between two lines of dashes at the start. Invalid front matter is an error of
 * the file, so that it is reported and not lost.
 */
function splitMatter(text: string): { matter: Record<string, unknown>; body: string } {
  const found = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text);
  if (found === null) return { matter: {}, body: text };
  let matter: unknown;
  try {
    matter = parseYaml(found[1] ?? '', { maxAliasCount: 100 });
  } catch (error) {
    throw new BrokenFile(`the front matter is no YAML: ${(error as Error).message.split('\n')[0]}`);
  }
  const isMap = typeof matter === 'object' && matter !== null && !Array.isArray(matter);
  return isMap
    ? { matter: matter as Record<string, unknown>, body: text.slice(found[0].length) }
    : { matter: {}, body: text };
}

/** Elements whose text is not displayed. */
const SILENT: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg']);
const BLOCKS: ReadonlySet<string> = new Set(
  'p div br li tr h1 h2 h3 h4 h5 h6 section article header footer table ul ol pre blockquote'.split(
    ' ',
  ),
);

export async function* readHtml(source: ByteSource, encoding: string): AsyncIterable<FileRecord> {
  const { text, title, links } = htmlText(await wholeText(source, encoding, MAX_PROSE_BYTES));
  const shared = { title: title === '' ? titleFromPath(source.path) : title };
  yield* partsOf(text, links.length === 0 ? shared : { ...shared, links });
}

/**
 * Maximum nesting of elements (browsers keep 512), and the number of characters between two checks.
 */
const MAX_HTML_DEPTH = 1000;
const HTML_STEP = 16 * 1024;

export interface HtmlText {
  readonly text: string;
  readonly title: string;
  /** The distinct targets of its anchors. */
  readonly links: readonly string[];
}

export function htmlText(html: string): HtmlText {
  let silent = 0;
  let inTitle = false;
  let title = '';
  const text: string[] = [];
  const links = new Set<string>();
  let depth = 0;
  const handler: Partial<Handler> = {
    onopentag(name, attributes) {
      depth += 1;
      if (SILENT.has(name)) silent += 1;
      if (name === 'title') inTitle = true;
      if (BLOCKS.has(name)) text.push('\n');
      const href = attributes['href'];
      if (name === 'a' && href !== undefined && !href.startsWith('#') && links.size < MAX_LINKS) {
        links.add(href);
      }
    },
    ontext(piece) {
      if (inTitle && silent === 0) title += piece;
      else if (silent === 0) text.push(piece);
    },
    onclosetag(name) {
      depth -= 1;
      if (SILENT.has(name)) silent -= 1;
      if (name === 'title') inTitle = false;
      if (BLOCKS.has(name)) text.push('\n');
    },
  };
  let parser = new Parser(handler);
  for (let at = 0; at < html.length; at += HTML_STEP) {
    parser.write(html.slice(at, at + HTML_STEP));
    if (depth <= MAX_HTML_DEPTH) continue;
    // The time of the library grows with the square of the depth: deeper content is parsed by a new
    // parser from the top.
    parser.end();
    depth = 0;
    parser = new Parser(handler);
  }
  parser.end();
  return { text: tidy(text.join('')), title: title.replace(/\s+/g, ' ').trim(), links: [...links] };
}

/** Collapses runs of blanks to one, and runs of empty lines to one. */
export function tidy(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** `notes/2024-plan_b.txt` -> `2024 plan b`. */
export function titleFromPath(path: string): string {
  const name = basename(path).replace(/(?<=.)\.[A-Za-z0-9]{1,8}$/, '');
  return name.replace(/[-_]+/g, ' ').trim();
}

/**
 * A document for each part of the text, all with the fields of `shared`; the titles of the second
 * and later parts are numbered. A blank text gives no document.
 */
export function* partsOf(text: string, shared: Record<string, unknown>): Iterable<FileRecord> {
  const parts = cutText(text);
  const { title } = shared;
  for (const [i, body] of parts.entries()) {
    const numbered = i === 0 || title === undefined ? {} : { title: `${title} (${i + 1})` };
    const part = parts.length === 1 ? {} : { ...numbered, part: i + 1, parts: parts.length };
    yield { at: String(i + 1), doc: { ...shared, ...part, body } };
  }
}

function cutText(text: string): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + PART_CHARACTERS);
    if (to < text.length) {
      // Searches only this part: a search from the start of the text would be quadratic for text
      // without line ends.
      const half = from + PART_CHARACTERS / 2;
      const later = text.slice(half, to);
      const paragraph = later.lastIndexOf('\n\n');
      const line = later.lastIndexOf('\n');
      if (paragraph >= 0) to = half + paragraph + 2;
      else if (line >= 0) to = half + line + 1;
      // Does not cut a surrogate pair in half.
      else if (/[\ud800-\udbff]/.test(text[to - 1] ?? '')) to -= 1;
    }
    const part = text.slice(from, to);
    if (part.trim() !== '') parts.push(part);
    from = to;
  }
  return parts;
}
