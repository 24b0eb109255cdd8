// Read-your-writes for links: a response about links reflects every link and node that was
// acknowledged before the request.
import type { Backend, JsonObject } from '../backend/index.js';
import { QuarryError } from '../errors.js';

/**
 * Parts of documents by id. Missing documents and those that `hidden` matches are left out. Takes
 * one search whatever the number of ids.
 */
export async function sourcesOf(
  backend: Backend,
  index: string,
  ids: readonly string[],
  wanted: { readonly includes?: readonly string[]; readonly excludes?: readonly string[] },
  hidden?: JsonObject,
): Promise<ReadonlyMap<string, Uint8Array>> {
  await backend.publish(index);
  const named = { ids: { values: ids } };
  const { hits } = await backend.search({
    index,
    body: {
      query: hidden === undefined ? named : { bool: { filter: [named], must_not: [hidden] } },
      size: ids.length,
      sort: ['_doc'],
      track_total_hits: false,
      _source: wanted,
    },
  });
  return new Map(hits.map(({ id, source }) => [id, source ?? EMPTY_OBJECT]));
}

/**
 * A string that changes with every write to the index; undefined where the name resolves to several
 * indexes.
 */
export function markOf(backend: Backend, index: string): string | undefined {
  try {
    return backend.writeMark(index);
  } catch (error) {
    if (error instanceof QuarryError) return undefined;
    throw error;
  }
}

const EMPTY_OBJECT = Buffer.from('{}');
