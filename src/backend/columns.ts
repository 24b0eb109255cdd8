// Field values of the documents that match a query, without the documents themselves.
import type { Access } from './access.js';
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
  /**
   * Queries whose scores of each hit are columns, too, behind the sort keys; null: it does not match.
   * They neither select nor order, and are not given together with an order by score.
   */
  readonly scores?: readonly JsonObject[];
  /** Maximum number of hits. */
  readonly size: number;
  /** False: the total is not needed, so that hits that cannot be among the first are skipped. */
  readonly counted?: boolean;
  /** The column values of the last hit of the previous page, as `search_after`. */
  readonly after?: readonly Json[];
  /** What the client may read by lookups in the queries; absent: everything. */
  readonly access?: Access | undefined;
}

export interface ColumnsResult {
  /** The exact number of matching documents, unless it is not needed. */
  readonly total: number;
  readonly hits: number;
  /** One column per requested sort key and query; a value is decoded when it is read. */
  readonly columns: readonly ColumnAt[];
}
