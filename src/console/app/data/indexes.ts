// The list of indexes, as the key may see them.
import { call } from '../kit/api.js';

export interface IndexRow {
  readonly name: string;
  readonly health: string;
  /** `open` or `close`. */
  readonly status: string;
  readonly documents: number;
  readonly deleted: number;
  readonly bytes: number;
  readonly shards: number;
  readonly created: string;
  /** The service made it for itself: memories, links, states. */
  readonly isHidden: boolean;
}

const COLUMNS = 'index,health,status,docs.count,docs.deleted,store.size,pri,creation.date.string';

export async function listIndexes(signal?: AbortSignal): Promise<readonly IndexRow[]> {
  const rows = await call<readonly Readonly<Record<string, string | null>>[]>(
    'GET',
    '/_cat/indices',
    undefined,
    { signal, params: { format: 'json', bytes: 'b', h: COLUMNS, expand_wildcards: 'all' } },
  );
  return rows.map(rowOf).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function rowOf(cells: Readonly<Record<string, string | null>>): IndexRow {
  const name = String(cells['index']);
  return {
    name,
    health: cells['health'] ?? '',
    status: cells['status'] ?? '',
    documents: Number(cells['docs.count'] ?? 0),
    deleted: Number(cells['docs.deleted'] ?? 0),
    bytes: Number(cells['store.size'] ?? 0),
    shards: Number(cells['pri'] ?? 0),
    created: cells['creation.date.string'] ?? '',
    isHidden: name.startsWith('.'),
  };
}
