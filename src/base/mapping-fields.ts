// Changes the definitions of the fields of one type in a mapping: in its properties, in multi-fields
// and in dynamic templates.
import type { Json, JsonObject } from '../backend/index.js';

/** Returns the definition that replaces `field`; `path` is for error messages. */
export type ChangeField = (field: JsonObject, path: string) => JsonObject;

/**
 * The mapping with each field of the type changed; parts without such fields are returned
 * unchanged.
 */
export function changeFields(mappings: JsonObject, type: string, change: ChangeField): JsonObject {
  const walk = { type, change };
  const templates = mappings['dynamic_templates'];
  const done = changeNode(mappings, '', walk);
  if (!Array.isArray(templates)) return done;
  const list = (templates as readonly Json[]).map((one) =>
    isObject(one) ? changeTemplate(one, walk) : one,
  );
  return list.every((one, i) => one === templates[i]) ? done : { ...done, dynamic_templates: list };
}

interface Walk {
  readonly type: string;
  readonly change: ChangeField;
}

/** Changes the children of an object, a field or the whole mapping. */
function changeNode(node: JsonObject, path: string, walk: Walk): JsonObject {
  let done = node;
  for (const key of ['properties', 'fields']) {
    const children = done[key];
    if (!isObject(children)) continue;
    const entries = Object.entries(children);
    const changed = entries.map(([name, child]) => {
      if (!isObject(child)) return [name, child] as const;
      const full = path === '' ? name : `${path}.${name}`;
      return [name, changeField(child, full, walk)] as const;
    });
    if (changed.every(([, child], i) => child === entries[i]?.[1])) continue;
    done = { ...done, [key]: Object.fromEntries(changed) };
  }
  return done;
}

function changeField(field: JsonObject, path: string, walk: Walk): JsonObject {
  const below = changeNode(field, path, walk);
  return below['type'] === walk.type ? walk.change(below, path) : below;
}

/** `{name: {match…, mapping: {…}}}` */
function changeTemplate(template: JsonObject, walk: Walk): JsonObject {
  const entries = Object.entries(template);
  const changed = entries.map(([name, rule]) => {
    const mapping = isObject(rule) ? rule['mapping'] : undefined;
    if (!isObject(rule) || !isObject(mapping)) return [name, rule] as const;
    const done = changeField(mapping, `dynamic_templates.${name}`, walk);
    return [name, done === mapping ? rule : { ...rule, mapping: done }] as const;
  });
  const same = changed.every(([, rule], i) => rule === entries[i]?.[1]);
  return same ? template : Object.fromEntries(changed);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
