// The fields of mappings, for forms, completion and trees.
import { isObject, type JsonObject } from '../kit/json.js';

export interface Field {
  /** The name that queries use. */
  readonly path: string;
  readonly type: string;
  readonly definition: JsonObject;
  /** A field of `fields`, made from the value of another one. */
  readonly isSubfield: boolean;
  /** The path of the nested object that it is in. */
  readonly nested: string | undefined;
}

/** All fields of a mapping in their order; objects are listed before what is in them. */
export function fieldsOf(mapping: JsonObject): readonly Field[] {
  const found: Field[] = [];
  addFields(found, mapping['properties'], '', undefined, false);
  return found;
}

function addFields(
  found: Field[],
  properties: unknown,
  prefix: string,
  nested: string | undefined,
  isSubfield: boolean,
): void {
  if (!isObject(properties)) return;
  for (const [name, definition] of Object.entries(properties)) {
    if (!isObject(definition)) continue;
    const path = prefix + name;
    const type = typeof definition['type'] === 'string' ? definition['type'] : 'object';
    found.push({ path, type, definition, isSubfield, nested });
    const inside = type === 'nested' ? path : nested;
    addFields(found, definition['properties'], `${path}.`, inside, isSubfield);
    addFields(found, definition['fields'], `${path}.`, nested, true);
  }
}

/** The fields of several indexes, each path once, as the first index has it. */
export function mergedFields(answer: unknown): readonly Field[] {
  const byPath = new Map<string, Field>();
  if (!isObject(answer)) return [];
  for (const index of Object.values(answer)) {
    if (!isObject(index) || !isObject(index['mappings'])) continue;
    for (const field of fieldsOf(index['mappings'])) {
      if (!byPath.has(field.path)) byPath.set(field.path, field);
    }
  }
  return [...byPath.values()];
}

const TEXT = new Set(['text', 'match_only_text', 'semantic_text', 'search_as_you_type']);
const WHOLE_VALUES = new Set(['keyword', 'constant_keyword', 'boolean', 'ip', 'version']);
const NUMBERS = new Set([
  ...['long', 'integer', 'short', 'byte', 'double', 'float', 'half_float', 'scaled_float'],
  'unsigned_long',
]);

export function isText({ type }: Field): boolean {
  return TEXT.has(type);
}

/** Values whose most frequent ones make a facet. */
export function isFacet({ type, nested }: Field): boolean {
  return nested === undefined && WHOLE_VALUES.has(type);
}

/** Values that aggregations count. */
export function isCountable(field: Field): boolean {
  return (
    isFacet(field) ||
    (field.nested === undefined && (NUMBERS.has(field.type) || field.type === 'date'))
  );
}
