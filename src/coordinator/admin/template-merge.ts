// Merges templates and a request into the body of a new index: later bodies take precedence, by
// setting, by field and by alias.
import type { Json, JsonObject } from '../../backend/index.js';
import { flatten } from '../catalog/settings.js';
import { isObject } from './index-sections.js';

/** Bodies with `settings`, `mappings` and `aliases`, in ascending precedence. */
export function mergeBodies(bodies: readonly JsonObject[]): JsonObject {
  const settings: Record<string, Json> = {};
  let mappings: JsonObject = {};
  let aliases: JsonObject = {};
  for (const body of bodies) {
    for (const [key, value] of flatten(asObject(body['settings']))) settings[key] = value;
    mappings = mergeMappings(mappings, asObject(body['mappings']));
    aliases = { ...aliases, ...asObject(body['aliases']) };
  }
  return { settings, mappings, aliases };
}

function mergeMappings(weaker: JsonObject, stronger: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...weaker, ...stronger };
  if (weaker['properties'] !== undefined && stronger['properties'] !== undefined) {
    merged['properties'] = mergeFields(
      asObject(weaker['properties']),
      asObject(stronger['properties']),
    );
  }
  if (weaker['_meta'] !== undefined && stronger['_meta'] !== undefined) {
    merged['_meta'] = mergeMembers(asObject(weaker['_meta']), asObject(stronger['_meta']));
  }
  const [first, second] = [weaker['dynamic_templates'], stronger['dynamic_templates']];
  if (Array.isArray(first) && Array.isArray(second)) {
    merged['dynamic_templates'] = mergeDynamic(first, second);
  }
  return merged;
}

/** Merges objects recursively. */
function mergeMembers(weaker: JsonObject, stronger: JsonObject): JsonObject {
  const merged = new Map(Object.entries(weaker));
  for (const [name, value] of Object.entries(stronger)) {
    const below = merged.get(name);
    merged.set(name, isObject(below) && isObject(value) ? mergeMembers(below, value) : value);
  }
  return Object.fromEntries(merged);
}

/** A field in both takes the stronger definition; objects are merged by field. */
function mergeFields(weaker: JsonObject, stronger: JsonObject): JsonObject {
  const merged = new Map(Object.entries(weaker));
  for (const [name, field] of Object.entries(stronger)) {
    const below = asObject(merged.get(name));
    const above = asObject(field);
    const both = isParent(below) && isParent(above);
    merged.set(name, both ? mergeMappings(below, above) : field);
  }
  return Object.fromEntries(merged);
}

function isParent(field: JsonObject): boolean {
  return field['properties'] !== undefined;
}

/** A template of the same name is replaced in its position; new ones are appended. */
function mergeDynamic(weaker: readonly Json[], stronger: readonly Json[]): readonly Json[] {
  const merged = new Map<string, Json>();
  for (const one of [...weaker, ...stronger]) {
    merged.set(Object.keys(asObject(one)).join(), one);
  }
  return [...merged.values()];
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
