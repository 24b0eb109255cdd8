// The readiness gate of data routes.

import type { ApiDeps } from '../../api/kit/routes.js';
import { QuarryError } from '../../errors.js';

/** node_not_ready_exception while the log is being replayed. */
export function checkReady(deps: Pick<ApiDeps, 'readiness'>): void {
  if (deps.readiness.state !== 'starting') return;
  const { shardsDone, shardsTotal } = deps.readiness.progress;
  throw new QuarryError(
    'node_not_ready_exception',
    `the log is being replayed, ${shardsDone} of ${shardsTotal} shards are ready; retry shortly`,
    { headers: { 'Retry-After': '1' } },
  );
}
