// Counts what a recall leaves out and why, and how many memories it could have returned: from the
// cached statistics of the namespace where they suffice, else by searches.

import {
  countAnswerable,
  countRefused,
  type NotShown,
  unseenByReason,
} from './exclusion-counts.js';
import { EVERYTHING, isNear } from './modes.js';
import { answerableShare, isAllSeen } from './namespace-stats.js';
import type { Recall } from './recall.js';
import type { HiddenReason } from './visible.js';

export type Reasons = Omit<NotShown, 'k' | 'collapsed' | 'max_chars'>;

export async function reasonsOf(recalled: Recall): Promise<Reasons> {
  const { request, seen, reach, moment } = recalled;
  const { filter } = request;
  const filtered = { ...seen, filter: filter === undefined ? [] : [filter] };
  const [hidden, refused, unreached] = await Promise.all([
    hiddenOf(recalled),
    filter === undefined ? 0 : countRefused(recalled, seen, filter),
    reach === undefined ? 0 : countRefused(recalled, filtered, { ids: { values: reach } }),
  ]);
  return {
    expired: hidden.expired,
    superseded: hidden.superseded,
    filter: refused,
    ...(isOfThePast(moment) ? { not_yet: hidden.not_yet } : {}),
    ...(reach === undefined ? {} : { graph: unreached }),
  };
}

/** Uses the cached statistics of the namespace unless the request or the mode needs a search. */
async function hiddenOf(recalled: Recall): Promise<Readonly<Record<HiddenReason, number>>> {
  const { seen, namespaceStats, index, moment, request } = recalled;
  if (seen === EVERYTHING) return NONE_UNSEEN;
  if (isOfThePast(moment)) return unseenByReason(recalled);
  const counts = recalled.counts ?? (await namespaceStats.count(index, moment));
  if (isAllSeen(counts)) return NONE_UNSEEN;
  const share = answerableShare(request.mode, counts);
  if (share === undefined) return unseenByReason(recalled);
  return { expired: counts.expired[share], superseded: counts.superseded[share], not_yet: 0 };
}

const NONE_UNSEEN = { expired: 0, superseded: 0, not_yet: 0 };

/**
 * Number of memories that could have been returned. A search by words counts its matches (`found`);
 * a search for nearest vectors finds at most k, so that its number is counted separately.
 */
export async function matchedOf(recalled: Recall, found: number): Promise<number> {
  const { request, scope, counts, moment } = recalled;
  const { mode } = request;
  if (!isNear(mode)) return found;
  const isKnown = counts !== undefined && scope.filter.length === 0 && !isOfThePast(moment);
  const share = isKnown ? answerableShare(mode, counts) : undefined;
  if (share === undefined || counts === undefined) return countAnswerable(recalled, scope);
  return counts.held[share] - counts.expired[share] - counts.superseded[share];
}

/** The statistics of a namespace are for the present only. */
export function isOfThePast({ asOf, knownAt }: Recall['moment']): boolean {
  return asOf !== undefined || knownAt !== undefined;
}
