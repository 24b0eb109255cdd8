// npm run bench:gate -- --native [--write]: compares the work of vector searches on a seeded set
// with the committed counts. The counts do not depend on the machine's speed, but vary slightly
// between instruction sets, whose float sums (training, bounds) round differently: hence a
// tolerance.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ResultLine, runNativeBench } from '../vectors/native-bench.ts';

const FILE = join('bench', 'gate', 'vector-counters.json');
/**
 * Share by which a count may change before the file has to be written again, with the reason in the
 * commit message.
 */
const BAND = 0.02;
const MEASURES = [
  'recall',
  'sketchDims',
  'sketchDistances',
  'fullDistances',
  'exactDistances',
  'hops',
  'bytesRead',
  'graphBytes',
  'codeBytes',
] as const satisfies readonly (keyof ResultLine)[];

type Counts = Readonly<Record<string, number>>;

function toCounts(lines: readonly ResultLine[]): Counts {
  return Object.fromEntries(
    lines.flatMap((line) =>
      MEASURES.flatMap((measure) => {
        const value = line[measure];
        const beam = line.part === 'walk' ? ` ${line.beam}` : '';
        return value === undefined
          ? []
          : [[`${line.part}, ${line.engine}${beam}: ${measure}`, value]];
      }),
    ),
  );
}

function compare(expected: Counts, found: Counts): readonly string[] {
  return [...new Set([...Object.keys(expected), ...Object.keys(found)])].flatMap((name) => {
    const before = expected[name];
    const now = found[name];
    if (before === undefined || now === undefined)
      return [`${name}: ${before ?? 'missing'} in the file, ${now ?? 'missing'} now`];
    if (Math.abs(now - before) <= BAND * Math.abs(before)) return [];
    return [`${name}: ${before} in the file, ${now} now (${((now / before) * 100).toFixed(1)} %)`];
  });
}

/** True: nothing changed, or the file was written. */
export async function nativeGate(write: boolean): Promise<boolean> {
  const found = toCounts(await runNativeBench(['--counters']));
  if (write) {
    writeFileSync(FILE, `${JSON.stringify(found, null, 2)}\n`);
    console.log(`${Object.keys(found).length} counts written to ${FILE}`);
    return true;
  }
  const changes = compare(JSON.parse(readFileSync(FILE, 'utf8')) as Counts, found);
  for (const change of changes) console.log(change);
  console.log(`${Object.keys(found).length} counts, ${changes.length} outside ${BAND * 100} %`);
  return changes.length === 0;
}
