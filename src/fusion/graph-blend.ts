// What the graph adds to a ranked list: a candidate gains from the strongest of its links to a seed, as much as the seed is
// worth. Measured against adding a constant for being near, and against the sum over neighbours: the best link is better.

export interface SeedLink {
  readonly seed: string;
  readonly node: string;
  readonly hop: number;
  /** confidence * weight along the way, halved for the second hop. */
  readonly strength: number;
}

export interface GraphShare {
  readonly link: SeedLink;
  /** weight * score of the seed * strength of the link. */
  readonly share: number;
}

/** Scores over the best score, so that the best is 1; all 0 where none is above 0. */
export function overBest(scores: readonly number[]): readonly number[] {
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  return scores.map((score) => (best > 0 ? score / best : 0));
}

/** Links after which it may be left for a while: there may be a million, ten thousand of a hundred seeds. */
const PACE = 64;

/** For each node the largest share that a seed gives it. `seeds`: id -> score, 0 .. 1. A node gives itself nothing. */
export function* graphShares(
  seeds: ReadonlyMap<string, number>,
  links: readonly SeedLink[],
  weight: number,
): Generator<undefined, ReadonlyMap<string, GraphShare>, undefined> {
  const best = new Map<string, GraphShare>();
  for (const [i, link] of links.entries()) {
    if (i % PACE === 0) yield;
    const { seed, node, strength } = link;
    const share = weight * (seeds.get(seed) ?? 0) * strength;
    if (node === seed || !(share > 0)) continue;
    const there = best.get(node);
    if (there === undefined || share > there.share) best.set(node, { link, share });
  }
  return best;
}
