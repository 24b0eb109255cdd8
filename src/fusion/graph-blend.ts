// Adds the graph to a ranked list: a candidate's score rises by the strongest of its links to a
// seed, in proportion to the seed's score. In measurements, the strongest link was better than a
// constant for being near, and than the sum over all linked seeds.

export interface SeedLink {
  readonly seed: string;
  readonly node: string;
  readonly hop: number;
  /** confidence * weight along the path, halved for the second hop. */
  readonly strength: number;
}

export interface GraphShare {
  readonly link: SeedLink;
  /** weight * score of the seed * strength of the link. */
  readonly share: number;
}

/** Divides scores by the best score, so that the best is 1. All are 0 if no score is above 0. */
export function overBest(scores: readonly number[]): readonly number[] {
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  return scores.map((score) => (best > 0 ? score / best : 0));
}

/** Links between two yields: there may be a million, ten thousand for each of a hundred seeds. */
const PACE = 64;

/**
 * Returns the largest share that a seed gives to each node. `seeds` maps ids to scores in 0 .. 1. A
 * seed gives no share to itself.
 */
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
