// The errors of snapshots, with the types and messages of Elasticsearch. For several errors of the
// caller Elasticsearch answers 500, this server 400.
import { isScarcity } from '../base/descriptors.js';
import { type ErrorCause, QuarryError } from '../errors.js';
import { StoreError } from './blob-store.js';

/** `status` is 400 for an error of the caller; 500 is the default of the type. */
export function repositoryError(name: string, why: string, status: 400 | 500 = 500): QuarryError {
  return new QuarryError('repository_exception', `[${name}] ${why}`, { status });
}

export function repositoryMissing(name: string): QuarryError {
  return new QuarryError('repository_missing_exception', `[${name}] missing`);
}

export function snapshotMissing(repository: string, snapshot: string): QuarryError {
  return new QuarryError('snapshot_missing_exception', `[${repository}:${snapshot}] is missing`);
}

export function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}

/**
 * 503 for a temporary lack of descriptors, threads or memory and for a place that does not answer
 * for now, 400 for settings with which a place cannot be used; otherwise the default of the type.
 */
export function statusOf(thrown: unknown): { readonly status?: 400 | 503 } {
  if (thrown instanceof StoreError && thrown.fault === 'settings') return { status: 400 };
  const rejected =
    thrown instanceof QuarryError && thrown.type === 'es_rejected_execution_exception';
  const unavailable = thrown instanceof StoreError && thrown.fault === 'unavailable';
  return rejected || unavailable || isScarcity(thrown) ? { status: 503 } : {};
}

/** The cause of an error, as shown in the failures of a snapshot. */
export function causeOf(thrown: unknown): ErrorCause {
  if (thrown instanceof QuarryError) return thrown.toCause();
  const { code, message } = thrown as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return {
      type: 'cluster_block_exception',
      reason: `there is no room on the disk: ${message}`,
    };
  }
  return { type: 'i_o_exception', reason: message };
}
