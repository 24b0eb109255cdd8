// JSON in a form that is equal for equal values.
import type { Json } from '../backend/index.js';

/**
 * The value with the keys of all objects in order. Only plain objects are looked into: numbers with
 * their digits stay what they are.
 */
export function inKeyOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, inKeyOrder(inner)]),
  );
}
