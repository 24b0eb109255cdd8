// Measures of how well the recalled ids match the expected ones, each from 0 to 1.

export interface Scores {
  /** The fraction of expected ids that are among the first k. */
  readonly recall: number;
  /** The reciprocal rank of the first expected id; 0 if none is among the first k. */
  readonly mrr: number;
  /**
   * The sum of 1 / log2(rank + 1) over the expected ids, divided by that of the best possible
   * order.
   */
  readonly ndcg: number;
}

/** `expected` must not be empty; `recalled` is ordered best first, without duplicates. */
export function scoresOf(
  expected: ReadonlySet<string>,
  recalled: readonly string[],
  k: number,
): Scores {
  const ranks = recalled.slice(0, k).flatMap((id, i) => (expected.has(id) ? [i + 1] : []));
  const ideal = Array.from({ length: Math.min(expected.size, k) }, (_, i) => i + 1);
  return {
    recall: ranks.length / expected.size,
    mrr: ranks[0] === undefined ? 0 : 1 / ranks[0],
    ndcg: gain(ranks) / gain(ideal),
  };
}

function gain(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + 1 / Math.log2(rank + 1), 0);
}

export function meanOf(all: readonly Scores[]): Scores {
  const mean = (of: (one: Scores) => number): number =>
    all.reduce((sum, one) => sum + of(one), 0) / all.length;
  return {
    recall: mean((one) => one.recall),
    mrr: mean((one) => one.mrr),
    ndcg: mean((one) => one.ndcg),
  };
}

/** The figures of a question of a dialogue, in the order in which they are shown. */
export const FIGURES = ['R@1', 'R@5', 'R@10', 'all@5', 'MRR', 'nDCG@10'] as const;
export const DEEPEST = 10;
export type Figures = Readonly<Record<(typeof FIGURES)[number], number>>;

/** `all@5` is 1 if every expected id is among the first five, else 0. */
export function figuresOf(expected: ReadonlySet<string>, recalled: readonly string[]): Figures {
  const at = (k: number): Scores => scoresOf(expected, recalled, k);
  const [first, five, ten] = [at(1), at(5), at(DEEPEST)];
  return {
    'R@1': first.recall,
    'R@5': five.recall,
    'R@10': ten.recall,
    'all@5': five.recall === 1 ? 1 : 0,
    MRR: ten.mrr,
    'nDCG@10': ten.ndcg,
  };
}

export interface Interval {
  readonly mean: number;
  /** The middle 95 % of the means of samples with replacement. */
  readonly low: number;
  readonly high: number;
}

const SAMPLES = 1000;
const SEED = 20_260_101;

/** The mean of each figure with its bootstrap interval; the same questions give the same interval. */
export function intervalsOf(all: readonly Figures[]): Readonly<Record<string, Interval>> {
  const random = randomFrom(SEED);
  const means: Record<string, number>[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const sums = FIGURES.map(() => 0);
    for (let i = 0; i < all.length; i++) {
      const one = all[Math.floor(random() * all.length)];
      for (const [f, name] of FIGURES.entries()) sums[f] = (sums[f] ?? 0) + (one?.[name] ?? 0);
    }
    means.push(Object.fromEntries(FIGURES.map((name, f) => [name, (sums[f] ?? 0) / all.length])));
  }
  return Object.fromEntries(
    FIGURES.map((name) => {
      const sorted = means.map((one) => one[name] ?? 0).sort((a, b) => a - b);
      const at = (share: number): number => sorted[Math.round(share * (SAMPLES - 1))] ?? 0;
      const mean = all.reduce((sum, one) => sum + one[name], 0) / all.length;
      return [name, { mean, low: at(0.025), high: at(0.975) }];
    }),
  );
}

/** Mulberry32: evenly spread numbers from 0 to 1 that follow from the seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
