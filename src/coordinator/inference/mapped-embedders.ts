// The remote embedders that the semantic_text fields of a mapping name, and the completion of these
// fields. Covers fields, multi-fields and dynamic templates. There is no I/O.
import type { Json, JsonObject } from '../../backend/index.js';
import { isBuiltin } from '../../base/builtin-embedders.js';
import { type ChangeField, changeFields } from '../../base/mapping-fields.js';
import type { RemoteEndpoint } from '../../embed/endpoint.js';
import { readMappedEndpoint } from '../../embed/endpoint-body.js';
import { QuarryError } from '../../errors.js';

/** What the mapping of one index states about an embedder. */
export interface MappedEmbedder {
  /** Ids of registered endpoints that fields name. */
  readonly ids: ReadonlySet<string>;
  /** The endpoint from `inference_endpoint`. */
  readonly endpoint?: RemoteEndpoint;
}

/** By identity, which is the `embedder` of the fields; without the built-in ones. */
export type MappedEmbedders = ReadonlyMap<string, MappedEmbedder>;

export const NO_EMBEDDERS: MappedEmbedders = new Map();

/** The mapping with each semantic_text field completed. */
export function completeMappings(mappings: JsonObject, complete: ChangeField): JsonObject {
  return changeFields(mappings, 'semantic_text', complete);
}

/**
 * Maximum number of fields of a mapping in one request, because they are visited without yielding.
 */
const MAX_FIELDS = 20_000;
/** Each new field of a document is compared with all of them. */
const MAX_DYNAMIC_TEMPLATES = 1000;

/**
 * Throws illegal_argument_exception for a mapping with more fields or dynamic templates than that,
 * whatever the limits of its index.
 */
export function checkFieldCount(mappings: JsonObject): void {
  const templates = mappings['dynamic_templates'];
  const named = Array.isArray(templates) ? (templates as readonly Json[]).length : 0;
  if (named > MAX_DYNAMIC_TEMPLATES) {
    throw new QuarryError(
      'illegal_argument_exception',
      `[dynamic_templates] has [${named}] entries, more than [${MAX_DYNAMIC_TEMPLATES}]: let one match more fields`,
    );
  }
  let count = 0;
  const left: JsonObject[] = [mappings];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    for (const key of ['properties', 'fields']) {
      const children = node[key];
      if (!isObject(children)) continue;
      count += Object.keys(children).length;
      if (count > MAX_FIELDS) {
        throw new QuarryError(
          'illegal_argument_exception',
          `[mappings] has more than [${MAX_FIELDS}] fields, add them in several requests`,
        );
      }
      for (const field of Object.values(children)) if (isObject(field)) left.push(field);
    }
  }
}

/** The remote embedders that a mapping in the form of the engine names. */
export function mappedEmbedders(mappings: JsonObject): MappedEmbedders {
  const found = new Map<string, { ids: Set<string>; endpoint?: RemoteEndpoint }>();
  completeMappings(mappings, (field) => {
    const identity = field['embedder'];
    if (typeof identity !== 'string' || isBuiltin(identity)) return field;
    const row = found.get(identity) ?? { ids: new Set<string>() };
    found.set(identity, row);
    const { inference_id: id, inference_endpoint: endpoint } = field;
    if (endpoint !== undefined) {
      row.endpoint ??= readMappedEndpoint(endpoint, id, 'inference_endpoint');
    } else if (typeof id === 'string') row.ids.add(id);
    return field;
  });
  return found.size === 0 ? NO_EMBEDDERS : found;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
