// Exports a namespace as lines in canonical order and form: equal states give equal bytes, whatever
// the order of the writes.
import type { Backend, JsonObject } from '../backend/index.js';
import { sourcesOf } from '../graph/fresh.js';
import { edgesIndex, suggestionsIndex } from '../graph/names.js';
import { idsOf } from '../graph/read-nodes.js';
import { memoryIndex } from './names.js';
import { endLine, headerLine, itemLine, KINDS, type Kind } from './transfer-lines.js';
import { isObject, readJson } from './transfer-merge.js';

/** Documents per search. */
const BATCH = 200;

export const INDEX: Readonly<Record<Kind, (namespace: string) => string>> = {
  memory: memoryIndex,
  link: edgesIndex,
  suggestion: suggestionsIndex,
};

export async function* exportLines(
  backend: Backend,
  namespace: string,
  settings: JsonObject,
): AsyncGenerator<string> {
  yield headerLine(settings);
  const counts = { memory: 0, link: 0, suggestion: 0 };
  for (const kind of KINDS) {
    const index = INDEX[kind](namespace);
    if (!backend.exists(index, {})) continue;
    const ids = inOrder(await idsOf(backend, index));
    for (let at = 0; at < ids.length; at += BATCH) {
      const batch = ids.slice(at, at + BATCH);
      const sources = await sourcesOf(backend, index, batch, {});
      // Some may have been deleted since their ids were read.
      const lines = batch.flatMap((id) => {
        const source = sources.get(id);
        return source === undefined
          ? []
          : [itemLine({ kind, id, document: readItem(kind, source) })];
      });
      counts[kind] += lines.length;
      yield lines.join('');
    }
  }
  yield endLine(counts);
}

/** In the order of the bytes of the ids. */
function inOrder(ids: readonly string[]): readonly string[] {
  return ids
    .map((id) => ({ id, bytes: Buffer.from(id) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ id }) => id);
}

/**
 * The document as an export shows it. Which metadata is unindexed depends on the order of the
 * writes, so that an export merges both parts; fields that are made from the metadata are left out.
 */
export function readItem(kind: Kind, source: Uint8Array): JsonObject {
  const read = readJson(Buffer.from(source).toString('utf8'));
  const document = isObject(read) ? read : {};
  if (kind !== 'memory') return document;
  const { unindexed, said_by: _by, said_on: _on, ...shown } = document;
  if (!isObject(unindexed)) return shown;
  const { metadata, ...rest } = shown;
  return { ...rest, metadata: { ...(isObject(metadata) ? metadata : {}), ...unindexed } };
}
