// Columns of values of which some are absent, as composite, multi_terms and top_metrics send them,
// and the tuples that several columns have in a row.
import { type KeyColumn, readKeys } from '../../wire/agg-keys.js';
import { readKind, type ValueKind } from '../../wire/agg-reader.js';
import type { ByteReader } from '../../wire/byte-reader.js';
import { compareKeys } from './order.js';

export interface ValueColumn {
  readonly kind: ValueKind;
  /** The formats of the mapping, of dates. */
  readonly format: string;
  /** 1: absent. */
  readonly nulls: Uint8Array;
  readonly keys: KeyColumn;
}

export function readValueColumns(
  reader: ByteReader,
  columns: number,
  rows: number,
): readonly ValueColumn[] {
  return Array.from({ length: columns }, () => {
    const kind = readKind(reader.align(8));
    const format = reader.align(8).str();
    const nulls = reader.align(8).bytes(rows);
    return { kind, format, nulls, keys: readKeys(reader, kind, rows) };
  });
}

/** Compares two values that are there. */
export function compareInColumns(a: ValueColumn, i: number, b: ValueColumn, j: number): number {
  return a.keys.compare(i, b.keys, j) ?? compareKeys(a.keys.order(i), b.keys.order(j));
}

/** A string that is equal for equal tuples. */
export function tupleIdentity(columns: readonly ValueColumn[], row: number): string {
  let text = '';
  for (const { nulls, keys } of columns) {
    text += nulls[row] === 1 ? 'null,' : `${keys.json(row)},`;
  }
  return text;
}
