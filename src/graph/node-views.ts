// What an answer shows of nodes: a title and a preview from their documents, and how many live links they have.
import type { Backend, JsonObject, LinkDegree } from '../backend.js';
import type { Brain } from './brains.js';
import { sourcesOf } from './fresh.js';
import { brainOfNodes } from './names.js';

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
const FIELDS = [...TITLES, ...METADATA_TITLES.map((key) => `metadata.${key}`), ...TEXTS];
const MAX_CHARS = 200;
/** Memories whose time is over and that no sweep has taken away yet. */
const EXPIRED: JsonObject = { range: { expires_at: { lte: 'now' } } };

export interface NodeView {
  readonly title: string | null;
  /** At most 200 characters. */
  readonly preview: string | null;
  /** There is a document of that id. */
  readonly exists: boolean;
  /** Live links that point to it, and away from it. */
  readonly in: number;
  readonly out: number;
}

type Preview = Pick<NodeView, 'title' | 'preview' | 'exists'>;

export async function viewNodes(
  backend: Backend,
  brain: Brain,
  ids: readonly string[],
  degrees: ReadonlyMap<string, LinkDegree>,
): Promise<ReadonlyMap<string, NodeView>> {
  const previews = await readPreviews(backend, brain, ids);
  return new Map(
    ids.map((id, i) => {
      const degree = degrees.get(id) ?? { in: 0, out: 0 };
      return [id, { ...(previews[i] ?? MISSING), ...degree }];
    }),
  );
}

/** There is a document of that id. */
export async function hasNode(backend: Backend, brain: Brain, id: string): Promise<boolean> {
  const [preview = MISSING] = await readPreviews(backend, brain, [id]);
  return preview.exists;
}

const MISSING: Preview = { title: null, preview: null, exists: false };

/** In the order of `ids`. */
export async function readPreviews(
  backend: Backend,
  { nodes, hasNodes }: Brain,
  ids: readonly string[],
): Promise<readonly Preview[]> {
  if (!hasNodes || ids.length === 0) return ids.map(() => MISSING);
  const hidden = brainOfNodes(nodes) === undefined ? undefined : EXPIRED;
  const sources = await sourcesOf(backend, nodes, ids, { includes: FIELDS }, hidden);
  return ids.map((id) => {
    const source = sources.get(id);
    if (source === undefined) return MISSING;
    return previewOf(JSON.parse(Buffer.from(source).toString('utf8')) as JsonObject);
  });
}

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
