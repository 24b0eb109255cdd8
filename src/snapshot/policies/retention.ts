// Which snapshots of a policy are no longer kept.
import type { SnapshotView } from '../views.js';
import { POLICY_KEY, type Retention } from './policy-body.js';

/** The policy that made a snapshot; undefined if none did. */
export function policyOf({ metadata }: SnapshotView): string | undefined {
  const policy = (metadata as Readonly<Record<string, unknown>> | null)?.[POLICY_KEY];
  return typeof policy === 'string' ? policy : undefined;
}

/**
 * Snapshots to be deleted, oldest first. `all` are those of the policy. The counts are of complete
 * snapshots; a partial one counts for nothing, and goes when it is too old or older than all that
 * are kept.
 */
export function expired(
  all: readonly SnapshotView[],
  { expireAfterMs, minCount, maxCount }: Retention,
  nowMs: number,
): readonly string[] {
  const newestFirst = [...all].sort((a, b) => b.startMs - a.startMs);
  const isOld = ({ startMs }: SnapshotView): boolean =>
    expireAfterMs !== undefined && nowMs - startMs >= expireAfterMs;
  let complete = 0;
  const gone: string[] = [];
  for (const one of newestFirst) {
    if (one.state === 'SUCCESS') {
      complete += 1;
      if (complete > maxCount || (complete > minCount && isOld(one))) gone.push(one.name);
    } else if (one.state === 'PARTIAL' && (complete >= maxCount || isOld(one))) {
      gone.push(one.name);
    }
  }
  return gone.reverse();
}
