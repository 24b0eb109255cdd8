// Takes links away for good: those of a node that is forgotten, and those of a brain that is dropped. Nothing else in this
// folder deletes; a link that is no longer true is retired.
import type { Backend } from '../backend/index.js';
import { plainJson } from '../base/json-text.js';
import { edgesIndex, suggestionsIndex } from './names.js';

/** Links of one bulk. */
const BATCH = 10_000;

/** Every link of the nodes, in whatever state; how many there were. They are in no answer any more. */
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

/** Its links, and what was suggested for it, in one step; its nodes stay. */
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
