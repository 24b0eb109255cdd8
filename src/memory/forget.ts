// Takes memories away for good: one with its links, or a namespace with all that belongs to it. What is said to be gone is
// looked for afterwards.
import type { Backend } from '../backend.js';
import { checkId, edgesIndex } from '../graph/names.js';
import { memoryIndex } from './names.js';
import type { MemoryDeps } from './store.js';

export interface ForgetAnswer {
  readonly forgotten: boolean;
  readonly id: string;
  readonly namespace: string;
  readonly receipt?: Receipt;
}

export interface Receipt {
  readonly removed: { readonly memories: number; readonly links: number };
  /** Counted after removing, in what searches read: zeros. */
  readonly left: {
    readonly memories: number;
    readonly postings: number;
    readonly vectors: number;
    readonly links: number;
  };
}

export async function forget(
  { backend, graph, turns, sessions }: MemoryDeps,
  namespace: string,
  id: string,
): Promise<ForgetAnswer> {
  checkId(id, 'id');
  const index = memoryIndex(namespace);
  if (!backend.exists(index, {})) return { forgotten: false, id, namespace };
  return turns.take(namespace, async () => {
    const { result } = await backend.write({ op: 'delete', index, id }, { refresh: 'false' });
    if (result === 'not_found') return { forgotten: false, id, namespace };
    const [description] = backend.resolve(index, {});
    if (description !== undefined) sessions.forget(description.number);
    const { links } = await graph.forgetNode(namespace, id);
    const left = await whatIsLeft(backend, namespace, id);
    return {
      forgotten: true,
      id,
      namespace,
      receipt: { removed: { memories: 1, links }, left },
    };
  });
}

async function whatIsLeft(
  backend: Backend,
  namespace: string,
  id: string,
): Promise<Receipt['left']> {
  const index = memoryIndex(namespace);
  const edges = edgesIndex(namespace);
  await backend.publish(index);
  const count = async (where: string, query: object): Promise<number> => {
    if (!backend.exists(where, {})) return 0;
    const found = await backend.count({ index: where, body: { query: { ...query } } });
    return found.count;
  };
  const mine = { ids: { values: [id] } };
  const having = (field: string) => ({ bool: { filter: [mine, { exists: { field } }] } });
  if (backend.exists(edges, {})) await backend.publish(edges);
  const [memories, postings, vectors, links] = await Promise.all([
    count(index, mine),
    count(index, having('text')),
    count(index, having('vector')),
    count(edges, { bool: { should: [{ term: { src: id } }, { term: { dst: id } }] } }),
  ]);
  return { memories, postings, vectors, links };
}

export interface DropAnswer {
  readonly dropped: boolean;
  readonly namespace: string;
}

export async function drop(
  { backend, graph, turns, settings, expiry }: MemoryDeps,
  namespace: string,
): Promise<DropAnswer> {
  return turns.take(namespace, async () => {
    const index = memoryIndex(namespace);
    const there = backend.exists(index, {}) || graph.hasEdges(namespace);
    if (!there) return { dropped: false, namespace };
    await backend.deleteIndices(index, { ignoreUnavailable: true });
    await graph.dropBrain(namespace);
    await settings.drop(namespace);
    await expiry.drop(namespace);
    return { dropped: true, namespace };
  });
}
