// The companion vector fields `<field>_vector` of semantic_text fields in printed mappings, which
// show that `knn` can search them. The engine creates them automatically, so that a printed mapping
// is read without them.
import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../../backend/index.js';
import { BUILTIN_ID, isBuiltin } from '../../base/builtin-embedders.js';
import { BUILTIN_DIMS } from '../../embed/builtin.js';

const SUFFIX = '_vector';

/** Mappings as responses show them; the same object where there is no semantic_text field. */
export function withCompanions(mappings: JsonObject): JsonObject {
  return each(mappings, (children) => {
    const shown = Object.entries(children).flatMap(([name, field]): (readonly [string, Json])[] =>
      isSemantic(field)
        ? [
            [name, field],
            [`${name}${SUFFIX}`, companionOf(field)],
          ]
        : [[name, field]],
    );
    const added = shown.length > Object.keys(children).length;
    return added ? Object.fromEntries(shown) : children;
  });
}

/** Mappings as the engine accepts them: a companion with its default definition is left out. */
export function withoutCompanions(mappings: JsonObject): JsonObject {
  return each(mappings, (children) => {
    const kept = Object.entries(children).filter(([name, field]) => {
      const source = name.endsWith(SUFFIX) ? children[name.slice(0, -SUFFIX.length)] : undefined;
      return !(isSemantic(source) && isCompanion(field, source));
    });
    return kept.length < Object.keys(children).length ? Object.fromEntries(kept) : children;
  });
}

function companionOf(field: JsonObject): JsonObject {
  const { dims, index_options: options } = field;
  return {
    type: 'dense_vector',
    // A remote model determines the dims with its first vector.
    ...(dims === undefined ? {} : { dims }),
    index: true,
    similarity: 'cosine',
    ...(options === undefined ? {} : { index_options: options }),
  };
}

/** True if the mapping of a field is the default definition of the companion of `source`. */
function isCompanion(field: Json | undefined, source: JsonObject): boolean {
  if (!isObject(field)) return false;
  const { embedder = BUILTIN_ID, inference_id: id, inference_endpoint: endpoint } = source;
  const isOurs = isBuiltin(embedder) && id === undefined && endpoint === undefined;
  const dims = source['dims'] ?? (isOurs ? BUILTIN_DIMS : undefined);
  const would = companionOf(dims === undefined ? source : { ...source, dims });
  return (
    field['type'] === 'dense_vector' &&
    Object.entries(field).every(([key, value]) => isDeepStrictEqual(would[key], value))
  );
}

/** Applies `change` to every object of children (`properties`, `fields`), the innermost first. */
function each(node: JsonObject, change: (children: JsonObject) => JsonObject): JsonObject {
  let done = node;
  for (const key of ['properties', 'fields']) {
    const children = done[key];
    if (!isObject(children)) continue;
    const below = Object.entries(children).map(
      ([name, child]) => [name, isObject(child) ? each(child, change) : child] as const,
    );
    const same = below.every(([name, child]) => child === children[name]);
    const changed = change(same ? children : Object.fromEntries(below));
    if (changed !== children) done = { ...done, [key]: changed };
  }
  return done;
}

function isSemantic(field: Json | undefined): field is JsonObject {
  return isObject(field) && field['type'] === 'semantic_text';
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
