// Measures quality, speed and size of the core's vector search on one thread, compared with the
// floors of its design and hnswlib in the same process. The data are sets of the shared folder
// (BENCH_SETS=passages,words,neural for all), or a generated one; then growth from 1x to 16x, up to
// BENCH_DOCS vectors. Stronger peers need a Python environment: see peers.py in this folder.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Row, SuiteResult } from '../lab/result.ts';
import { timeAt } from './front.ts';
import { type ResultLine, runNativeBench } from './native-bench.ts';
import { DEFAULT_BEAM, LEVELS, vectorRows, walk } from './vector-rows.ts';
import { type Verdict, verdictRows } from './verdicts.ts';

const SHARED = process.env['SHARED_DIR'] ?? join('..', 'shared');
const SETS = (process.env['BENCH_SETS'] ?? 'neural').split(',');
const GROWN = process.env['BENCH_DOCS'] ?? '48000';
const OUR_WALKS = ['sketch walk', 'sq8 walk', 'planner'];
/** Bytes that usearch stores per vector in addition to its floats. */
const USEARCH_LINK_BYTES = 148;

export async function vectorsSuite(): Promise<SuiteResult> {
  const folder = join(SHARED, 'vector');
  const sets = SETS.filter((name) => existsSync(join(folder, `${name}.base.f16bin`)));
  const runs = sets.length === 0 ? [[]] : sets.map((set) => ['--data', folder, '--set', set]);
  const all: ResultLine[] = [];
  const rows: Row[] = [];
  for (const args of runs) {
    const lines = await runNativeBench(args);
    rows.push(...vectorRows(lines));
    all.push(...lines);
  }
  const grown = ['--rows', GROWN, '--dims', '384', '--probes', '300', '--parts', 'growth'];
  rows.push(...vectorRows(await runNativeBench(grown)));
  const names = [...new Set(all.map((line) => line.set))];
  return {
    facts: [
      sets.length === 0
        ? `${folder} has none of ${SETS.join(', ')}: a generated set is measured`
        : `sets ${sets.join(', ')}; recall against cosines in double precision`,
      `CPU time of one thread; growth with generated vectors up to ${GROWN}`,
    ],
    rows: [...rows, ...verdictRows(names.flatMap((set) => verdicts(set, all)))],
  };
}

/** The results of one set by name. */
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
  /** The results of the planner after deletions and merges. */
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
