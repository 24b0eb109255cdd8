// Readers for members of request bodies, with the error messages of Elasticsearch if it has any.
import type { Json, JsonObject } from '../backend/index.js';
import { printValue } from '../base/json-text.js';
import { illegal } from './refusals.js';

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function refuseUnknown(body: JsonObject, known: readonly string[]): void {
  for (const key of Object.keys(body)) {
    if (!known.includes(key)) {
      throw illegal(`Unknown parameter [${key}], known are [${known.join(', ')}]`);
    }
  }
}

/** A comma-separated string or a list of strings; undefined if absent. */
export function namesOf(body: JsonObject, key: string): readonly string[] | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  const list = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(list) || !list.every((item) => typeof item === 'string')) {
    throw illegal(`malformed ${key} section, should be an array of strings`);
  }
  return (list as readonly string[]).map((item) => item.trim()).filter((item) => item !== '');
}

export function flagOf(body: JsonObject, key: string, fallback: boolean): boolean {
  const value = body[key];
  if (value === undefined || value === null) return fallback;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw illegal(
    `Could not convert [${key}] to boolean: only [true] or [false] are allowed, not [${printValue(value)}]`,
  );
}

export function textOf(body: JsonObject, key: string): string | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw illegal(`malformed ${key}`);
}

/** Rejects feature states: this server has no features with indexes of their own. */
export function refuseFeatures(body: JsonObject): void {
  const features = namesOf(body, 'feature_states') ?? [];
  if (features.every((name) => name === 'none')) return;
  throw illegal(
    `[feature_states] [${features.join(', ')}] are not supported: there are no features with indexes of their own, leave it out`,
  );
}
