// Prints the result of the gate.
import { printTable, quantile } from '../tools/figures.ts';
import type { CaseTimes, Comparison, Finding } from './compare.ts';
import { type Ratio, ratioOfPairs } from './statistics.ts';

export function spread({ ratio, low, high }: Ratio): string {
  return `${ratio.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

export function findingLine({ name, what, base, head, ratio }: Finding): string {
  const unit = what === 'time' ? ' ms' : '';
  return `${name}: ${what} ${base.toPrecision(4)}${unit} -> ${head.toPrecision(4)}${unit}, ${spread(ratio)}`;
}

export function printTimes(times: readonly CaseTimes[]): void {
  const rows = times.map(({ name, base, head }) => [
    name,
    quantile(base.flat(), 0.5).toFixed(3),
    quantile(head.flat(), 0.5).toFixed(3),
    spread(ratioOfPairs(base, head)),
  ]);
  printTable(['ms of processor', 'base', 'head', 'head / base [99 %]'], rows);
}

/** True: there are no findings. */
export function printComparison({ times, findings, differing }: Comparison): boolean {
  printTimes(times);
  if (differing.length > 0) console.log(`other documents are found in: ${differing.join(', ')}`);
  console.log(findings.length === 0 ? 'nothing is slower' : `${findings.length} found:`);
  for (const finding of findings) console.log(`  ${findingLine(finding)}`);
  return findings.length === 0;
}
