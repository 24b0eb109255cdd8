// Deletes memories and namespaces with everything that belongs to them. The deletion covers several
// indexes: an intent records what is deleted (intents.ts), and repeating the deletion removes the
// rest.
import type { Backend } from '../backend/index.js';
import { plainJson } from '../base/json-text.js';
import type { Graph } from '../graph/graph.js';
import type { Expiry } from './expiry.js';
import type { ForgetIntent } from './intent.js';
import { dropForgotten, recordForgotten } from './manage/forgotten-log.js';
import type { RecallCounts } from './manage/recall-counts.js';
import { memoryIndex } from './names.js';
import type { Sessions } from './sessions.js';
import type { SettingsStore } from './settings.js';

/** Ids of memories do not begin so. */
const NO_MEMORY = '_forgotten';

export interface RemovalDeps {
  readonly backend: Backend;
  readonly graph: Graph;
  readonly sessions: Sessions;
  readonly settings: SettingsStore;
  readonly expiry: Pick<Expiry, 'drop'>;
  readonly recallCounts: Pick<RecallCounts, 'forget' | 'drop'>;
  /** Forgotten ids of a namespace that its changes report. Default: MAX_LOGGED. */
  readonly maxForgotten?: number | undefined;
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
  {
    backend,
    graph,
    sessions,
    recallCounts,
    maxForgotten,
  }: Pick<RemovalDeps, 'backend' | 'graph' | 'sessions' | 'recallCounts' | 'maxForgotten'>,
  { namespace, forgotten }: ForgetIntent,
): Promise<Removed> {
  const index = memoryIndex(namespace);
  const ids = forgotten.map(({ id }) => id);
  let memories = 0;
  let gone: readonly string[] = ids;
  const [description] = backend.exists(index, {}) ? backend.resolve(index, {}) : [];
  if (description !== undefined) {
    const positions = new Map<string, number>();
    const lines = forgotten.flatMap(({ id, document }) => {
      if (document === null) return [];
      return [`${plainJson({ delete: { _index: index, _id: id, ...document } })}\n`];
    });
    if (lines.length > 0) {
      const body = Buffer.from(lines.join(''));
      const { items } = await backend.bulk({ refresh: 'false', body });
      for (const item of items) {
        if (!('error' in item)) positions.set(item.id, Number(item.seqNo));
      }
      memories = positions.size;
    }
    const found = await backend.mget(ids.map((id) => ({ index, id, source: false })));
    gone = ids.filter((_, i) => {
      const one = found[i];
      return one !== undefined && 'found' in one && !one.found;
    });
    sessions.forget(description.number);
    const isGone = new Set(gone);
    const were = forgotten.filter(({ id, document }) => document !== null && isGone.has(id));
    const earlier = were.filter(({ id }) => !positions.has(id)).map(({ id }) => id);
    for (const [i, position] of (await newPositions(backend, index, earlier.length)).entries()) {
      positions.set(earlier[i] ?? '', position);
    }
    const entries = were.map(({ id }) => ({ id, position: positions.get(id) ?? 0 }));
    await recordForgotten(backend, { namespace, uuid: description.uuid }, entries, maxForgotten);
  }
  await recallCounts.forget(namespace, gone);
  const { links } = await graph.forgetNodes(namespace, gone);
  return { memories, links };
}

/**
 * Positions for memories that an earlier process deleted without recording it. Deleting an id that
 * no memory has takes a sequence number and changes nothing else.
 */
async function newPositions(
  backend: Backend,
  index: string,
  count: number,
): Promise<readonly number[]> {
  if (count === 0) return [];
  const line = `${plainJson({ delete: { _index: index, _id: NO_MEMORY } })}\n`;
  const body = Buffer.from(line.repeat(count));
  const { items } = await backend.bulk({ refresh: 'false', body });
  return items.flatMap((item) => ('error' in item ? [] : [Number(item.seqNo)]));
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
  {
    backend,
    graph,
    settings,
    expiry,
    recallCounts,
  }: Pick<RemovalDeps, 'backend' | 'graph' | 'settings' | 'expiry' | 'recallCounts'>,
  namespace: string,
): Promise<void> {
  await dropForgotten(backend, namespace);
  await recallCounts.drop(namespace);
  await graph.dropBrain(namespace);
  await settings.drop(namespace);
  await expiry.drop(namespace);
}
