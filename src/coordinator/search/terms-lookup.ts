// Terms lookups: `terms: {field: {index, id, path}}` is replaced by the values that a document has
// at a path. They are read before a search is compiled, so that the compiler needs no support for
// them.
import type {
  Access,
  FoundDocument,
  GetRequest,
  Json,
  JsonObject,
  SearchRequest,
} from '../../backend/index.js';
import {
  type CooperativeTask,
  ITEMS_PER_YIELD,
  runCooperatively,
  YieldPoints,
} from '../../base/cooperative-task.js';
import { type MaybePromise, thenMaybe } from '../../base/maybe-promise.js';
import { checkLength } from '../../query/list-limits.js';
import { illegal, isArray, isObject, malformed, tokenName, toText } from '../../query/values.js';
import { parseJson } from '../catalog/json-text.js';

export type GetDocument = (request: GetRequest) => Promise<FoundDocument>;

const KEYS = ['index', 'id', 'path', 'routing'];
/** Documents that are read at once. */
const LANES = 4;
/** Bytes of all documents that the lookups of a search name. */
const MOST_READ = 64 * 1024 * 1024;

function tooLong(): Error {
  return illegal(
    `[terms] the documents of the lookups have more than [${MOST_READ}] bytes in all: name the terms, or split the search`,
  );
}

/** Replaces terms lookups by their values. Returns the same request if it has none. */
export function resolveLookups(
  request: SearchRequest,
  get: GetDocument,
): MaybePromise<SearchRequest> {
  return thenMaybe(runCooperatively(lookupsOf(request.body)), (lookups) =>
    lookups.length > 0 ? readLookups(request, lookups, get) : request,
  );
}

async function readLookups(
  request: SearchRequest,
  found: readonly JsonObject[],
  get: GetDocument,
): Promise<SearchRequest> {
  checkLength('lookups of [terms]', found.length, 'name the terms, or split the search');
  const lookups = new Map<JsonObject, readonly Json[]>();
  const left = found[Symbol.iterator]();
  const points = new YieldPoints();
  let read = 0;
  const lane = async (): Promise<void> => {
    for (const lookup of left) {
      await points.due();
      const source = await sourceOf(lookup, get, request.access);
      read += source.length;
      if (read > MOST_READ) throw tooLong();
      lookups.set(lookup, await runCooperatively(valuesIn(source, lookup)));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { ...request, body: replaced(request.body, lookups) as JsonObject };
}

/**
 * Finds lookups by their keys: no other part of a body has an object with these keys below a field
 * of `terms`.
 */
function* lookupsOf(root: Json): CooperativeTask<readonly JsonObject[]> {
  const lookups: JsonObject[] = [];
  const left: Json[] = [root];
  for (let looked = 1; ; looked++) {
    const value = left.pop();
    if (value === undefined) return lookups;
    if (looked % ITEMS_PER_YIELD === 0) yield;
    // Vectors and lists of terms are long.
    for (const member of isArray(value) ? value : Object.values(value as JsonObject)) {
      if (typeof member === 'object' && member !== null) left.push(member);
    }
    if (!isObject(value)) continue;
    const { terms } = value;
    if (isObject(terms)) lookups.push(...Object.values(terms).filter(isLookup));
  }
}

function isLookup(value: Json): value is JsonObject {
  return isObject(value) && ['index', 'id', 'path'].every((key) => value[key] !== undefined);
}

/** `access`: the permissions of the client, which apply to the document as well. */
async function sourceOf(
  lookup: JsonObject,
  get: GetDocument,
  access: Access | undefined,
): Promise<Uint8Array> {
  const unknown = Object.keys(lookup).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    throw malformed(`[terms] query does not support [${unknown}] within lookup element`);
  }
  const [index, id, path, routing] = KEYS.map((key) => textAt(lookup, key));
  if (index === undefined || id === undefined || path === undefined) {
    throw illegal('[terms] query lookup element requires specifying the index, id and path');
  }
  const found = await get({
    index,
    id,
    source: true,
    access,
    ...(routing === undefined ? {} : { routing }),
  });
  return found.source ?? new Uint8Array();
}

/** `source` is empty for a document that is not there. */
function* valuesIn(source: Uint8Array, lookup: JsonObject): CooperativeTask<readonly Json[]> {
  if (source.length === 0) return [];
  const document = parseJson(Buffer.from(source).toString('utf8'));
  const values: Json[] = [];
  for (const value of valuesAt(document, textAt(lookup, 'path')?.split('.') ?? [])) {
    if (values.push(value) % ITEMS_PER_YIELD === 0) yield;
  }
  return values;
}

function textAt(lookup: JsonObject, key: string): string | undefined {
  const value = lookup[key];
  if (value === undefined) return undefined;
  const text = typeof value === 'boolean' ? undefined : toText(value);
  if (text !== undefined && text !== '') return text;
  throw malformed(
    `[terms] [${key}] of a lookup must be a text, found [${text === '' ? '' : tokenName(value)}]`,
  );
}

/** Descends into every item of a list on the path. Field names may contain dots. */
export function* valuesAt(value: Json | undefined, path: readonly string[]): Generator<Json> {
  if (value === undefined || value === null) return;
  if (isArray(value)) {
    for (const item of value) yield* valuesAt(item, path);
  } else if (path.length === 0) {
    if (!isObject(value)) yield value;
  } else if (isObject(value)) {
    for (let length = 1; length <= path.length; length++) {
      const name = path.slice(0, length).join('.');
      if (Object.hasOwn(value, name)) yield* valuesAt(value[name], path.slice(length));
    }
  }
}

function replaced(value: Json, lookups: ReadonlyMap<JsonObject, readonly Json[]>): Json {
  if (isArray(value)) {
    // Vectors and lists of terms are long.
    const isPlain = !value.some((item) => typeof item === 'object');
    return isPlain ? value : value.map((item) => replaced(item, lookups));
  }
  if (!isObject(value)) return value;
  const values = lookups.get(value);
  if (values !== undefined) return values;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, replaced(member, lookups)]),
  );
}
