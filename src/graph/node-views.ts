// What a response shows of nodes: a title and a preview from their documents, and the number of
// their live links.
import type { LinkDegree } from '../backend/index.js';
import type { Brain } from './brains.js';
import type { Preview } from './preview.js';
import type { Previews } from './previews.js';

/** `in` and `out`: live links that point to the node, and away from it. */
export type NodeView = Preview & LinkDegree;

export async function viewNodes(
  previews: Previews,
  brain: Brain,
  ids: readonly string[],
  degrees: ReadonlyMap<string, LinkDegree>,
): Promise<ReadonlyMap<string, NodeView>> {
  const found = await previews.of(brain, ids);
  return new Map(
    found.map(({ title, preview, exists }, i) => {
      const id = ids[i] ?? '';
      const { in: pointing = 0, out = 0 } = degrees.get(id) ?? {};
      return [id, { title, preview, exists, in: pointing, out }];
    }),
  );
}
