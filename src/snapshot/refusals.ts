// The errors of snapshots. Types and words are Elasticsearch's; it answers 500 to several mistakes of the caller as well,
// which are 400 here.
import { isScarcity } from '../base/descriptors.js';
import { type ErrorCause, QuarryError } from '../errors.js';

/** `status` 400 for what the caller got wrong; 500 is the table's. */
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

/** 503 for what may succeed later, as the system lacked descriptors, threads or memory; otherwise the table's status. */
export function statusOf(thrown: unknown): { readonly status?: 503 } {
  const rejected =
    thrown instanceof QuarryError && thrown.type === 'es_rejected_execution_exception';
  return rejected || isScarcity(thrown) ? { status: 503 } : {};
}

/** What went wrong, as it stands in the failures of a snapshot or as the cause of an error. */
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
