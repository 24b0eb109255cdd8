// Clauses of one kind in a search body that are replaced by others before the body is compiled: in
// queries, in filters of vector clauses and aggregations, in every part of a hybrid query.
import type { Json, JsonObject } from '../backend/index.js';

/**
 * Keys whose value is a clause or a list of clauses, and below keys whose value is an object of
 * named clauses.
 */
const HOLDERS = new Set(
  'query filter must should must_not queries positive negative post_filter organic rescore_query highlight_query background_filter'.split(
    ' ',
  ),
);
const NAMED_HOLDERS = new Set(['filters']);

type Place = 'clause' | 'names' | 'elsewhere';

/** `value`: of the clause's name. `isNested`: the clause is inside a `nested` query. */
export type ReplaceClause = (value: Json, isNested: boolean) => Promise<JsonObject>;

/** Whether the body has a clause of the kind. */
export function mentionsClause(body: JsonObject, kind: string): boolean {
  return mentions(body, kind, 'elsewhere');
}

/** The body with every clause of the kind replaced, one after another. */
export async function replaceClauses(
  body: JsonObject,
  kind: string,
  replace: ReplaceClause,
): Promise<JsonObject> {
  return (await replaced(body, kind, replace, 'elsewhere', false)) as JsonObject;
}

function placeOf(key: string): Place {
  if (HOLDERS.has(key)) return 'clause';
  return NAMED_HOLDERS.has(key) ? 'names' : 'elsewhere';
}

/** The place of an item of a list that is in `place` itself: filters may have no names. */
function placeOfItem(place: Place): Place {
  return place === 'names' ? 'clause' : place;
}

/** The place of a member of an object that is in `place` itself. */
function placeWithin(place: Place, key: string): Place {
  // An aggregation of filters has two nested members of that name.
  return place === 'names' && !NAMED_HOLDERS.has(key) ? 'clause' : placeOf(key);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Vectors are arrays of numbers: the type of the first item is enough. */
function isListOfObjects(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value) && typeof value[0] === 'object';
}

function isClause(value: JsonObject, kind: string, place: Place): boolean {
  return place === 'clause' && kind in value && Object.keys(value).length === 1;
}

function mentions(value: Json | undefined, kind: string, place: Place): boolean {
  if (isListOfObjects(value)) return value.some((item) => mentions(item, kind, placeOfItem(place)));
  if (!isObject(value)) return false;
  if (isClause(value, kind, place)) return true;
  // A loop without allocation, because every search passes here, some with ten thousand clauses.
  for (const key in value) {
    const inner = value[key];
    if (typeof inner === 'object' && mentions(inner, kind, placeWithin(place, key))) return true;
  }
  return false;
}

async function replaced(
  value: Json,
  kind: string,
  replace: ReplaceClause,
  place: Place,
  isNested: boolean,
): Promise<Json> {
  if (!mentions(value, kind, place)) return value;
  // Sequential, because each clause is read from the index and a body may have a thousand of them.
  if (isListOfObjects(value)) {
    const items: Json[] = [];
    const inside = placeOfItem(place);
    for (const item of value) items.push(await replaced(item, kind, replace, inside, isNested));
    return items;
  }
  if (!isObject(value)) return value;
  if (isClause(value, kind, place)) return replace(value[kind] ?? null, isNested);
  const members: [string, Json][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const within = isNested || (place === 'clause' && key === 'nested');
    members.push([key, await replaced(inner, kind, replace, placeWithin(place, key), within)]);
  }
  return Object.fromEntries(members);
}
