// A run of one side, saved as a file. Its counts can be compared with those of another time and
// machine; its times cannot, because they depend on the machine as much as on the program.
import { readFileSync, writeFileSync } from 'node:fs';
import { describeMachine, machineLine } from '../lab/machine.ts';
import type { Work } from '../lab/work.ts';
import { gateCases } from './cases.ts';
import { countAll, type Finding, moreWork } from './compare.ts';
import { Side } from './side.ts';

export interface SavedRun {
  readonly machine: string;
  readonly load: Work;
  readonly counts: Readonly<Record<string, Work>>;
}

export async function countHere(): Promise<SavedRun> {
  const side = new Side('this tree', '.');
  try {
    const load = await side.load();
    const counts = await countAll(side, gateCases());
    return {
      machine: machineLine(describeMachine()),
      load,
      counts: Object.fromEntries(counts.map(({ name, work }) => [name, work])),
    };
  } finally {
    await side.close();
  }
}

export function saveRun(file: string, run: SavedRun): void {
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`);
}

export function readRun(file: string): SavedRun {
  const run = JSON.parse(readFileSync(file, 'utf8')) as SavedRun;
  if (typeof run.counts !== 'object' || typeof run.load !== 'object')
    throw new Error(`${file} is no saved run: write one with --save`);
  return run;
}

export function compareRuns(base: SavedRun, head: SavedRun): readonly Finding[] {
  return [
    ...moreWork('loading', base.load, head.load),
    ...Object.entries(base.counts).flatMap(([name, work]) =>
      moreWork(name, work, head.counts[name] ?? {}),
    ),
  ];
}
