// Errors for more buckets than search.max_buckets allows, in the format of Elasticsearch.
import { type ErrorCause, QuarryError } from '../../errors.js';

const remedy = 'This limit can be set by changing the [search.max_buckets] cluster level setting.';

function causeOf(most: number, found: string): ErrorCause {
  return {
    type: 'too_many_buckets_exception',
    reason: `Trying to create too many buckets. Must be less than or equal to: [${most}] but ${found}. ${remedy}`,
    max_buckets: most,
  };
}

/** For a limit that is exceeded while the shards' responses are reduced: no shard has failed. */
export function tooManyBuckets(most: number): QuarryError {
  return new QuarryError('search_phase_execution_exception', '', {
    extra: { phase: 'fetch', grouped: true, failed_shards: [] },
    rootCauses: [],
    causedBy: causeOf(most, 'this number of buckets was exceeded'),
  });
}

/**
 * For a requested size above the limit: every shard fails, whatever number of buckets it would
 * have.
 */
export function tooLargePage(size: number, most: number, index: string): QuarryError {
  const cause = causeOf(most, `was [${size}]`);
  return new QuarryError('search_phase_execution_exception', 'all shards failed', {
    extra: {
      phase: 'query',
      grouped: true,
      failed_shards: [{ shard: 0, index, reason: cause }],
    },
    rootCauses: [cause],
  });
}
