// Deletes a memory with its links, or a namespace with everything that belongs to it, permanently.
// Afterwards a search verifies that nothing is left. Links that an earlier deletion left are
// removed even though their memory no longer exists.
import type { Backend } from '../backend/index.js';
import { checkId, edgesIndex } from '../graph/names.js';
import { type ForgetIntent, seenAs } from './intent.js';
import { memoryIndex } from './names.js';
import { namespaceIndexes, type Removed, removeMemories, removeNamespace } from './removals.js';
import type { MemoryDeps } from './store.js';

export interface ForgetAnswer {
  readonly forgotten: boolean;
  readonly id: string;
  readonly namespace: string;
  readonly receipt?: Receipt;
}

export interface Receipt {
  readonly removed: { readonly memories: number; readonly links: number };
  /** Counted after the deletion in what searches read: zeros. */
  readonly left: {
    readonly memories: number;
    readonly postings: number;
    readonly vectors: number;
    readonly links: number;
  };
}

export async function forget(
  deps: MemoryDeps,
  namespace: string,
  id: string,
): Promise<ForgetAnswer> {
  checkId(id, 'id');
  const { backend, graph, turns } = deps;
  const isThere = (index: string): boolean => backend.exists(index, {});
  if (!namespaceIndexes(graph, namespace).some(isThere)) return { forgotten: false, id, namespace };
  return turns.take(namespace, async () => {
    const removed = await remove(deps, namespace, id);
    if (removed.memories + removed.links === 0) return { forgotten: false, id, namespace };
    const left = await whatIsLeft(backend, namespace, [id]);
    return { forgotten: true, id, namespace, receipt: { removed, left } };
  });
}

/**
 * Repeats if the memory is stored again during the deletion, so that the new version is deleted
 * too.
 */
async function remove(deps: MemoryDeps, namespace: string, id: string): Promise<Removed> {
  const { backend, intents } = deps;
  const index = memoryIndex(namespace);
  let links = 0;
  for (;;) {
    const there = backend.exists(index, {})
      ? await backend.get({ index, id, source: false })
      : undefined;
    const document = there?.found === true ? seenAs(there) : null;
    const intent: ForgetIntent = { namespace, forgotten: [{ id, document }] };
    const work = (): Promise<Removed> => removeMemories(deps, intent);
    // Without a document no intent is recorded: a repeated request finds the remaining links.
    const removed = document === null ? await work() : await intents.during(intent, work);
    links += removed.links;
    if (document === null || removed.memories > 0) return { memories: removed.memories, links };
  }
}

/** Counts what searches still find of the memories. */
export async function whatIsLeft(
  backend: Backend,
  namespace: string,
  ids: readonly string[],
): Promise<Receipt['left']> {
  const index = memoryIndex(namespace);
  const edges = edgesIndex(namespace);
  await backend.publish(index);
  const count = async (where: string, query: object): Promise<number> => {
    if (!backend.exists(where, {})) return 0;
    const found = await backend.count({ index: where, body: { query: { ...query } } });
    return found.count;
  };
  const mine = { ids: { values: ids } };
  const having = (field: string) => ({ bool: { filter: [mine, { exists: { field } }] } });
  if (backend.exists(edges, {})) await backend.publish(edges);
  const [memories, postings, vectors, links] = await Promise.all([
    count(index, mine),
    count(index, having('text')),
    count(index, having('vector')),
    count(edges, { bool: { should: [{ terms: { src: ids } }, { terms: { dst: ids } }] } }),
  ]);
  return { memories, postings, vectors, links };
}

export interface DropAnswer {
  readonly dropped: boolean;
  readonly namespace: string;
}

export async function drop(deps: MemoryDeps, namespace: string): Promise<DropAnswer> {
  const { backend, graph, turns, intents } = deps;
  return turns.take(namespace, async () => {
    const isThere = (index: string): boolean => backend.exists(index, {});
    if (!namespaceIndexes(graph, namespace).some(isThere)) return { dropped: false, namespace };
    const intent = { namespace, dropped: true } as const;
    await intents.during(intent, () => removeNamespace(deps, namespace));
    return { dropped: true, namespace };
  });
}
