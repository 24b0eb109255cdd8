// Compares results with the requirements of vector search: a target to aim at, and a floor below
// which a change is rejected.
import type { Row } from '../lab/result.ts';

export interface Verdict {
  readonly set: string;
  readonly measure: string;
  /** Undefined: not reached at all. */
  readonly value: number | undefined;
  readonly target: number;
  readonly floor: number;
  /** Smaller is better. */
  readonly lower?: boolean;
}

/** The goal is the floor; the target is shown as well. */
export function verdictRows(verdicts: readonly Verdict[]): readonly Row[] {
  return verdicts.map(({ set, measure, value, target, floor, lower = false }) => ({
    name: `${set}: ${measure}`,
    unit: 'against the floors',
    values: { value, target },
    goal: { value: 'value', target: floor, lower },
  }));
}
