// The namespaces with their counts, sizes and times of the last store, in pages by name.
import type { Backend, JsonObject } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { readText, readWhole, refuseUnknown } from '../body-fields.js';
import { readCounted } from '../counted.js';
import { inScope } from '../modes.js';
import { isMemoryIndex, memoryIndex, namespaceOf } from '../names.js';
import type { MemoryDeps } from '../store.js';
import { presentMoment, type RecallMoment, unseenQueries } from '../visible.js';

/** The namespaces that a client may use. */
export interface NamespaceAccess {
  allows(namespace: string): boolean;
  /** Throws unless the client may use the namespace. */
  check(namespace: string): void;
}

export const ALL_NAMESPACES: NamespaceAccess = { allows: () => true, check: () => {} };

export interface NamespaceEntry {
  readonly namespace: string;
  /** Memories that can be recalled now; null: the index cannot be read. */
  readonly memories: number | null;
  /** Of the index of the memories, in memory and on disk. */
  readonly bytes: number | null;
  /** Epoch milliseconds; null: nothing was stored. */
  readonly last_store: number | null;
  /** Why the index cannot be read. */
  readonly unavailable?: string;
}

export interface NamespacesAnswer {
  /** Of all pages. */
  readonly count: number;
  readonly namespaces: readonly NamespaceEntry[];
  /** For `after` of the next page; absent on the last one. */
  readonly next?: string;
}

interface NamespacesRequest {
  readonly prefix: string;
  readonly size: number;
  readonly after: string | undefined;
}

const KEYS = ['prefix', 'size', 'after'];
const MAX_SIZE = 1000;
const DEFAULT_SIZE = 100;

export function readNamespacesBody(body: JsonObject): NamespacesRequest {
  refuseUnknown(body, KEYS, 'a list of namespaces');
  return {
    prefix: readText(body, 'prefix') ?? '',
    size: readWhole(body, 'size', 1, MAX_SIZE) ?? DEFAULT_SIZE,
    after: readText(body, 'after'),
  };
}

/** Names of the existing namespaces that the client may use, in order. */
export function namespaceNames(backend: Backend, access: NamespaceAccess): readonly string[] {
  return backend
    .resolve(`${memoryIndex('')}*`, { expandWildcards: ['all'] })
    .filter(({ name }) => isMemoryIndex(name))
    .map(({ name }) => namespaceOf(name))
    .filter((namespace) => access.allows(namespace))
    .sort();
}

export async function listNamespaces(
  deps: MemoryDeps,
  { prefix, size, after }: NamespacesRequest,
  access: NamespaceAccess,
): Promise<NamespacesAnswer> {
  const all = namespaceNames(deps.backend, access).filter((name) => name.startsWith(prefix));
  const rest = after === undefined ? all : all.filter((name) => name > after);
  const page = rest.slice(0, size);
  const namespaces: NamespaceEntry[] = [];
  for (const namespace of page) namespaces.push(await entryOf(deps, namespace));
  const last = page.at(-1);
  const next = last !== undefined && rest.length > page.length ? { next: last } : {};
  return { count: all.length, namespaces, ...next };
}

/** An index that is closed, damaged or was just dropped fails alone. */
async function entryOf(deps: MemoryDeps, namespace: string): Promise<NamespaceEntry> {
  try {
    return await countsOf(deps, namespace, await presentMoment(deps, namespace));
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error;
    const nothing = { memories: null, bytes: null, last_store: null };
    return { namespace, ...nothing, unavailable: error.message };
  }
}

interface Counted {
  readonly seen: { readonly doc_count: number };
  readonly last: { readonly value: number | null };
}

async function countsOf(
  { backend }: MemoryDeps,
  namespace: string,
  moment: RecallMoment,
): Promise<NamespaceEntry> {
  const index = memoryIndex(namespace);
  await backend.publish(index);
  const aggs = {
    seen: { filter: inScope([], { filter: [], mustNot: unseenQueries(moment) }) },
    last: { max: { field: 'stored_at' } },
  };
  const body = { size: 0, track_total_hits: false, aggs };
  const [{ aggregations }, { bytes }] = await Promise.all([
    backend.search({ index, body }),
    backend.stats(index),
  ]);
  const { seen, last } = readCounted<Counted>(aggregations);
  return { namespace, memories: seen.doc_count, bytes, last_store: last.value };
}
