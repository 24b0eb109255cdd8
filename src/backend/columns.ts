// Values of fields of the documents that a search finds, without the documents.
import type { Json, JsonObject } from './json.js';

/** A keyword, a number (dates: epoch milliseconds), a boolean; null where the document has none. */
export type ColumnValue = string | number | boolean | null;

/** `hit` from 0 on, below ColumnsResult.hits. */
export type ColumnAt = (hit: number) => ColumnValue;

export interface ColumnsRequest {
  /** One index. */
  readonly index: string;
  readonly query: JsonObject;
  /** Sort keys as a search takes them: they order the hits, and their values are the columns of the answer. */
  readonly columns: readonly Json[];
  /** Hits at most. */
  readonly size: number;
  /** The values of the last hit before, as `search_after`. */
  readonly after?: readonly Json[];
  /** Few hits are expected: may be answered without another thread. */
  readonly small?: boolean;
}

export interface ColumnsResult {
  /** Exact. */
  readonly total: number;
  readonly hits: number;
  /** As asked for: the value of each hit, decoded when it is looked at. */
  readonly columns: readonly ColumnAt[];
}
