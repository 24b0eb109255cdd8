// The fields of links as columns: their names, and what to make of them in an index that others made with other mappings.
import type { ColumnValue, Json } from '../backend.js';
import type { Edge } from './edge.js';
import type { Counted } from './summary.js';

type Column = readonly ColumnValue[];

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
export const EDGE = [...COUNTED, 'confidence', 'weight'] as const;

type EdgeField = (typeof EDGE)[number];

/** Where nothing is mapped, so that a missing field is no fault. */
const TYPES: Readonly<Record<EdgeField, string>> = {
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
  return fields.map((field) => ({ [field]: { unmapped_type: TYPES[field] } }));
}

/** Reads hits out of the columns COUNTED or EDGE. */
export class EdgeColumns {
  readonly #columns: readonly Column[];

  constructor(columns: readonly Column[]) {
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
      evidenced:
        asserted?.[hit] === false || textAt(source, hit) !== null || numberAt(offset, hit) !== null,
      valid_at: numberAt(valid, hit),
      invalid_at: numberAt(invalid, hit),
      created_at: numberAt(created, hit),
      expired_at: numberAt(expired, hit),
    };
  }
  edge(edge_id: string, hit: number): Edge {
    const [confidence, weight] = this.#columns.slice(COUNTED.length);
    const counted = this.counted(hit) as Edge;
    return Object.assign(counted, {
      edge_id,
      confidence: numberAt(confidence, hit) ?? 1,
      weight: numberAt(weight, hit) ?? 1,
      evidence: null,
    });
  }
}

function numberAt(column: Column | undefined, hit: number): number | null {
  const value = column?.[hit];
  return typeof value === 'number' ? value : null;
}

function textAt(column: Column | undefined, hit: number): string | null {
  const value = column?.[hit];
  return typeof value === 'string' ? value : null;
}
