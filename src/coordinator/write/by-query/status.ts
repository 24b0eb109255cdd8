// The progress of an operation over many documents: its counts, and their form in Elasticsearch's
// responses.
import type { BulkItemError, Json, JsonObject } from '../../../backend/index.js';
import { isObject } from '../../../query/values.js';

/** Maximum number of failures in a response. */
const MOST_FAILURES = 1000;

export type Kind = 'delete' | 'update' | 'reindex';

export class Status {
  readonly kind: Kind;
  total = 0;
  created = 0;
  updated = 0;
  deleted = 0;
  noops = 0;
  batches = 0;
  versionConflicts = 0;
  bulkRetries = 0;
  searchRetries = 0;
  throttledMs = 0;
  readonly failures: BulkItemError[] = [];

  constructor(kind: Kind) {
    this.kind = kind;
  }

  /** Number of changed documents. */
  get changed(): number {
    return this.created + this.updated + this.deleted;
  }
  fail(item: BulkItemError): void {
    if (this.failures.length < MOST_FAILURES) this.failures.push(item);
  }

  /** The counts as members of a response. */
  counts(requestsPerSecond: number): JsonObject {
    const { total, created, updated, deleted } = this;
    return {
      total,
      updated,
      created,
      deleted,
      batches: this.batches,
      version_conflicts: this.versionConflicts,
      noops: this.noops,
      retries: { bulk: this.bulkRetries, search: this.searchRetries },
      throttled_millis: Math.round(this.throttledMs),
      requests_per_second: Number.isFinite(requestsPerSecond) ? requestsPerSecond : -1,
      throttled_until_millis: 0,
    };
  }

  /** The sum over the parts of an operation. */
  static sum(kind: Kind, parts: readonly Status[]): Status {
    const sum = new Status(kind);
    for (const part of parts) {
      sum.total += part.total;
      sum.created += part.created;
      sum.updated += part.updated;
      sum.deleted += part.deleted;
      sum.noops += part.noops;
      sum.batches += part.batches;
      sum.versionConflicts += part.versionConflicts;
      sum.bulkRetries += part.bulkRetries;
      sum.searchRetries += part.searchRetries;
      sum.throttledMs += part.throttledMs;
      for (const failure of part.failures) sum.fail(failure);
    }
    return sum;
  }
}

export function printFailure({ index, id, error, status }: BulkItemError): JsonObject {
  return { index, id, cause: error as unknown as JsonObject, status };
}

/**
 * The counts of all parts together; if there are several, also by part. `slice`: the slice of the
 * request if the client sliced it manually.
 */
export function printParts(
  kind: Status['kind'],
  parts: readonly Status[],
  perSecond: number,
  slice?: Json,
): JsonObject {
  const counts = Status.sum(kind, parts).counts(perSecond);
  if (parts.length === 1) {
    const own = isObject(slice) && slice['id'] !== undefined;
    return own ? { slice_id: Number(slice['id']), ...counts } : counts;
  }
  const slices = parts.map((part, slice_id) => ({ slice_id, ...part.counts(perSecond) }));
  return { ...counts, slices };
}
