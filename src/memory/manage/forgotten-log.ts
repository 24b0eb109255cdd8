// Which memories were forgotten, by id alone, at their positions in the order of a namespace's
// writes. Stores and changes need no log: the documents have their positions themselves.
import type { Backend, JsonObject } from '../../backend/index.js';
import { plainJson } from '../../base/json-text.js';
import { FORGOTTEN_INDEX } from '../../base/state-indexes.js';
import { ensureIndex } from '../../graph/edges-index.js';
import { readDocument } from '../memory-entry.js';

export interface Forgotten {
  readonly id: string;
  /** Sequence number of the deletion in the index of the memories. */
  readonly position: number;
}

/** The index of a namespace; another one of the same name after a drop has another uuid. */
export interface LoggedIndex {
  readonly namespace: string;
  readonly uuid: string;
}

const BODY: JsonObject = {
  settings: { number_of_shards: 1 },
  mappings: {
    dynamic: false,
    properties: {
      namespace: { type: 'keyword' },
      uuid: { type: 'keyword' },
      position: { type: 'long' },
    },
  },
};
/** Entries per deletion. */
const BATCH = 10_000;

export async function recordForgotten(
  backend: Backend,
  { namespace, uuid }: LoggedIndex,
  forgotten: readonly Forgotten[],
): Promise<void> {
  if (forgotten.length === 0) return;
  await ensureIndex(backend, FORGOTTEN_INDEX, BODY);
  const lines = forgotten.map(({ id, position }) => {
    const action = { index: { _index: FORGOTTEN_INDEX, _id: `${uuid}/${position}` } };
    return `${plainJson(action)}\n${plainJson({ namespace, uuid, id, position })}\n`;
  });
  await backend.bulk({ refresh: 'false', body: Buffer.from(lines.join('')) });
}

/** The first `size` entries behind the position, in order. */
export async function forgottenAfter(
  backend: Backend,
  { namespace, uuid }: LoggedIndex,
  position: number,
  size: number,
): Promise<readonly Forgotten[]> {
  if (!backend.exists(FORGOTTEN_INDEX, {})) return [];
  await backend.publish(FORGOTTEN_INDEX);
  const filter = [
    { term: { namespace } },
    { term: { uuid } },
    { range: { position: { gt: position } } },
  ];
  const sort = [{ position: { order: 'asc', unmapped_type: 'long' } }];
  const { hits } = await backend.search({
    index: FORGOTTEN_INDEX,
    body: { query: { bool: { filter } }, sort, size, track_total_hits: false },
  });
  return hits.flatMap(({ source }) => {
    const { id, position: at } = source === undefined ? {} : readDocument(source);
    return typeof id === 'string' && typeof at === 'number' ? [{ id, position: at }] : [];
  });
}

/** Deletes the entries of a namespace that is dropped, of all its indexes. */
export async function dropForgotten(backend: Backend, namespace: string): Promise<void> {
  if (!backend.exists(FORGOTTEN_INDEX, {})) return;
  for (;;) {
    await backend.publish(FORGOTTEN_INDEX);
    const query = { term: { namespace } };
    const body = { query, size: BATCH, sort: ['_doc'], _source: false, track_total_hits: false };
    const { hits } = await backend.search({ index: FORGOTTEN_INDEX, body });
    if (hits.length === 0) return;
    const lines = hits.map(({ id }) => {
      return `${plainJson({ delete: { _index: FORGOTTEN_INDEX, _id: id } })}\n`;
    });
    await backend.bulk({ refresh: 'false', body: Buffer.from(lines.join('')) });
  }
}
