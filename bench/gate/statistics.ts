// Are two sides different? The ratio of their medians with an interval by the bootstrap. Sides are measured in turns, so that
// sample i of one was taken beside sample i of the other; both are drawn together. Sessions are starts of the programs: two starts of
// one program differ a little in where their memory lies, so sessions are drawn as well.
import { quantile } from '../tools/figures.ts';
import { seeded } from '../tools/seeded.ts';

export interface Ratio {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/** Samples of every session, the other side's in the same order. */
export type Samples = readonly (readonly number[])[];

const DRAWS = 2000;
/** Inside the interval in 99 of 100 runs. */
const TAIL = 0.005;
/** Beyond the interval: what starts of the same program differ by on a busy machine. */
export const TIME_BAND = 0.03;

const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * Of `head` to `base`; above 1 `head` takes longer. `fixed`: the samples of a session are questions of their own, of which none may be
 * drawn twice or left out; only sessions are drawn.
 */
export function ratioOfMedians(base: Samples, head: Samples, fixed = false): Ratio {
  const random = seeded(1);
  const below = (limit: number): number => Math.floor(random() * limit);
  const draws = Array.from({ length: DRAWS }, () => {
    const [a, b]: [number[], number[]] = [[], []];
    for (let i = 0; i < base.length; i++) {
      const session = below(base.length);
      const [mine, theirs] = [base[session] ?? [], head[session] ?? []];
      for (let k = 0; k < mine.length; k++) {
        const at = fixed ? k : below(mine.length);
        a.push(mine[at] ?? 0);
        b.push(theirs[at] ?? 0);
      }
    }
    return median(b) / median(a);
  });
  return {
    ratio: median(head.flat()) / median(base.flat()),
    low: quantile(draws, TAIL),
    high: quantile(draws, 1 - TAIL),
  };
}

/** Slower for certain, and by more than the band. */
export function isSlower({ low }: Ratio): boolean {
  return low > 1 + TIME_BAND;
}
