// Deletes memories and namespaces with everything that belongs to them. The deletion covers several
// indexes: an intent records what is deleted (intents.ts), and repeating the deletion removes the
// rest.
import type { Backend } from '../backend/index.js';
import { plainJson } from '../base/json-text.js';
import type { Graph } from '../graph/graph.js';
import type { Expiry } from './expiry.js';
import type { ForgetIntent } from './intent.js';
import { memoryIndex } from './names.js';
import type { Sessions } from './sessions.js';
import type { SettingsStore } from './settings.js';

export interface RemovalDeps {
  readonly backend: Backend;
  readonly graph: Graph;
  readonly sessions: Sessions;
  readonly settings: SettingsStore;
  readonly expiry: Pick<Expiry, 'drop'>;
}

export interface Removed {
  readonly memories: number;
  readonly links: number;
}

/**
 * Deletes are conditional on the version: a memory that was stored again meanwhile is kept with its
 * links.
 */
export async function removeMemories(
  { backend, graph, sessions }: Pick<RemovalDeps, 'backend' | 'graph' | 'sessions'>,
  { namespace, forgotten }: ForgetIntent,
): Promise<Removed> {
  const index = memoryIndex(namespace);
  const ids = forgotten.map(({ id }) => id);
  let memories = 0;
  let gone: readonly string[] = ids;
  if (backend.exists(index, {})) {
    const lines = forgotten.flatMap(({ id, document }) => {
      if (document === null) return [];
      return [`${plainJson({ delete: { _index: index, _id: id, ...document } })}\n`];
    });
    if (lines.length > 0) {
      const body = Buffer.from(lines.join(''));
      const { items } = await backend.bulk({ refresh: 'false', body });
      memories = items.filter((item) => !('error' in item)).length;
    }
    const found = await backend.mget(ids.map((id) => ({ index, id, source: false })));
    gone = ids.filter((_, i) => {
      const one = found[i];
      return one !== undefined && 'found' in one && !one.found;
    });
    const [description] = backend.resolve(index, {});
    if (description !== undefined) sessions.forget(description.number);
  }
  const { links } = await graph.forgetNodes(namespace, gone);
  return { memories, links };
}

export function namespaceIndexes(graph: Graph, namespace: string): readonly string[] {
  return [memoryIndex(namespace), ...graph.indexesOf(namespace)];
}

/** The indexes are deleted in one step, after which the namespace no longer exists. */
export async function removeNamespace(deps: RemovalDeps, namespace: string): Promise<void> {
  const { backend, graph } = deps;
  const all = namespaceIndexes(graph, namespace).join(',');
  await backend.deleteIndices(all, { ignoreUnavailable: true });
  await removeSettings(deps, namespace);
}

/** Deletes what is left of a namespace whose indexes are gone. */
export async function removeSettings(
  { graph, settings, expiry }: Pick<RemovalDeps, 'graph' | 'settings' | 'expiry'>,
  namespace: string,
): Promise<void> {
  await graph.dropBrain(namespace);
  await settings.drop(namespace);
  await expiry.drop(namespace);
}
