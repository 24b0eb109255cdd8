// A document as detectors see it: its texts, its names, the references in fields of their own, and
// its time. It is read from a memory or from a document of any other shape.
import type { Json, JsonObject } from '../../backend/index.js';
import { byteOffsets } from './byte-offsets.js';
import { maskCode } from './mask.js';
import { type Tokens, tokensOf } from './tokens.js';

export class TextField {
  /** Unique among the texts of the document; `pathOf` gives the path of the field. */
  readonly field: string;
  readonly text: string;
  /** The text with code replaced by blanks, so that offsets are the same in both. */
  readonly prose: string;
  /** The document is a source file: the whole text is code. */
  readonly code: boolean;
  #tokens: Tokens | undefined;

  constructor(field: string, text: string, code: boolean) {
    this.field = field;
    this.text = text;
    this.prose = maskCode(text);
    this.code = code;
  }

  /** The words of the prose; computed on first use and shared by all detectors. */
  get tokens(): Tokens {
    this.#tokens ??= tokensOf(this.prose);
    return this.#tokens;
  }
}

/**
 * The dotted path of a text's field. The items of a list share a path and are distinguished by a
 * number after a NUL character.
 */
export function pathOf(field: string): string {
  const [path = ''] = field.split('\0');
  return path;
}

/** A field that names other documents. */
export interface NamedReference {
  readonly field: string;
  readonly type: string;
  readonly target: string;
  /** Position in the value of the field, in bytes. */
  readonly start: number;
}

export interface NodeDocument {
  readonly id: string;
  readonly titles: readonly string[];
  readonly aliases: readonly string[];
  readonly permalinks: readonly string[];
  readonly paths: readonly string[];
  readonly urls: readonly string[];
  /** Numbers, keys, hashes and the like. */
  readonly keys: readonly string[];
  readonly texts: readonly TextField[];
  readonly references: readonly NamedReference[];
  readonly session: { readonly field: string; readonly name: string } | null;
  /** The document's own time, epoch milliseconds; null when it has none. */
  readonly at: number | null;
}

type Role = 'title' | 'alias' | 'permalink' | 'path' | 'url' | 'key' | 'session';

const ROLES: Readonly<Record<string, Role>> = {
  title: 'title',
  name: 'title',
  subject: 'title',
  label: 'title',
  heading: 'title',
  alias: 'alias',
  aliases: 'alias',
  permalink: 'permalink',
  slug: 'permalink',
  path: 'path',
  file: 'path',
  filename: 'path',
  url: 'url',
  link: 'url',
  href: 'url',
  source_url: 'url',
  canonical: 'url',
  key: 'key',
  number: 'key',
  doi: 'key',
  hash: 'key',
  commit: 'key',
  sha: 'key',
  message_id: 'key',
  'message-id': 'key',
  session: 'session',
};
/** Fields that name other documents, and the type of link that each makes. */
const REFERENCES: Readonly<Record<string, string>> = {
  reply_to: 'reply_to',
  in_reply_to: 'reply_to',
  'in-reply-to': 'reply_to',
  parent: 'parent',
  parent_id: 'parent',
  supersedes: 'supersedes',
  references: 'references',
  thread: 'thread',
  thread_id: 'thread',
  depends_on: 'depends_on',
  duplicates: 'duplicates',
  reverts: 'reverts',
  fixes: 'fixes',
};
/** Fields with the document's time; the first that is present counts. */
const TIMES = [
  'said_at',
  'valid_at',
  '@timestamp',
  'timestamp',
  'date',
  'sent_at',
  'published_at',
  'created_at',
  'own_time',
  'stored_at',
];
/**
 * Objects in which fields of these names are read in addition to the top level; `file.permalink` is
 * what autoindex stores with the first part of a file.
 */
const METADATA = /^(?:metadata|meta|unindexed|frontmatter|headers|file(?=\.permalink))\.([^.]+)$/;
/** A field that memories keep for duplicate detection. */
const NOT_READ = 'fingerprint';
const SOURCE_FILE = /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|sh)$/;
const MAX_DEPTH = 4;
/** Characters of one document that are read. */
const MAX_CHARS = 1_000_000;
/** Names of one kind per document, and references per document. */
const MAX_NAMES = 10_000;

export function readDocument(id: string, source: JsonObject): NodeDocument {
  const named = new Map<Role, string[]>();
  const texts: (readonly [field: string, text: string])[] = [];
  const references: NamedReference[] = [];
  const times = new Map<string, number>();
  let session: NodeDocument['session'] = null;
  let left = MAX_CHARS;
  for (const [field, value] of leaves(source)) {
    if (field === NOT_READ) continue;
    const name = (METADATA.exec(field)?.[1] ?? field).toLowerCase();
    const at = TIMES.includes(name) ? instantOf(value) : undefined;
    if (at !== undefined) times.set(name, at);
    const text = typeof value === 'number' ? String(value) : value;
    const type = Object.hasOwn(REFERENCES, name) ? REFERENCES[name] : undefined;
    const role = Object.hasOwn(ROLES, name) ? ROLES[name] : undefined;
    if (type !== undefined && references.length < MAX_NAMES) {
      for (const target of targetsOf(text)) references.push({ field, type, ...target });
    } else if (role === 'session') session ??= { field, name: text };
    else if (role !== undefined) addName(named, role, text);
    const isText = type === undefined && (role === undefined || role === 'title');
    if (!isText || typeof value === 'number' || at !== undefined || left <= 0) continue;
    const kept = text.slice(0, left);
    left -= kept.length;
    texts.push([field, kept]);
  }
  const places = [id, ...(named.get('path') ?? []), ...(named.get('permalink') ?? [])];
  const code = places.some((path) => SOURCE_FILE.test(path));
  const known = TIMES.find((name) => times.has(name));
  return {
    id,
    titles: named.get('title') ?? [],
    aliases: named.get('alias') ?? [],
    permalinks: named.get('permalink') ?? [],
    paths: named.get('path') ?? [],
    urls: named.get('url') ?? [],
    keys: named.get('key') ?? [],
    texts: toFields(texts, code),
    references,
    session,
    at: known === undefined ? null : (times.get(known) ?? null),
  };
}

function addName(named: Map<Role, string[]>, role: Role, name: string): void {
  const names = named.get(role);
  if (names === undefined) named.set(role, [name]);
  else if (names.length < MAX_NAMES) names.push(name);
}

function toFields(
  texts: readonly (readonly [field: string, text: string])[],
  code: boolean,
): readonly TextField[] {
  const seen = new Map<string, number>();
  return texts.map(([field, text]) => {
    const number = seen.get(field) ?? 0;
    seen.set(field, number + 1);
    return new TextField(number === 0 ? field : `${field}\0${number}`, text, code);
  });
}

/** Every string of a document with the path of its field. */
export function* stringsOf(source: JsonObject): Generator<readonly [field: string, text: string]> {
  for (const [field, value] of leaves(source)) if (typeof value === 'string') yield [field, value];
}

/**
 * Every string and number with the path of its field; the items of a list have the path of the
 * list.
 */
function* leaves(
  value: JsonObject,
  path = '',
  depth = 0,
): Generator<readonly [field: string, value: string | number]> {
  for (const [key, inner] of Object.entries(value)) {
    const field = path === '' ? key : `${path}.${key}`;
    if (isLeaf(inner)) yield [field, inner];
    else if (Array.isArray(inner)) {
      // A list of numbers is a vector.
      for (const item of inner) if (typeof item === 'string') yield [field, item];
    } else if (typeof inner === 'object' && inner !== null && depth < MAX_DEPTH) {
      yield* leaves(inner as JsonObject, field, depth + 1);
    }
  }
}

function isLeaf(value: Json): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Mail puts several ids into one field, each in angle brackets. */
function targetsOf(text: string): readonly Pick<NamedReference, 'target' | 'start'>[] {
  const ids: { readonly target: string; readonly at: number }[] = [];
  for (const { 1: target = '', index } of text.matchAll(/<([^<>\s]+)>/g)) {
    if (ids.push({ target, at: index + 1 }) === MAX_NAMES) break;
  }
  const name = text.trim();
  if (ids.length === 0 && name !== '') ids.push({ target: name, at: text.indexOf(name) });
  const starts = byteOffsets(
    text,
    ids.map(({ at }) => at),
  );
  return ids.map(({ target }, i) => ({ target, start: starts[i] ?? 0 }));
}

function instantOf(value: string | number): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.trunc(value) : undefined;
  const ms = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
