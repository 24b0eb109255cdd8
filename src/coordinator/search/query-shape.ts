// The shape of a search body for logs: its clauses, fields and options, with "?" in place of every
// value that the caller chose. The numbers of the page are shown, because they tell how much was
// requested.
import type { Json, JsonObject } from '../../backend/index.js';

/** Top-level members whose numbers and flags reveal nothing about documents. */
const SHOWN = new Set([
  'from',
  'size',
  'track_total_hits',
  'terminate_after',
  'explain',
  'profile',
]);
const MAX_DEPTH = 12;
/** Maximum number of members shown of a list or an object; further ones are only counted. */
const MAX_MEMBERS = 32;

export function queryShape(body: JsonObject): JsonObject {
  const shape: Record<string, Json> = {};
  for (const [key, value] of Object.entries(body)) {
    const plain = typeof value === 'number' || typeof value === 'boolean';
    shape[key] = SHOWN.has(key) && plain ? value : shapeOf(value, 1);
  }
  return shape;
}

function shapeOf(value: Json, depth: number): Json {
  if (typeof value !== 'object' || value === null) return '?';
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return listShape(value as readonly Json[], depth);
  const entries = Object.entries(value as JsonObject);
  const shown = entries
    .slice(0, MAX_MEMBERS)
    .map(([key, member]) => [key, shapeOf(member, depth + 1)] as const);
  const more = entries.length - shown.length;
  return Object.fromEntries(more > 0 ? [...shown, ['…', more]] : shown);
}

/** A list of plain values becomes one "?" and its length: lists of numbers or ids are long. */
function listShape(list: readonly Json[], depth: number): Json {
  if (list.every((item) => typeof item !== 'object' || item === null)) {
    return list.length === 1 ? ['?'] : [`? × ${list.length}`];
  }
  const shown = list.slice(0, MAX_MEMBERS).map((item) => shapeOf(item, depth + 1));
  return list.length > shown.length ? [...shown, `… × ${list.length - shown.length}`] : shown;
}
