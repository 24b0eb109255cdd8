// Fields of links as sort keys of a columns request: some must be readable in an index that others made with other mappings.
import type { Json } from '../backend/index.js';

/** Where nothing is mapped, so that a missing field is no fault. */
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

/** More than any link has: links that others wrote without their strength come first, and are seen to be there. */
const UNKNOWN = 2;
export const STRONGEST_FIRST: readonly Json[] = [
  { strength: { order: 'desc', missing: UNKNOWN, unmapped_type: 'double' } },
  { valid_at: { order: 'desc', unmapped_type: 'date' } },
  '_id',
];
