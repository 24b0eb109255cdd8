// Extracts a title and the beginning of a text from a document of any shape.
import type { JsonObject } from '../backend/index.js';

/** Fields that hold a title or a text; the first that is present counts. */
const TITLES = ['title', 'name', 'subject', 'label', 'heading'];
const TEXTS = [
  'text',
  'content',
  'body',
  'preview',
  'summary',
  'description',
  'abstract',
  'message',
];
/** Keys of a title in the metadata of a memory, as an object or as dotted keys. */
const METADATA_TITLES = ['title', 'name'];
/** The fields of a document that previewOf() needs. */
export const FIELDS = [...TITLES, ...METADATA_TITLES.map((key) => `metadata.${key}`), ...TEXTS];
const MAX_CHARS = 200;

export interface Preview {
  readonly title: string | null;
  /** At most 200 characters. */
  readonly preview: string | null;
  /** There is such a document. */
  readonly exists: boolean;
}

export const MISSING: Preview = { title: null, preview: null, exists: false };

export function previewOf(document: JsonObject): Preview {
  const title = firstText(document, TITLES) ?? metadataTitle(document);
  return { title, preview: firstText(document, TEXTS), exists: true };
}

function metadataTitle(document: JsonObject): string | null {
  const metadata = document['metadata'];
  if (typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)) {
    return firstText(metadata as JsonObject, METADATA_TITLES);
  }
  return firstText(
    document,
    METADATA_TITLES.map((key) => `metadata.${key}`),
  );
}

function firstText(document: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = document[key];
    const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
    if (text !== '') return clip(text);
  }
  return null;
}

/** Does not cut a surrogate pair in half. */
function clip(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const last = text.charCodeAt(MAX_CHARS - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? MAX_CHARS - 1 : MAX_CHARS);
}
