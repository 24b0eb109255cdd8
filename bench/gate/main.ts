// npm run bench:gate [-- --base REF|FILE] [--save FILE] [--sessions N --rounds N] | --selftest
// [--repeats N] | --native [--write]. The exit status is 1 if this tree does more work or takes
// longer than the base, which is a git ref (default HEAD) or a saved run.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describeMachine, machineLine } from '../lab/machine.ts';
import { gateCases } from './cases.ts';
import { compareSides, type Effort, type Finding, moreWork, takenBy } from './compare.ts';
import { nativeGate } from './counters.ts';
import { findingLine, printComparison } from './report.ts';
import { compareRuns, countHere, readRun, saveRun } from './saved.ts';
import { selfTest } from './selftest.ts';
import { Side } from './side.ts';
import { treeOf } from './trees.ts';

const { values } = parseArgs({
  options: {
    base: { type: 'string', default: 'HEAD' },
    save: { type: 'string' },
    sessions: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '40' },
    selftest: { type: 'boolean', default: false },
    repeats: { type: 'string', default: '10' },
    native: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

function readCount(name: 'sessions' | 'rounds' | 'repeats', least: number): number {
  const count = Number(values[name]);
  if (Number.isInteger(count) && count >= least) return count;
  throw new Error(`[--${name}] is a whole number from ${least} on, got [${values[name]}]`);
}

async function againstTree(tree: string, effort: Effort): Promise<boolean> {
  const [base, head] = [new Side('base', tree), new Side('head', '.')];
  try {
    const loading = moreWork('loading', await base.load(), await head.load());
    const cases = await takenBy(base, gateCases());
    const old = gateCases().filter(({ name }) => !cases.some((one) => one.name === name));
    if (old.length > 0)
      console.log(`the base does not know: ${old.map(({ name }) => name).join(', ')}`);
    const comparison = await compareSides(base, head, cases, effort);
    const findings: readonly Finding[] = [...loading, ...comparison.findings];
    return printComparison({ ...comparison, findings });
  } finally {
    await base.close();
    await head.close();
  }
}

async function againstFile(file: string): Promise<boolean> {
  const base = readRun(file);
  console.log(`counts of ${base.machine}`);
  const findings = compareRuns(base, await countHere());
  for (const finding of findings) console.log(`  ${findingLine(finding)}`);
  console.log(
    findings.length === 0 ? 'no count has risen' : `${findings.length} counts have risen`,
  );
  return findings.length === 0;
}

async function main(): Promise<boolean> {
  const effort = { sessions: readCount('sessions', 2), rounds: readCount('rounds', 3) };
  if (values.native) return await nativeGate(values.write);
  console.log(machineLine(describeMachine()));
  if (values.selftest) {
    const verdicts = await selfTest(effort, readCount('repeats', 0));
    const failed = verdicts.filter(({ passed }) => !passed);
    console.log(`\n${verdicts.length - failed.length} of ${verdicts.length} as they should be`);
    for (const { name } of failed) console.log(`  failed: ${name}`);
    return failed.length === 0;
  }
  if (values.save !== undefined) {
    saveRun(values.save, await countHere());
    console.log(`saved to ${values.save}`);
    return true;
  }
  return existsSync(values.base)
    ? await againstFile(values.base)
    : await againstTree(treeOf(values.base), effort);
}

process.exitCode = (await main()) ? 0 : 1;
