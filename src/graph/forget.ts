// Deletes links permanently: those of a node that is forgotten and those of a brain that is
// dropped. No other file of this folder deletes; a link that is no longer true is retired.
import type { Backend } from '../backend/index.js';
import { plainJson } from '../base/json-text.js';
import { edgesIndex, suggestionsIndex } from './names.js';

/** Links per bulk. */
const BATCH = 10_000;

/**
 * Deletes all links of the nodes, whatever their state, and returns their number. No later response
 * contains them.
 */
export async function forgetNodes(
  backend: Backend,
  brain: string,
  ids: readonly string[],
): Promise<number> {
  const links = await deleteAround(backend, edgesIndex(brain), ids);
  await deleteAround(backend, suggestionsIndex(brain), ids);
  return links;
}

export function linkIndexes(brain: string): readonly string[] {
  return [edgesIndex(brain), suggestionsIndex(brain)];
}

/** Deletes the links and suggestions of the brain in one step and keeps its nodes. */
export async function dropLinks(backend: Backend, brain: string): Promise<void> {
  await backend.deleteIndices(linkIndexes(brain).join(','), { ignoreUnavailable: true });
}

async function deleteAround(
  backend: Backend,
  index: string,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0 || !backend.exists(index, {})) return 0;
  const query = { bool: { should: [{ terms: { src: ids } }, { terms: { dst: ids } }] } };
  for (let links = 0; ; ) {
    await backend.publish(index);
    const found = await backend.columns({ index, query, columns: ['_id'], size: BATCH });
    if (found.hits === 0) return links;
    const lines = Array.from({ length: found.hits }, (_, hit) =>
      plainJson({ delete: { _index: index, _id: found.columns[0]?.(hit) } }),
    );
    await backend.bulk({ refresh: 'false', body: Buffer.from(`${lines.join('\n')}\n`) });
    links += found.hits;
  }
}
