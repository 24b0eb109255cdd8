// The limit of clauses in one query, which is fixed when the service starts.
import type { LiveConfig } from '../../ops/live-config.js';
import { memoryLimit } from '../../ops/process-memory.js';
import { clauseLimit, setClauseLimit } from '../../query/limits.js';

/** The limit for the core; the parsers of this thread follow it. */
export function applyClauseLimit(live: Pick<LiveConfig, 'get'>): number {
  const limit = clauseLimit(
    live.get('indices.query.bool.max_clause_count'),
    memoryLimit(live.get('limits.memory_bytes')),
  );
  setClauseLimit(limit);
  return limit;
}
