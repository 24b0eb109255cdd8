// Tests the gate's sensitivity and its false positives: three planted slowdowns, each compared with
// this tree, then this tree compared with itself ten times.
import { gateCases } from './cases.ts';
import { type Comparison, compareSides, type Effort } from './compare.ts';
import { PLANTS, type Plant, plantTree } from './plants.ts';
import { findingLine, printTimes } from './report.ts';
import { Side } from './side.ts';

export interface Verdict {
  readonly name: string;
  readonly passed: boolean;
}

export async function selfTest(effort: Effort, repeats: number): Promise<readonly Verdict[]> {
  const base = new Side('this tree', '.');
  const verdicts: Verdict[] = [];
  try {
    await base.load();
    for (const plant of PLANTS) verdicts.push(await plantAndLook(base, plant, effort));
    for (let i = 1; i <= repeats; i++) verdicts.push(await lookTwice(base, i, effort));
  } finally {
    await base.close();
  }
  return verdicts;
}

async function plantAndLook(base: Side, plant: Plant, effort: Effort): Promise<Verdict> {
  const cases = gateCases().filter(({ name }) => name === plant.caught.name);
  const { times, findings } = await against(base, plantTree(plant), effort, cases);
  const { name, what } = plant.caught;
  const sees = (seen: string): boolean => seen === what || (what === 'work' && seen !== 'time');
  const passed = findings.some((finding) => finding.name === name && sees(finding.what));
  console.log(`\n${passed ? 'caught' : 'NOT CAUGHT'}: ${plant.name}`);
  printTimes(times);
  for (const finding of findings) console.log(`  ${findingLine(finding)}`);
  return { name: plant.name, passed };
}

async function lookTwice(base: Side, number: number, effort: Effort): Promise<Verdict> {
  const started = performance.now();
  const { times, findings } = await against(base, '.', effort, gateCases());
  const passed = findings.length === 0;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const said = passed ? 'silent' : 'NOT SILENT';
  console.log(`\n${said}: this tree against itself, run ${number}, ${seconds} s`);
  printTimes(times);
  for (const finding of findings) console.log(`  ${findingLine(finding)}`);
  return { name: `against itself, run ${number}`, passed };
}

async function against(
  base: Side,
  tree: string,
  effort: Effort,
  cases: ReturnType<typeof gateCases>,
): Promise<Comparison> {
  const head = new Side(tree, tree);
  try {
    head.copyFrom(base);
    return await compareSides(base, head, cases, effort);
  } finally {
    await head.close();
  }
}
