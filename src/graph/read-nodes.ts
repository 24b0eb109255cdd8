// Iterates over the documents of a brain for a reader of their texts, and yields to other requests
// regularly.
import { setImmediate as turn } from 'node:timers/promises';
import type { Backend, JsonObject } from '../backend/index.js';
import { type NodeDocument, readDocument } from './detectors/document.js';
import { sourcesOf } from './fresh.js';

/** Documents per search. */
const BATCH = 200;
/** Length of a time slice, after which the event loop gets its turn, in milliseconds. */
const TIME_SLICE_MS = 10;
const ALL = 0x7fff_ffff;
/** Embeddings contain no words. */
const EXCLUDED = ['vector', '*_vector', '*.vector'];

/** The ids of all documents, in order. */
export async function idsOf(backend: Backend, index: string): Promise<readonly string[]> {
  await backend.publish(index);
  const query = { match_all: {} };
  const { hits, columns } = await backend.columns({ index, query, columns: ['_id'], size: ALL });
  return Array.from({ length: hits }, (_, hit) => String(columns[0]?.(hit) ?? ''));
}

/** The documents that exist, in the order of the ids. */
export async function* readNodes(
  backend: Backend,
  index: string,
  ids: readonly string[],
): AsyncGenerator<NodeDocument> {
  let since = performance.now();
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = ids.slice(at, at + BATCH);
    const sources = await sourcesOf(backend, index, batch, { excludes: EXCLUDED });
    for (const id of batch) {
      const source = sources.get(id);
      if (source === undefined) continue;
      yield readDocument(id, JSON.parse(Buffer.from(source).toString('utf8')) as JsonObject);
      if (performance.now() - since < TIME_SLICE_MS) continue;
      await turn();
      since = performance.now();
    }
  }
}
