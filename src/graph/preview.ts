// A title and the beginning of a text, out of a document of any shape.
import type { JsonObject } from '../backend/index.js';

/** Fields that hold a title or a text, the first one that is there counts. */
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
/** And where memories keep a title: in their metadata, as an object or by keys with a dot. */
const METADATA_TITLES = ['title', 'name'];
/** What has to be read of a document. */
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

/** Never half of a surrogate pair. */
function clip(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const last = text.charCodeAt(MAX_CHARS - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? MAX_CHARS - 1 : MAX_CHARS);
}
