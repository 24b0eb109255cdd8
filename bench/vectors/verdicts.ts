// Figures against what vector search has to reach: a target to aim at and a floor below which a change is refused.
import { printTable } from '../tools/figures.ts';

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

function judge({ value, target, floor, lower = false }: Verdict): string {
  if (value === undefined) return 'LOSS';
  const reaches = (limit: number): boolean => (lower ? value <= limit : value >= limit);
  if (reaches(target)) return 'ok';
  return reaches(floor) ? 'below target' : 'LOSS';
}

/** Losses are named once more at the end. */
export function printVerdicts(verdicts: readonly Verdict[]): void {
  const rows = verdicts.map((verdict) => [
    verdict.set,
    verdict.measure,
    verdict.value === undefined ? '-' : round(verdict.value),
    round(verdict.target),
    round(verdict.floor),
    judge(verdict),
  ]);
  printTable(['set', 'measure', 'value', 'target', 'floor', ''], rows);
  const losses = verdicts.filter((verdict) => judge(verdict) === 'LOSS');
  console.log(losses.length === 0 ? 'no losses' : `${losses.length} LOSSES:`);
  for (const { set, measure } of losses) console.log(`  ${set}: ${measure}`);
}

function round(value: number): string {
  return value >= 10 ? value.toFixed(1) : value.toFixed(Math.abs(value - 1) < 0.01 ? 4 : 2);
}
