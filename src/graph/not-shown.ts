// The account of what an answer leaves out: how many links, of which hop and type, and why.
import type { Edge } from './edge.js';
import type { Expansion, Step } from './expand.js';

export interface NotShown {
  readonly links: number;
  readonly by_hop: Readonly<Record<string, number>>;
  /** Of the links that were read. */
  readonly by_type: Readonly<Record<string, number>>;
  readonly reasons: { readonly limit: number; readonly fan_cap: number; readonly expired: number };
  readonly exact: boolean;
}

/** `clipped`: what the limit cut off. */
export function accountOf({ hops, exact }: Expansion, clipped: readonly Step[]): NotShown {
  const byHop = new Map<string, number>();
  const byType = new Map<string, number>();
  const reasons = { limit: clipped.length, fan_cap: 0, expired: 0 };
  const add = (counts: Map<string, number>, key: string, more = 1): void => {
    if (more > 0) counts.set(key, (counts.get(key) ?? 0) + more);
  };
  for (const step of clipped) {
    add(byHop, String(step.hop));
    add(byType, step.type);
  }
  for (const [i, { retired, unread }] of hops.entries()) {
    reasons.expired += retired.length;
    reasons.fan_cap += unread;
    add(byHop, String(i + 1), retired.length + unread);
    for (const edge of retired as readonly Edge[]) add(byType, edge.type);
  }
  return {
    links: reasons.limit + reasons.fan_cap + reasons.expired,
    by_hop: Object.fromEntries(byHop),
    by_type: Object.fromEntries(byType),
    reasons,
    exact,
  };
}
