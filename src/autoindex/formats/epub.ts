// EPUB: a document for each chapter in reading order, long chapters in several parts.
import { posix } from 'node:path';
import { BrokenFile, type ByteSource, type FileRecord } from '../source.js';
import { type Archive, openArchive, textEntry } from './archive.js';
import { CONTAINER, tidyProperties } from './office.js';
import {
  htmlText,
  MAX_PROSE_BYTES,
  MAX_PROSE_CHARACTERS,
  partsOf,
  titleFromPath,
} from './prose.js';
import { attributeOf, eachElement } from './xml-parts.js';

const MAX_CHAPTERS = 10_000;

export async function* readEpub(source: ByteSource): AsyncIterable<FileRecord> {
  const archive = await openArchive(source);
  const { properties, chapters } = await bookOf(archive, await packageOf(archive));
  const locked = await lockedOf(archive);
  if (chapters.length > 0 && chapters.every((name) => locked.has(name))) {
    throw new BrokenFile('is encrypted');
  }
  const title = properties['title'] ?? titleFromPath(source.path);
  let characters = 0;
  for (const [i, name] of chapters.entries()) {
    if (locked.has(name)) continue;
    const html = await textEntry(archive, name, MAX_PROSE_BYTES);
    if (html === undefined) continue;
    const { text, title: named } = htmlText(html);
    characters += text.length;
    if (characters > MAX_PROSE_CHARACTERS)
      throw new BrokenFile(`more than ${MAX_PROSE_CHARACTERS} characters`);
    const heading = firstHeading(html) || (named === title ? '' : named);
    const shared = {
      ...properties,
      title,
      chapter: i + 1,
      chapters: chapters.length,
      ...(heading === '' ? {} : { heading }),
    };
    for (const { at, doc } of partsOf(text, shared)) yield { at: `${i + 1}.${at}`, doc };
  }
}

/** Characters at the start of a chapter in which its heading is searched. */
const HEADING_WITHIN = 20_000;
/** Maximum number of characters of a heading with its tags. */
const HEADING_CHARACTERS = 2000;

function firstHeading(html: string): string {
  const head = html.slice(0, HEADING_WITHIN);
  let begins: number[] = [];
  for (const { 0: tag, index } of head.matchAll(/<h[1-3][\s>]|<\/h[1-3]>/gi)) {
    if (!tag.startsWith('</')) {
      begins.push(index);
      continue;
    }
    const begin = begins.find((one) => index - one < HEADING_CHARACTERS);
    if (begin !== undefined) {
      return htmlText(head.slice(begin, index + tag.length)).text.replace(/\s+/g, ' ');
    }
    begins = [];
  }
  return '';
}

async function packageOf(archive: Archive): Promise<string> {
  let found = '';
  await eachElement(archive, CONTAINER, {
    open(name, attributes) {
      if (name === 'rootfile' && found === '') found = attributeOf(attributes, 'full-path') ?? '';
    },
  });
  if (!archive.names.has(found)) throw new BrokenFile('a book without a list of its contents');
  return found;
}

interface EpubPackage {
  readonly properties: Readonly<Record<string, string>>;
  readonly chapters: readonly string[];
}

const PROPERTY_NAMES: Readonly<Record<string, string>> = {
  title: 'title',
  creator: 'author',
  language: 'language',
  publisher: 'publisher',
  subject: 'subject',
  date: 'created',
};

async function bookOf(archive: Archive, part: string): Promise<EpubPackage> {
  const files = new Map<string, string>();
  const chapters: string[] = [];
  const reported: Record<string, string> = {};
  let into: string | undefined;
  await eachElement(archive, part, {
    open(name, attributes) {
      into = PROPERTY_NAMES[name];
      if (name === 'item' && files.size < MAX_CHAPTERS * 4) {
        const { id, href } = attributes;
        if (id !== undefined && href !== undefined) files.set(id, entryName(part, href));
      } else if (name === 'itemref') {
        const file = files.get(attributes['idref'] ?? '');
        if (file !== undefined) chapters.push(file);
        if (chapters.length > MAX_CHAPTERS)
          throw new BrokenFile(`more than ${MAX_CHAPTERS} chapters`);
      }
      // Separates the values of repeated elements, such as several authors.
      if (into !== undefined && reported[into] !== undefined) reported[into] += ', ';
    },
    text: (text) => {
      if (into !== undefined) reported[into] = ((reported[into] ?? '') + text).slice(0, 2000);
    },
    close: () => {
      into = undefined;
    },
  });
  return { properties: tidyProperties(reported), chapters };
}

/** Entries that are encrypted (DRM). Obfuscated fonts are listed as well. */
async function lockedOf(archive: Archive): Promise<ReadonlySet<string>> {
  const locked = new Set<string>();
  await eachElement(archive, 'META-INF/encryption.xml', {
    open(name, attributes) {
      if (name === 'CipherReference')
        locked.add(entryName('', attributeOf(attributes, 'URI') ?? ''));
    },
  });
  return locked;
}

function entryName(part: string, href: string): string {
  const [plain = ''] = href.split('#', 1);
  let path = plain;
  try {
    path = decodeURIComponent(plain);
  } catch {
    // The name contains a literal percent sign.
  }
  return posix.normalize(posix.join(posix.dirname(part), path));
}
