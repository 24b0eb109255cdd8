// Readers for members of request bodies, one for each kind of value. They return the value,
// undefined for an absent or null member, or throw an error that names the member, its value and
// what it should be.
import type { Json, JsonObject } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import { checkId, illegal } from '../graph/names.js';
import { shown } from '../graph/times.js';

/** The maximum for a mapped vector field. */
const MAX_DIMS = 4096;
const MAX_FLOAT32 = 3.4028234663852886e38;
/** Limit for the metadata of one memory. */
const MAX_MEMBERS = 10_000;
const LONE_SURROGATE = /\p{Cs}/u;

export function isAbsent(value: Json | undefined): value is null | undefined {
  return value === undefined || value === null;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function missing(reason: string): QuarryError {
  return new QuarryError('action_request_validation_exception', `Validation Failed: 1: ${reason};`);
}

export function refuseUnknown(body: JsonObject, known: readonly string[], what: string): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw illegal(`unknown key [${unknown}] in ${what}, expected some of [${known.join(', ')}]`);
}

export function readFlag(body: JsonObject, field: string): boolean | undefined {
  const value = body[field];
  if (isAbsent(value)) return undefined;
  if (typeof value === 'boolean') return value;
  throw illegal(`[${field}] must be true or false, got ${shown(value)}`);
}

export function readText(body: JsonObject, field: string, name = field): string | undefined {
  const value = body[field];
  if (isAbsent(value)) return undefined;
  if (typeof value !== 'string') throw illegal(`[${name}] must be a string, got ${shown(value)}`);
  if (LONE_SURROGATE.test(value)) {
    throw illegal(`[${name}] must be valid Unicode, it has half of a surrogate pair`);
  }
  return value;
}

/** A number from 0 to 1. */
export function readShare(body: JsonObject, field: string, name = field): number | undefined {
  const value = body[field];
  if (isAbsent(value)) return undefined;
  if (typeof value === 'number' && value >= 0 && value <= 1) return value + 0;
  throw illegal(`[${name}] must be a number from 0 to 1, got ${shown(value)}`);
}

/** A whole number in the range, both ends included. */
export function readWhole(
  body: JsonObject,
  field: string,
  least: number,
  most: number,
  name = field,
): number | undefined {
  const value = body[field];
  if (isAbsent(value)) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) {
    return value;
  }
  throw illegal(`[${name}] must be a whole number from ${least} to ${most}, got ${shown(value)}`);
}

export function readObject(body: JsonObject, field: string): JsonObject | undefined {
  const value = body[field];
  if (isAbsent(value)) return undefined;
  if (!isObject(value)) throw illegal(`[${field}] must be an object, got ${shown(value)}`);
  return value;
}

/**
 * The metadata of a memory. The mapping of the index limits which members a filter finds; this
 * limits what is stored.
 */
export function readMetadata(body: JsonObject): JsonObject | undefined {
  const metadata = readObject(body, 'metadata');
  if (metadata !== undefined && membersOf(metadata) > MAX_MEMBERS) {
    throw illegal(
      `[metadata] has more than ${MAX_MEMBERS} members; keep documents in an index, and their ids in the memory`,
    );
  }
  return metadata;
}

/** Number of members of objects and items of lists, at every depth. */
function membersOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value) as readonly Json[];
  return inner.reduce<number>((sum, one) => sum + membersOf(one), inner.length);
}

/** A list of ids or names: at least one, at most `most`, without duplicates. */
export function readIds(
  value: Json | undefined,
  field: string,
  most: number,
): readonly string[] | undefined {
  if (isAbsent(value)) return undefined;
  const list = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(list)) {
    throw illegal(`[${field}] must be a list of strings, got ${shown(value)}`);
  }
  if (list.length === 0) throw illegal(`[${field}] must not be empty, leave it out instead`);
  if (list.length > most) {
    throw illegal(`[${field}] has ${list.length} entries, at most ${most} are allowed`);
  }
  const ids = (list as readonly Json[]).map((id, i) => {
    const name = `${field}[${i}]`;
    if (typeof id !== 'string') throw illegal(`[${name}] must be a string, got ${shown(id)}`);
    return checkId(id, name);
  });
  return [...new Set(ids)];
}

/** A vector of float32 numbers that is not zero. */
export function readVector(body: JsonObject, field: string): readonly number[] | undefined {
  const value = body[field];
  if (isAbsent(value)) return undefined;
  if (!Array.isArray(value)) {
    throw illegal(`[${field}] must be a list of numbers, got ${shown(value)}`);
  }
  if (value.length < 1 || value.length > MAX_DIMS) {
    throw illegal(`[${field}] has ${value.length} dimensions, it must have 1 to ${MAX_DIMS}`);
  }
  const numbers = (value as readonly Json[]).map((one, i) => {
    const number = typeof one === 'bigint' ? Number(one) : one;
    if (typeof number !== 'number') {
      throw illegal(`[${field}] must hold numbers only, number ${i + 1} is ${shown(one)}`);
    }
    if (!(Math.abs(number) <= MAX_FLOAT32)) {
      throw illegal(`[${field}] must hold numbers of float32, number ${i + 1} is ${shown(one)}`);
    }
    return number;
  });
  if (!(Math.fround(Math.hypot(...numbers)) > 0)) {
    throw illegal(`[${field}] has no direction: every number is zero, or as good as zero`);
  }
  return numbers;
}
