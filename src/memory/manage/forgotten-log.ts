// Which memories were forgotten, by id alone, at their positions in the order of a namespace's
// writes. Stores and changes need no log: the documents have their positions themselves. The log of
// a namespace is bounded: the oldest entries leave, and the horizon is the position of the last one
// that left. Who has not read up to the horizon has to begin at the start.
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
/** Entries of a namespace that are kept. */
export const MAX_LOGGED = 100_000;
/** Entries above the maximum from which on the oldest are deleted, many at a time. */
const SLACK = 10_000;
/** Position before the first. */
export const NO_HORIZON = -1;

export async function recordForgotten(
  backend: Backend,
  { namespace, uuid }: LoggedIndex,
  forgotten: readonly Forgotten[],
  most = MAX_LOGGED,
): Promise<void> {
  if (forgotten.length === 0) return;
  await ensureIndex(backend, FORGOTTEN_INDEX, BODY);
  const lines = forgotten.map(({ id, position }) => {
    const action = { index: { _index: FORGOTTEN_INDEX, _id: `${uuid}/${position}` } };
    return `${plainJson(action)}\n${plainJson({ namespace, uuid, id, position })}\n`;
  });
  await backend.bulk({ refresh: 'false', body: Buffer.from(lines.join('')) });
  await trim(backend, { namespace, uuid }, most);
}

/**
 * Deletes the oldest entries beyond the maximum. The horizon is written first: entries below it that
 * are left after a crash are read by nobody and leave with the next ones.
 */
async function trim(
  backend: Backend,
  { namespace, uuid }: LoggedIndex,
  most: number,
): Promise<void> {
  const query = { bool: { filter: [{ term: { namespace } }, { term: { uuid } }] } };
  const index = FORGOTTEN_INDEX;
  // What is not published yet is counted the next time.
  const { count } = await backend.count({ index, body: { query } });
  const slack = Math.min(SLACK, most);
  if (count <= most + slack) return;
  const sort = [{ position: { order: 'asc', unmapped_type: 'long' } }];
  for (let left = count - most; left > 0; ) {
    const size = Math.min(BATCH, left);
    const { hits } = await backend.search({
      index,
      body: { query, sort, size, track_total_hits: false },
    });
    const last = hits.at(-1)?.source;
    const horizon = last === undefined ? undefined : readDocument(last)['position'];
    if (typeof horizon !== 'number') return;
    const action = { index: { _index: index, _id: horizonId(uuid) } };
    // Without a position, so that no search for entries finds it.
    const document = { namespace, horizon };
    const deletions = hits.map(
      ({ id }) => `${plainJson({ delete: { _index: index, _id: id } })}\n`,
    );
    const lines = [`${plainJson(action)}\n${plainJson(document)}\n`, ...deletions];
    await backend.bulk({ refresh: 'false', body: Buffer.from(lines.join('')) });
    await backend.publish(index);
    left -= hits.length;
  }
}

function horizonId(uuid: string): string {
  return `${uuid}/horizon`;
}

/** Position of the last entry that left the log; NO_HORIZON: none did. */
export async function horizonOf(backend: Backend, { uuid }: LoggedIndex): Promise<number> {
  if (!backend.exists(FORGOTTEN_INDEX, {})) return NO_HORIZON;
  const { source } = await backend.get({
    index: FORGOTTEN_INDEX,
    id: horizonId(uuid),
    source: true,
  });
  const horizon = source === undefined ? undefined : readDocument(source)['horizon'];
  return typeof horizon === 'number' ? horizon : NO_HORIZON;
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
