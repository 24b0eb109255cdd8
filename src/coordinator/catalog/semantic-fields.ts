// The embedder of each semantic field, from the mapping of its index. A search needs it to send
// vectors with the texts of its semantic clauses.
import type { Json, JsonObject } from '../../backend/index.js';
import { BUILTIN_ID, isBuiltin } from '../../base/builtin-embedders.js';

export interface SemanticFields {
  /** By full name: of semantic_text fields and of aliases for such fields. */
  readonly mapped: ReadonlyMap<string, string>;
  /** Of fields that dynamic templates may create. */
  readonly templated: readonly string[];
}

/** Identities of the remote embedders that may have embedded `field`. */
export function remoteEmbedders(
  { mapped, templated }: SemanticFields,
  field: string,
): readonly string[] {
  const known = mapped.get(field);
  return (known === undefined ? templated : [known]).filter((one) => !isBuiltin(one));
}

export function semanticFields(mappings: JsonObject): SemanticFields {
  const mapped = new Map<string, string>();
  const aliases = new Map<string, string>();
  visit(mappings, '', (path, field) => {
    const { type, embedder, path: target } = field;
    if (type === 'semantic_text')
      mapped.set(path, typeof embedder === 'string' ? embedder : BUILTIN_ID);
    if (type === 'alias' && typeof target === 'string') aliases.set(path, target);
  });
  for (const [path, target] of aliases) {
    const embedder = mapped.get(target);
    if (embedder !== undefined) mapped.set(path, embedder);
  }
  return { mapped, templated: [...templatedEmbedders(mappings['dynamic_templates'])] };
}

type Visitor = (path: string, field: JsonObject) => void;

function visit(node: JsonObject, path: string, visitor: Visitor): void {
  for (const key of ['properties', 'fields']) {
    const children = node[key];
    if (!isObject(children)) continue;
    for (const [name, child] of Object.entries(children)) {
      if (!isObject(child)) continue;
      const full = path === '' ? name : `${path}.${name}`;
      visitor(full, child);
      visit(child, full, visitor);
    }
  }
}

/** `[{name: {match…, mapping: {…}}}]` */
function templatedEmbedders(templates: Json | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  if (!Array.isArray(templates)) return found;
  for (const template of templates as readonly Json[]) {
    if (!isObject(template)) continue;
    for (const rule of Object.values(template)) {
      const mapping = isObject(rule) ? rule['mapping'] : undefined;
      if (!isObject(mapping)) continue;
      const whole = { properties: { field: mapping } };
      visit(whole, '', (_path, { embedder }) => {
        if (typeof embedder === 'string') found.add(embedder);
      });
    }
  }
  return found;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
