// Common parts of office packages: the detection of their format, the relations between their
// parts, and their metadata.
import { posix } from 'node:path';
import type { Format } from '../sniff.js';
import { BrokenFile } from '../source.js';
import { type Archive, textEntry } from './archive.js';
import { type Attributes, eachElement } from './xml-parts.js';

export interface Office {
  readonly format: Format;
  /** The part from which all others are referenced. */
  readonly main: string;
}

const CONTENT_TYPES = '[Content_Types].xml';
export const CONTAINER = 'META-INF/container.xml';
/** Present in OpenDocument, and in EPUB as well. */
const MEDIA_TYPE = 'mimetype';
const MAX_MEDIA_TYPE = 1000;
const PACKAGES: ReadonlySet<string> = new Set([CONTENT_TYPES, CONTAINER, MEDIA_TYPE]);
/** Patterns in the media type of the main part, whose suffix is the same for all formats. */
const MAIN_PARTS: readonly (readonly [RegExp, Format])[] = [
  [/word/i, 'docx'],
  [/spreadsheetml|excel/i, 'xlsx'],
  [/presentationml|powerpoint/i, 'pptx'],
];
const MAIN_END = '.main+xml';

/** True for a zip that is one document of any format. */
export function isPackage(names: Iterable<string>): boolean {
  for (const name of names) if (PACKAGES.has(name)) return true;
  return false;
}

/** Throws BrokenFile for a package of another kind. */
export async function officeOf(archive: Archive): Promise<Office> {
  if (archive.names.has(CONTAINER)) return { format: 'epub', main: CONTAINER };
  if (!archive.names.has(CONTENT_TYPES)) {
    const type = (await textEntry(archive, MEDIA_TYPE, MAX_MEDIA_TYPE)) ?? '';
    const plain = type.replace(/[^\w.+/-]/g, '').slice(0, 100);
    throw new BrokenFile(`a package of the type [${plain}], which autoindex does not read`);
  }
  let found: Office | undefined;
  await eachElement(archive, CONTENT_TYPES, {
    open(name, attributes) {
      if (name !== 'Override' || found !== undefined) return;
      const type = attributes['ContentType'] ?? '';
      const isMain = type.toLowerCase().endsWith(MAIN_END);
      const format = isMain ? MAIN_PARTS.find(([word]) => word.test(type))?.[1] : undefined;
      const part = attributes['PartName'];
      if (format !== undefined && part !== undefined) {
        found = { format, main: part.replace(/^\//, '') };
      }
    },
  });
  if (found === undefined) {
    throw new BrokenFile('a package that is neither a document, nor a workbook, nor slides');
  }
  if (!archive.names.has(found.main)) throw new BrokenFile(`the part [${found.main}] is missing`);
  return found;
}

export interface Relation {
  /** The name of an entry. */
  readonly target: string;
  readonly type: string;
}

/** The relations of `part`, by the id with which it refers to them. */
export async function relationsOf(
  archive: Archive,
  part: string,
): Promise<ReadonlyMap<string, Relation>> {
  const folder = posix.dirname(part);
  const relations = new Map<string, Relation>();
  await eachElement(archive, posix.join(folder, '_rels', `${posix.basename(part)}.rels`), {
    open(name, attributes) {
      const { Id: id, Target: to, Type: type } = attributes;
      if (name !== 'Relationship' || id === undefined || to === undefined) return;
      if (attributes['TargetMode'] === 'External') return;
      const target = to.startsWith('/') ? to.slice(1) : posix.normalize(posix.join(folder, to));
      relations.set(id, { target, type: type ?? '' });
    },
  });
  return relations;
}

/** The value of the prefixed attribute `id`, which names a relation. */
export function relationId(attributes: Attributes): string {
  const key = Object.keys(attributes).find((name) => name.endsWith(':id'));
  return key === undefined ? '' : (attributes[key] ?? '');
}

/** The target of the first relation of a kind; empty if there is none. */
export function targetOf(relations: ReadonlyMap<string, Relation>, kind: string): string {
  for (const { type, target } of relations.values()) if (type.endsWith(`/${kind}`)) return target;
  return '';
}

const CORE: Readonly<Record<string, string>> = {
  title: 'title',
  creator: 'author',
  subject: 'subject',
  keywords: 'keywords',
  created: 'created',
};

/** `title`, `author`, `subject`, `keywords` and `created`, as far as they are present. */
export async function propertiesOf(archive: Archive): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  let into: string | undefined;
  await eachElement(archive, 'docProps/core.xml', {
    open: (name) => {
      into = CORE[name];
    },
    text: (text) => {
      if (into !== undefined) found[into] = ((found[into] ?? '') + text).slice(0, 2000);
    },
    close: () => {
      into = undefined;
    },
  });
  return tidyProperties(found);
}

/** Without blank values, and without a `created` that is no date. */
export function tidyProperties(
  found: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const tidy: Record<string, string> = {};
  for (const [name, text] of Object.entries(found)) {
    const value = text.replace(/\s+/g, ' ').trim();
    if (value === '') continue;
    if (name !== 'created') tidy[name] = value;
    else if (!Number.isNaN(Date.parse(value))) tidy[name] = new Date(value).toISOString();
  }
  return tidy;
}
