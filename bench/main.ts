// npm run bench [-- suite … --json FILE --peer URL --base REF]: runs the named suites (all without
// a name), prints the tables of each, and writes bench/report/bench.html with charts next to
// bench.json (or FILE).
import { parseArgs } from 'node:util';
import { describeMachine, loadNow, machineLine } from './lab/machine.ts';
import { missedGoals, printRun } from './lab/print.ts';
import { writeReport } from './lab/report.ts';
import type { SuiteRun } from './lab/result.ts';
import { namesOf, SUITES } from './suites.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, peer: { type: 'string' }, base: { type: 'string' } },
});
const names = namesOf(positionals);
const machine = describeMachine();
console.log(machineLine(machine));
const suites: SuiteRun[] = [];
for (const name of names) {
  const suite = SUITES[name];
  if (suite === undefined) continue;
  console.log(`\n# ${name}`);
  const [load, started] = [loadNow(), performance.now()];
  const result = await suite({ peer: values.peer, base: values.base });
  const run = { suite: name, seconds: (performance.now() - started) / 1000, load, ...result };
  printRun(run);
  suites.push(run);
  // Written after each suite, so that an interrupted run keeps its results.
  writeReport({ machine, suites }, values.json);
}
const missed = missedGoals(suites);
console.log(`\n${missed.length === 0 ? 'no goal missed' : `${missed.length} goals missed:`}`);
for (const line of missed) console.log(`  ${line}`);
console.log(`the report: bench/report/bench.html`);
