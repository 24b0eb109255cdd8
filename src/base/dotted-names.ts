// Converts dotted names to nested objects, as settings are printed.
import type { Json, JsonObject } from '../backend/index.js';

/**
 * Below a name that is a leaf, too, the first part stays dotted:
 * `{"knn": "true", "knn.algo_param": {"ef_search": "100"}}`.
 */
export function nestDotted(leaves: Iterable<readonly [string, Json]>): JsonObject {
  const root: Record<string, Json> = {};
  // A leaf comes before the names below it.
  for (const [key, value] of [...leaves].sort(([a], [b]) => (a < b ? -1 : 1))) {
    let node = root;
    const [first = '', ...parts] = key.split('.');
    let name = first;
    for (const part of parts) {
      if (!Object.hasOwn(node, name)) node[name] = {};
      const inside = node[name];
      const isParent = typeof inside === 'object' && inside !== null && !Array.isArray(inside);
      if (isParent) node = inside as Record<string, Json>;
      name = isParent ? part : `${name}.${part}`;
    }
    node[name] = value;
  }
  return root;
}
