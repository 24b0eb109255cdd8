// Question: how good, how fast and how big is the core's vector search on one thread, against the floors of its design
// and hnswlib in the same process? The shared sets, or a generated one; then growth from 1x to 16x.
// Stronger peers need a Python environment: peers.py beside this file.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { printTable } from '../tools/figures.ts';
import { timeAt } from './front.ts';
import { buildNativeBench, type ResultLine, runNativeBench } from './native-bench.ts';
import { printVerdicts, type Verdict } from './verdicts.ts';

const SHARED = process.env['SHARED_DIR'] ?? join('..', 'shared');
const SETS = ['passages', 'words', 'neural'];
const LEVELS = [0.97, 0.99, 0.999];
const DEFAULT_BEAM = 800;
const OUR_WALKS = ['sketch walk', 'sq8 walk', 'planner'];
/** What usearch keeps of a vector beside its floats: vector.md, section 2.1. */
const USEARCH_LINK_BYTES = 148;

export async function vectorsSuite(): Promise<object> {
  buildNativeBench();
  const folder = join(SHARED, 'vector');
  const sets = SETS.filter((name) => existsSync(join(folder, `${name}.base.f16bin`)));
  if (sets.length === 0) console.log(`${folder} has no sets: a generated one is measured`);
  const runs = sets.length === 0 ? [[]] : sets.map((set) => ['--data', folder, '--set', set]);
  const all: ResultLine[] = [];
  for (const args of runs) {
    const lines = await runNativeBench(args);
    report(lines);
    all.push(...lines);
  }
  const growth = await runNativeBench([
    '--rows',
    '240000',
    '--dims',
    '384',
    '--probes',
    '300',
    '--parts',
    'growth',
  ]);
  console.log('\n## growth, generated vectors');
  printBuilds(growth);
  printWork(growth);
  console.log('\n## targets and floors');
  printVerdicts([...new Set(all.map((line) => line.set))].flatMap((set) => verdicts(set, all)));
  return { lines: [...all, ...growth] };
}

function report(lines: readonly ResultLine[]): void {
  console.log(`\n## ${lines[0]?.set}`);
  printBuilds(lines);
  printFronts(lines);
  printWork(lines.filter(({ part, beam }) => part !== 'walk' || beam === DEFAULT_BEAM));
}

function printBuilds(lines: readonly ResultLine[]): void {
  const rows = lines
    .filter(({ part }) => part === 'build')
    .map((line) => [
      line.engine,
      line.rows ?? '',
      fixed(line.codesSeconds, 2),
      fixed(line.graphSeconds, 2),
      line.sketchDims ?? '',
      line.isa ?? '',
      fixed(line.rowBytes, 0),
      fixed(line.hotBytes, 0),
      fixed(line.graphBytes, 0),
    ]);
  printTable(
    ['build', 'rows', 'codes s', 'graph s', 'sketch', 'isa', 'row B', 'hot B', 'graph B'],
    rows,
  );
  for (const { part, engine, seconds, gigabytesPerSecond } of lines) {
    if (seconds !== undefined) console.log(`${part}, ${engine}: ${seconds.toFixed(2)} s`);
    if (gigabytesPerSecond !== undefined)
      console.log(`memory, ${engine}: ${gigabytesPerSecond.toFixed(1)} GB/s`);
  }
}

function walk(lines: readonly ResultLine[], engine: string): { recall: number; us: number }[] {
  return lines.flatMap(({ part, engine: name, recall, us }) =>
    part === 'walk' && name === engine && recall !== undefined && us !== undefined
      ? [{ recall, us }]
      : [],
  );
}

/** Microseconds at a recall, and how many times as fast as the first peer. */
function printFronts(lines: readonly ResultLine[]): void {
  const walks = lines.filter(({ part }) => part === 'walk');
  const rows = [...new Set(walks.map(({ engine }) => engine))].map((engine) => [
    engine,
    ...LEVELS.flatMap((level) => {
      const us = timeAt(walk(lines, engine), level);
      const peer = timeAt(walk(lines, 'hnswlib'), level);
      return [
        fixed(us, 1),
        us === undefined || peer === undefined ? '' : `${fixed(peer / us, 2)}x`,
      ];
    }),
  ]);
  console.log('us at recall@10, and hnswlib / us');
  printTable(['walk', ...LEVELS.flatMap((level) => [String(level), 'ratio'])], rows);
}

function printWork(lines: readonly ResultLine[]): void {
  const rows = lines
    .filter(({ recall }) => recall !== undefined)
    .map((line) => [
      `${line.part}, ${line.engine}`,
      line.rows ?? '',
      fixed(line.recall, 4),
      fixed(line.worst, 1),
      fixed(line.us, 1),
      fixed(line.median, 1),
      fixed(line.sketchDistances, 0),
      fixed(line.fullDistances, 0),
      fixed(line.exactDistances, 0),
      fixed(line.hops, 0),
      fixed(line.bytesRead === undefined ? undefined : line.bytesRead / 1024, 0),
    ]);
  printTable(
    [
      `beam ${DEFAULT_BEAM}`,
      'rows',
      'recall',
      'worst',
      'us',
      'median',
      'sketch',
      'SQ8',
      'f32',
      'hops',
      'KiB',
    ],
    rows,
  );
}

/** The figures of one set by what they are called. */
class SetFigures {
  readonly set: string;
  readonly #lines: readonly ResultLine[];

  constructor(set: string, all: readonly ResultLine[]) {
    this.set = set;
    this.#lines = all.filter((line) => line.set === set);
  }
  find(part: string, engine: string): ResultLine | undefined {
    return this.#lines.find(
      (line) =>
        line.part === part &&
        line.engine === engine &&
        (part !== 'walk' || line.beam === DEFAULT_BEAM),
    );
  }
  /** What the planner finds after deletions and merges. */
  kept(): readonly ResultLine[] {
    const changed = ({ part, engine }: ResultLine): boolean =>
      engine === 'planner' && (part.includes('30%') || part.includes('ten merges'));
    return this.#lines.filter(changed);
  }
  timeAt(engines: readonly string[], recall: number): number | undefined {
    return timeAt(
      engines.flatMap((engine) => walk(this.#lines, engine)),
      recall,
    );
  }
}

function verdicts(set: string, all: readonly ResultLine[]): readonly Verdict[] {
  const figures = new SetFigures(set, all);
  return [...peerVerdicts(figures), ...recallVerdicts(figures), ...costVerdicts(figures)];
}

function peerVerdicts(figures: SetFigures): readonly Verdict[] {
  const { set } = figures;
  const built = figures.find('build', 'hnswlib');
  if (built === undefined) return [];
  const walks = LEVELS.flatMap((level) => {
    const theirs = figures.timeAt(['hnswlib'], level);
    if (theirs === undefined) return [];
    const value = ratio(theirs, figures.timeAt(OUR_WALKS, level));
    return [{ set, measure: `hnswlib at ${level}, x`, value, target: 3, floor: 2 }];
  });
  const value = ratio(built.graphSeconds, seconds(figures.find('build', 'quarry')));
  return [...walks, { set, measure: 'build, hnswlib x', value, target: 2.8, floor: 2.3 }];
}

function recallVerdicts(figures: SetFigures): readonly Verdict[] {
  const { set } = figures;
  const planner = figures.find('walk', 'planner');
  const lines = [planner, ...figures.kept()].filter((line) => line !== undefined);
  return lines.flatMap(({ part, recall, worst }) => [
    { set, measure: `recall, default beam, ${part}`, value: recall, target: 0.999, floor: 0.995 },
    { set, measure: `worst probe, default beam, ${part}`, value: worst, target: 0.9, floor: 0.9 },
  ]);
}

function costVerdicts(figures: SetFigures): readonly Verdict[] {
  const { set } = figures;
  const built = figures.find('build', 'quarry');
  const scan = figures.find('exact', 'f32 rows');
  const cascade = figures.find('exact', 'cascade');
  const bandwidth = figures.find('memory', 'read loop')?.gigabytesPerSecond;
  const scanned = ratio(scan?.bytesRead, scan?.us === undefined ? undefined : scan.us * 1000);
  return [
    {
      set,
      measure: 'hot bytes, x of usearch f32',
      value: ratio(built?.hotBytes, (built?.dims ?? 0) * 4 + USEARCH_LINK_BYTES),
      target: 0.43,
      floor: 0.5,
      lower: true,
    },
    {
      set,
      measure: 'cascade, own f32 scan x',
      value: ratio(scan?.us, cascade?.us),
      target: 15,
      floor: 4,
    },
    {
      set,
      measure: 'f32 scan, share of bandwidth',
      value: ratio(scanned, bandwidth),
      target: 0.9,
      floor: 0.8,
    },
  ];
}

function ratio(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a / b;
}

function seconds(line: ResultLine | undefined): number | undefined {
  return line?.codesSeconds === undefined || line.graphSeconds === undefined
    ? undefined
    : line.codesSeconds + line.graphSeconds;
}

function fixed(value: number | undefined, digits: number): string {
  return value === undefined ? '-' : value.toFixed(digits);
}
