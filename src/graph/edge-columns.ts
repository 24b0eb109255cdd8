// Fields of links as sort keys of a columns request that also works on an index with mappings of
// another origin.
import type { Json } from '../backend/index.js';

/** The type to assume for an unmapped field, so that it is no error. */
const TYPES = {
  src: 'keyword',
  dst: 'keyword',
  type: 'keyword',
  confidence: 'double',
  weight: 'double',
} as const;

export function toColumns(fields: readonly (keyof typeof TYPES)[]): readonly Json[] {
  return fields.map((field) => ({ [field]: { unmapped_type: TYPES[field] } }));
}

/**
 * Greater than the strength of any link: links that other writers stored without a strength sort
 * first, so that they are not cut off.
 */
const UNKNOWN = 2;
export const STRONGEST_FIRST: readonly Json[] = [
  { strength: { order: 'desc', missing: UNKNOWN, unmapped_type: 'double' } },
  { valid_at: { order: 'desc', unmapped_type: 'date' } },
  '_id',
];
