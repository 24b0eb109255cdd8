// Field values of the documents that match a query, without the documents themselves.
import type { Json, JsonObject } from './json.js';

/**
 * The value of a keyword, number (a date in milliseconds since the epoch) or boolean field; null if
 * the document has none.
 */
export type ColumnValue = string | number | boolean | null;

/** The value of the hit with this number, from 0 up to ColumnsResult.hits (exclusive). */
export type ColumnAt = (hit: number) => ColumnValue;

export interface ColumnsRequest {
  /** A single index. */
  readonly index: string;
  readonly query: JsonObject;
  /**
   * Sort keys in the form of a search: they order the hits, and their values are the returned
   * columns.
   */
  readonly columns: readonly Json[];
  /** Maximum number of hits. */
  readonly size: number;
  /** The column values of the last hit of the previous page, as `search_after`. */
  readonly after?: readonly Json[];
}

export interface ColumnsResult {
  /** The exact number of matching documents. */
  readonly total: number;
  readonly hits: number;
  /** One column per requested sort key; a value is decoded when it is read. */
  readonly columns: readonly ColumnAt[];
}
