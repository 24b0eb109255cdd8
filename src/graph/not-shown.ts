// The account of what an answer leaves out: how many links, of which hop and type, and why.
import type { Expansion, Step } from './expand.js';

export interface NotShown {
  readonly links: number;
  readonly by_hop: Readonly<Record<string, number>>;
  /** Of the links that were read. */
  readonly by_type: Readonly<Record<string, number>>;
  readonly reasons: { readonly limit: number; readonly fan_cap: number; readonly expired: number };
  readonly exact: boolean;
}

/** `clipped`: what the limit cut off of the steps. */
export function accountOf({ hops, exact }: Expansion, clipped: readonly Step[]): NotShown {
  const byHop = new Map<string, number>();
  const byType = new Map<string, number>();
  const reasons = { limit: clipped.length, fan_cap: 0, expired: 0 };
  for (const { hop, type } of clipped) {
    add(byHop, String(hop), 1);
    add(byType, type, 1);
  }
  for (const [i, { beyond, retired, unread }] of hops.entries()) {
    const hop = String(i + 1);
    for (const [type, links] of beyond) {
      reasons.limit += links;
      add(byHop, hop, links);
      add(byType, type, links);
    }
    for (const [type, links] of retired) {
      reasons.expired += links;
      add(byHop, hop, links);
      add(byType, type, links);
    }
    reasons.fan_cap += unread;
    add(byHop, hop, unread);
  }
  return {
    links: reasons.limit + reasons.fan_cap + reasons.expired,
    by_hop: Object.fromEntries(byHop),
    by_type: Object.fromEntries(byType),
    reasons,
    exact,
  };
}

function add(counts: Map<string, number>, key: string, links: number): void {
  if (links > 0) counts.set(key, (counts.get(key) ?? 0) + links);
}
