// Are two sides different? The ratio of their times with an interval by the bootstrap. Sides are measured in turns, so that sample i of
// one was taken beside sample i of the other; both are drawn together. Sessions are starts of the programs: two starts of one program
// differ a little in where their memory lies, so sessions are drawn as well.
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
 * Of `head` to `base`; above 1 `head` takes longer: in every session the median of the ratios of neighbouring samples, over the sessions
 * the geometric mean. A machine that is busier in one session or for some samples slows both sides of a ratio.
 */
export function ratioOfPairs(base: Samples, head: Samples): Ratio {
  const sessions = base.map((times, s) => times.map((time, i) => (head[s]?.[i] ?? 0) / time));
  const middle = (drawn: Samples): number =>
    Math.exp(drawn.reduce((sum, ratios) => sum + Math.log(median(ratios)), 0) / drawn.length);
  return withInterval(middle(sessions), (draw) => middle(draw(sessions).map(draw)));
}

/**
 * The same where the samples of a session are questions of their own, of which none may be drawn twice or left out: medians over all,
 * only sessions are drawn.
 */
export function ratioOfMedians(base: Samples, head: Samples): Ratio {
  const sessions = base.map((times, s) => ({ mine: times, theirs: head[s] ?? [] }));
  const middle = (drawn: typeof sessions): number =>
    median(drawn.flatMap(({ theirs }) => theirs)) / median(drawn.flatMap(({ mine }) => mine));
  return withInterval(middle(sessions), (draw) => middle(draw(sessions)));
}

/** As many as there are, some of them several times. */
type Draw = <T>(from: readonly T[]) => T[];

function withInterval(ratio: number, once: (draw: Draw) => number): Ratio {
  const random = seeded(1);
  const draw: Draw = <T>(from: readonly T[]) =>
    from.map(() => from[Math.floor(random() * from.length)] as T);
  const draws = Array.from({ length: DRAWS }, () => once(draw));
  return { ratio, low: quantile(draws, TAIL), high: quantile(draws, 1 - TAIL) };
}

/** Slower for certain, and by more than the band. */
export function isSlower({ low }: Ratio): boolean {
  return low > 1 + TIME_BAND;
}
