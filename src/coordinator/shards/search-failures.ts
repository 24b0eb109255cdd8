// Converts failures of shards: to a list next to the hits, or to one error if no shard succeeded.
import type { ShardFailure } from '../../backend/index.js';
import { type ErrorCause, indexNotFound, QuarryError } from '../../errors.js';
import type { ShardError } from '../../wire/hits-reader.js';
import type { IndexEntry } from '../catalog/catalog.js';

/** The error of a shard. */
export interface FailedShard {
  readonly shard: number;
  readonly index: string;
  /** The number of the index. */
  readonly number: number;
  readonly error: QuarryError;
}

export function toFailedShard(
  reply: ShardError,
  entry: IndexEntry,
  toError: (errorType: number, reason: string, cause: string) => QuarryError,
): FailedShard {
  const error = toError(reply.errorType, reply.reason, reply.cause);
  return {
    shard: reply.shard,
    index: entry.name,
    number: entry.number,
    error: located(error, entry),
  };
}

function located(error: QuarryError, entry: IndexEntry): QuarryError {
  // The engine has numbers only: the index was dropped after its name had been resolved.
  if (error.type === 'index_not_found_exception') return indexNotFound(entry.name);
  if (error.type !== 'query_shard_exception') return error;
  return new QuarryError(error.type, error.message, {
    extra: { index_uuid: entry.uuid, index: entry.name },
    ...(error.causedBy === undefined ? {} : { causedBy: error.causedBy }),
  });
}

/** One entry for each index and reason, as Elasticsearch groups them. */
export function groupFailures(failed: readonly FailedShard[]): readonly ShardFailure[] {
  const groups = new Map<string, ShardFailure>();
  for (const { shard, index, error } of failed) {
    const key = `${index}\0${error.type}\0${error.message}`;
    if (!groups.has(key)) groups.set(key, { shard, index, reason: error.toCause() });
  }
  return [...groups.values()];
}

/** The error of a search that fails because of its shards, with a status of the causes. */
export function searchFailed(failed: readonly FailedShard[], reason: string): QuarryError {
  const grouped = groupFailures(failed);
  const [first] = failed;
  if (
    first !== undefined &&
    failed.every(({ error }) => error.type === 'index_not_found_exception')
  ) {
    return first.error;
  }
  const statuses = failed.map(({ error }) => error.status);
  const status = statuses.find((value) => value >= 500) ?? statuses[0] ?? 503;
  const roots = new Map<string, ErrorCause>();
  for (const { reason } of grouped) {
    const { caused_by: _inner, ...root } = reason as ErrorCause & { caused_by?: unknown };
    roots.set(`${reason.type}\0${reason.reason}`, root);
  }
  const headers = failed.find(({ error }) => Object.keys(error.headers).length > 0)?.error.headers;
  return new QuarryError('search_phase_execution_exception', reason, {
    status,
    extra: { phase: 'query', grouped: true, failed_shards: grouped },
    rootCauses: [...roots.values()],
    ...(headers === undefined ? {} : { headers }),
  });
}
