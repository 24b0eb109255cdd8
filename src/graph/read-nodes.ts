// The documents of a brain, one after the other, for who reads their texts. Other requests get their turn in between.
import { setImmediate as turn } from 'node:timers/promises';
import type { Backend, JsonObject } from '../backend/index.js';
import { type NodeDocument, readDocument } from './detectors/document.js';
import { sourcesOf } from './fresh.js';

/** Documents of one search. */
const BATCH = 200;
/** Milliseconds of this thread at a stretch. */
const STRETCH_MS = 10;
const ALL = 0x7fff_ffff;
/** Embeddings have no words. */
const EXCLUDED = ['vector', '*_vector', '*.vector'];

/** The ids of all documents, in order. */
export async function idsOf(backend: Backend, index: string): Promise<readonly string[]> {
  await backend.publish(index);
  const query = { match_all: {} };
  const { hits, columns } = await backend.columns({ index, query, columns: ['_id'], size: ALL });
  return Array.from({ length: hits }, (_, hit) => String(columns[0]?.(hit) ?? ''));
}

/** Those of the ids that are there, in the order of the ids. */
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
      if (performance.now() - since < STRETCH_MS) continue;
      await turn();
      since = performance.now();
    }
  }
}
