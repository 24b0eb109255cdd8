// Decides whether two sides differ, by the ratio of their times with a bootstrap interval. The
// sides are measured alternately, so that sample i of one was taken next to sample i of the other;
// both are drawn together. A session is one start of the programs: starts of the same program
// differ slightly by the layout of their memory, so sessions are drawn as well.
import { quantile } from '../tools/figures.ts';
import { seeded } from '../tools/seeded.ts';

export interface Ratio {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/** Samples of every session; the other side's are in the same order. */
export type Samples = readonly (readonly number[])[];

const DRAWS = 2000;
/** The interval contains the ratio in 99 of 100 runs. */
const TAIL = 0.005;
/**
 * Tolerance beyond the interval: the difference between starts of the same program on a busy
 * machine.
 */
export const TIME_BAND = 0.03;

const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * The ratio of `head` to `base`; above 1 `head` takes longer. It is the geometric mean over the
 * sessions of the median of the ratios of samples taken together. A machine that is busier in one
 * session or for some samples slows both sides of a ratio.
 */
export function ratioOfPairs(base: Samples, head: Samples): Ratio {
  const sessions = base.map((times, s) => times.map((time, i) => (head[s]?.[i] ?? 0) / time));
  const middle = (drawn: Samples): number =>
    Math.exp(drawn.reduce((sum, ratios) => sum + Math.log(median(ratios)), 0) / drawn.length);
  return withInterval(middle(sessions), (draw) => middle(draw(sessions).map(draw)));
}

/**
 * The ratio where the samples of a session are different questions, none of which may be drawn
 * twice or left out: the medians over all samples, with only sessions drawn.
 */
export function ratioOfMedians(base: Samples, head: Samples): Ratio {
  const sessions = base.map((times, s) => ({ mine: times, theirs: head[s] ?? [] }));
  const middle = (drawn: typeof sessions): number =>
    median(drawn.flatMap(({ theirs }) => theirs)) / median(drawn.flatMap(({ mine }) => mine));
  return withInterval(middle(sessions), (draw) => middle(draw(sessions)));
}

/** Draws the same number of items with replacement. */
type Draw = <T>(from: readonly T[]) => T[];

function withInterval(ratio: number, once: (draw: Draw) => number): Ratio {
  const random = seeded(1);
  const draw: Draw = <T>(from: readonly T[]) =>
    from.map(() => from[Math.floor(random() * from.length)] as T);
  const draws = Array.from({ length: DRAWS }, () => once(draw));
  return { ratio, low: quantile(draws, TAIL), high: quantile(draws, 1 - TAIL) };
}

/** True if head is slower with certainty, and by more than the tolerance. */
export function isSlower({ low }: Ratio): boolean {
  return low > 1 + TIME_BAND;
}
