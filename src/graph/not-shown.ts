// The account of what a response leaves out: the number of links by hop, by type and by reason.
import type { LinkWalkResult } from '../backend/index.js';

type Reason = 'limit' | 'expired' | 'not_yet';

export interface NotShown {
  readonly links: number;
  readonly by_hop: Readonly<Record<string, number>>;
  readonly by_type: Readonly<Record<string, number>>;
  /**
   * `fan_cap`: links that were not read. It is always 0, because every link around a node is read.
   */
  readonly reasons: Readonly<Record<Reason | 'fan_cap', number>>;
  /**
   * False: a second hop started from a part of the nodes only, so that the links around the others
   * are not counted.
   */
  readonly exact: boolean;
}

export function accountOf({ hops, complete }: LinkWalkResult): NotShown {
  const byHop = new Map<string, number>();
  const byType = new Map<string, number>();
  const reasons = { limit: 0, fan_cap: 0, expired: 0, not_yet: 0 };
  for (const [i, { beyond, retired, future }] of hops.entries()) {
    const count = (reason: Reason, type: string, links: number): void => {
      reasons[reason] += links;
      add(byHop, String(i + 1), links);
      add(byType, type, links);
    };
    for (const [type, links] of beyond) count('limit', type, links);
    for (const [type, links] of retired) count('expired', type, links);
    for (const [type, links] of future) count('not_yet', type, links);
  }
  return {
    links: reasons.limit + reasons.expired + reasons.not_yet,
    by_hop: Object.fromEntries(byHop),
    by_type: Object.fromEntries(byType),
    reasons,
    exact: complete,
  };
}

function add(counts: Map<string, number>, key: string, links: number): void {
  counts.set(key, (counts.get(key) ?? 0) + links);
}
