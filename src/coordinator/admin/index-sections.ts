// The sections of the body that creates an index.
import type { Json, JsonObject } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A section of the body of PUT /{index}; absent and null mean empty. */
export function section(body: JsonObject, key: string): JsonObject {
  const value = body[key];
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  throw new QuarryError('parse_exception', `key [${key}] must be an object`);
}
