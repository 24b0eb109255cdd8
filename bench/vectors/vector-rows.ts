// Converts the lines of the core's vector benchmark to rows: the build, microseconds at a recall,
// the work of a query.
import type { Row } from '../lab/result.ts';
import { timeAt } from './front.ts';
import type { ResultLine } from './native-bench.ts';

export const LEVELS = [0.97, 0.99, 0.999];
export const DEFAULT_BEAM = 800;

export function vectorRows(lines: readonly ResultLine[]): readonly Row[] {
  const atDefault = lines.filter(({ part, beam }) => part !== 'walk' || beam === DEFAULT_BEAM);
  return [...buildRows(lines), ...frontRows(lines), ...workRows(atDefault)];
}

/** The points of one engine's searches. */
export function walk(
  lines: readonly ResultLine[],
  engine: string,
): { recall: number; us: number }[] {
  return lines.flatMap(({ part, engine: name, recall, us }) =>
    part === 'walk' && name === engine && recall !== undefined && us !== undefined
      ? [{ recall, us }]
      : [],
  );
}

function buildRows(lines: readonly ResultLine[]): readonly Row[] {
  const built = lines.filter(({ part }) => part === 'build');
  return built.map((line) => ({
    name: `${line.set}: build, ${line.engine}, ${line.rows ?? 0} rows`,
    unit: 's',
    values: { codes: line.codesSeconds, graph: line.graphSeconds },
    counters: {
      'sketch dims': line.sketchDims,
      'row bytes': line.rowBytes,
      'hot bytes': line.hotBytes,
      'graph bytes': line.graphBytes,
    },
  }));
}

/** Includes the speed relative to the first peer. */
function frontRows(lines: readonly ResultLine[]): readonly Row[] {
  const engines = new Set(lines.filter(({ part }) => part === 'walk').map(({ engine }) => engine));
  return [...engines].map((engine) => {
    const values = LEVELS.flatMap((level) => {
      const us = timeAt(walk(lines, engine), level);
      const peer = timeAt(walk(lines, 'hnswlib'), level);
      const ratio = us === undefined || peer === undefined ? undefined : peer / us;
      return [
        [`at ${level}`, us],
        [`hnswlib / us at ${level}`, ratio],
      ] as const;
    });
    const name = `${lines[0]?.set}: ${engine}`;
    return { name, unit: 'us at recall@10', values: Object.fromEntries(values) };
  });
}

function workRows(lines: readonly ResultLine[]): readonly Row[] {
  return lines
    .filter(({ recall }) => recall !== undefined)
    .map((line) => ({
      name: `${line.set}: ${line.part}, ${line.engine}, ${line.rows ?? 0} rows`,
      unit: `us at beam ${DEFAULT_BEAM}`,
      values: { p50: line.median, mean: line.us },
      counters: {
        recall: line.recall,
        worst: line.worst,
        sketch: line.sketchDistances,
        SQ8: line.fullDistances,
        f32: line.exactDistances,
        hops: line.hops,
        bytes: line.bytesRead,
      },
    }));
}
