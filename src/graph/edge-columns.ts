// The fields of links as columns: their names, and what to make of them in an index that others made with other mappings.
import type { ColumnAt, Json } from '../backend.js';
import type { Edge } from './edge.js';
import type { Counted } from './summary.js';

/** What a count of links needs, in the order of the columns. */
export const COUNTED = [
  'src',
  'dst',
  'type',
  'detector',
  'asserted',
  'evidence.source',
  'evidence.offset',
  'valid_at',
  'invalid_at',
  'created_at',
  'expired_at',
] as const;
/** And what a link shows beyond that. */
export const EDGE = [...COUNTED, '_id', 'confidence', 'weight'] as const;

type EdgeField = (typeof EDGE)[number];

/** Where nothing is mapped, so that a missing field is no fault. */
const TYPES: Readonly<Record<Exclude<EdgeField, '_id'>, string>> = {
  src: 'keyword',
  dst: 'keyword',
  type: 'keyword',
  detector: 'keyword',
  asserted: 'boolean',
  'evidence.source': 'keyword',
  'evidence.offset': 'long',
  valid_at: 'date',
  invalid_at: 'date',
  created_at: 'date',
  expired_at: 'date',
  confidence: 'double',
  weight: 'double',
};

/** As sort keys of a columns request. */
export function toColumns(fields: readonly EdgeField[]): readonly Json[] {
  return fields.map((field) =>
    field === '_id' ? field : { [field]: { unmapped_type: TYPES[field] } },
  );
}

/** Reads hits out of the columns COUNTED or EDGE. */
export class EdgeColumns {
  readonly #columns: readonly ColumnAt[];

  constructor(columns: readonly ColumnAt[]) {
    this.#columns = columns;
  }

  counted(hit: number): Counted {
    const [src, dst, type, detector, asserted, source, offset, valid, invalid, created, expired] =
      this.#columns;
    return {
      src: textAt(src, hit) ?? '',
      dst: textAt(dst, hit) ?? '',
      type: textAt(type, hit) ?? '',
      detector: textAt(detector, hit),
      // Where the field is missing, it reads as true.
      evidenced:
        asserted?.(hit) === false || textAt(source, hit) !== null || numberAt(offset, hit) !== null,
      valid_at: numberAt(valid, hit),
      invalid_at: numberAt(invalid, hit),
      created_at: numberAt(created, hit),
      expired_at: numberAt(expired, hit),
    };
  }
  /** Of EDGE. */
  edge(hit: number): Edge {
    const [edgeId, confidence, weight] = this.#columns.slice(COUNTED.length);
    return Object.assign(this.counted(hit), {
      edge_id: textAt(edgeId, hit) ?? '',
      confidence: numberAt(confidence, hit) ?? 1,
      weight: numberAt(weight, hit) ?? 1,
      evidence: null,
    });
  }
  type(hit: number): string {
    return textAt(this.#columns[2], hit) ?? '';
  }
}

function numberAt(column: ColumnAt | undefined, hit: number): number | null {
  const value = column?.(hit);
  return typeof value === 'number' ? value : null;
}

function textAt(column: ColumnAt | undefined, hit: number): string | null {
  const value = column?.(hit);
  return typeof value === 'string' ? value : null;
}
