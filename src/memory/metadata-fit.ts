// Separates metadata that fits the mapping from the rest: metadata has no schema, but a name that
// was mapped as a string cannot hold an object. The rest is stored and shown, and no filter finds
// it.
import type { Json, JsonObject } from '../backend/index.js';
import { isObject } from './body-fields.js';

export interface FittedMetadata {
  readonly metadata: JsonObject | undefined;
  readonly unindexed: JsonObject | undefined;
}

/** Moves the members that contradict the mapping. `mappings` has the form of GET _mapping. */
export function fitMetadata(metadata: JsonObject, mappings: JsonObject): FittedMetadata {
  const fields = propertiesOf(propertiesOf(mappings)?.['metadata']) ?? {};
  const fitting = Object.entries(metadata).filter(([key, value]) => fits(key, value, fields));
  const rest = Object.entries(metadata).filter(([key, value]) => !fits(key, value, fields));
  return { metadata: objectOf(fitting), unindexed: objectOf(rest) };
}

function objectOf(members: readonly (readonly [string, Json])[]): JsonObject | undefined {
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function propertiesOf(field: Json | undefined): JsonObject | undefined {
  const properties = isObject(field) ? field['properties'] : undefined;
  return isObject(properties) ? properties : undefined;
}

function fits(key: string, value: Json, fields: JsonObject): boolean {
  const [first = '', ...below] = key.split('.');
  const field = fields[first];
  if (field === undefined) return true;
  const inner = propertiesOf(field);
  const wrapped = below.length === 0 ? value : { [below.join('.')]: value };
  return valuesOf(wrapped).every((one) => {
    if (!isObject(one)) return inner === undefined;
    return (
      inner !== undefined && Object.entries(one).every(([name, child]) => fits(name, child, inner))
    );
  });
}

/** The values of nested lists, without nulls. */
function valuesOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(valuesOf);
  return value === null ? [] : [value];
}
