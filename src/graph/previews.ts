// Titles and beginnings of the texts of nodes, cached as long as nothing is written to their index,
// because the nodes around hubs are shown repeatedly.
import type { Backend, Json, JsonObject } from '../backend/index.js';
import type { Brain } from './brains.js';
import { markOf, sourcesOf } from './fresh.js';
import { brainOfNodes } from './names.js';
import { FIELDS, MISSING, type Preview, previewOf } from './preview.js';

/** Previews that are cached, of all brains: some 300 bytes each. */
const REMEMBERED = 50_000;

/** Memories that have expired and that no sweep has deleted yet. */
const EXPIRED: JsonObject = { range: { expires_at: { lte: 'now' } } };

interface CachedPreviews {
  readonly mark: string;
  readonly previews: Map<string, Remembered>;
}

interface Remembered {
  readonly preview: Preview;
  /** Epoch milliseconds from which on the document counts as missing; null: it never expires. */
  readonly until: number | null;
}

export class Previews {
  readonly #backend: Backend;
  readonly #nowMs: () => number;
  /** Index of nodes -> what was read since the last write to it. */
  readonly #known = new Map<string, CachedPreviews>();
  #size = 0;

  constructor(backend: Backend, nowMs: () => number) {
    this.#backend = backend;
    this.#nowMs = nowMs;
  }

  /** In the order of `ids`. */
  async of({ nodes, hasNodes }: Brain, ids: readonly string[]): Promise<readonly Preview[]> {
    if (!hasNodes || ids.length === 0) return ids.map(() => MISSING);
    const known = this.#knownOf(nodes);
    const now = this.#nowMs();
    const found = new Map<string, Preview>();
    const unread: string[] = [];
    for (const id of ids) {
      const there = known?.get(id);
      if (there === undefined) unread.push(id);
      else found.set(id, there.until === null || there.until > now ? there.preview : MISSING);
    }
    if (unread.length > 0) {
      const read = await this.#read(nodes, unread);
      for (const [id, { preview, until }] of read) {
        found.set(id, preview);
        if (until === undefined || known === undefined) continue;
        if (!known.has(id)) this.#size++;
        known.set(id, { preview, until });
      }
    }
    return ids.map((id) => found.get(id) ?? MISSING);
  }

  /** `until` undefined: the preview must not be cached. */
  async #read(
    index: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, { preview: Preview; until: number | null | undefined }>> {
    const isMemory = brainOfNodes(index) !== undefined;
    const includes = isMemory ? [...FIELDS, 'expires_at'] : FIELDS;
    const hidden = isMemory ? EXPIRED : undefined;
    const sources = await sourcesOf(this.#backend, index, ids, { includes }, hidden);
    return new Map(
      ids.map((id) => {
        const source = sources.get(id);
        if (source === undefined) return [id, { preview: MISSING, until: null }];
        const document = parse(source);
        const until = isMemory ? expiryOf(document['expires_at']) : null;
        return [id, { preview: previewOf(document), until }];
      }),
    );
  }

  /** A write during a read changes the mark, so that the next call starts with an empty cache. */
  #knownOf(index: string): Map<string, Remembered> | undefined {
    const mark = markOf(this.#backend, index);
    if (mark === undefined) return undefined;
    const known = this.#known.get(index);
    if (known?.mark === mark && this.#size < REMEMBERED) return known.previews;
    if (this.#size >= REMEMBERED) {
      this.#known.clear();
      this.#size = 0;
    }
    this.#size -= this.#known.get(index)?.previews.size ?? 0;
    const previews = new Map<string, Remembered>();
    this.#known.set(index, { mark, previews });
    return previews;
  }
}

/** Undefined: a time in another format, which only the index can read. */
function expiryOf(value: Json | undefined): number | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' ? value : undefined;
}

function parse(source: Uint8Array): JsonObject {
  return JSON.parse(Buffer.from(source).toString('utf8')) as JsonObject;
}
