// Prints what loading and searching over HTTP cost, beside the peer, and names what is lost against it.
import { printTable, quantile } from '../tools/figures.ts';
import type { Embeddings } from './embeddings.ts';
import type { Loaded } from './http-load.ts';
import type { Timing } from './http-search.ts';
import { printVerdicts, type Verdict } from './verdicts.ts';

const MIB = 1024 * 1024;
/** Rows and lengths in float32, then codes, bounds and links: at most so much more. */
const CODED_SHARE = 0.55;
const LOAD_ALLOWANCE = 300 * MIB;
const MAX_SLOWDOWN = 3;

export interface Measured {
  readonly set: string;
  readonly base: Embeddings;
  readonly loaded: ReadonlyMap<string, Loaded>;
  /** By `target, case`. */
  readonly recalls: ReadonlyMap<string, number>;
  readonly timings: readonly Timing[];
}

export function report(measured: Measured): object {
  const { set, base, loaded, recalls, timings } = measured;
  console.log(`${set}, ${base.count} x ${base.dims}`);
  printLoads(base, loaded);
  const rows = timings.map((timing) => [
    `${timing.name}, ${timing.clients} clients, ${timing.target}`,
    (recalls.get(`${timing.target}, ${timing.name}`) ?? 0).toFixed(4),
    quantile(timing.times, 0.5).toFixed(0),
    quantile(timing.times, 0.99).toFixed(0),
    quantile(timing.rates, 0.5).toFixed(0),
  ]);
  printTable(['search', 'recall', 'p50 us', 'p99 us', 'requests/s'], rows);
  printVerdicts([...ownVerdicts(measured), ...searchVerdicts(measured)]);
  return { loaded: Object.fromEntries(loaded), recalls: Object.fromEntries(recalls), rows };
}

function printLoads(base: Embeddings, loaded: ReadonlyMap<string, Loaded>): void {
  const rows = [...loaded].map(([name, figures]) => [
    name,
    (base.count / figures.seconds).toFixed(0),
    figures.mergeSeconds.toFixed(1),
    (figures.resident / MIB).toFixed(0),
    (figures.anonymous / MIB).toFixed(0),
    (figures.disk / MIB).toFixed(0),
    figures.quietP99.toFixed(0),
    figures.buildingP99.toFixed(0),
    figures.searchesBuilding,
  ]);
  printTable(
    [
      'loading',
      'docs/s',
      'merge s',
      'peak MiB',
      'without files',
      'disk MiB',
      'p99 us quiet',
      'p99 us building',
      'searches building',
    ],
    rows,
  );
}

function ownVerdicts({ set, base, loaded, recalls }: Measured): readonly Verdict[] {
  const limit = 2 * base.rows.byteLength * (1 + CODED_SHARE) + LOAD_ALLOWANCE;
  const ours = loaded.get('quarry');
  const verdict = (measure: string, value: number | undefined, most: number): Verdict => ({
    set,
    measure,
    value,
    target: most,
    floor: most,
    lower: true,
  });
  const recall = [...recalls]
    .filter(([name]) => name.startsWith('quarry, all'))
    .map(([name, value]) => ({
      set,
      measure: `recall, ${name}`,
      value,
      target: 0.999,
      floor: 0.995,
    }));
  return [
    ...recall,
    verdict('p99 while building, x quiet', ours && ours.buildingP99 / ours.quietP99, MAX_SLOWDOWN),
    verdict('peak memory while loading, x limit', ours && ours.resident / limit, 1),
    verdict('the same without files, x limit', ours && ours.anonymous / limit, 1),
  ];
}

/** How many times as good as the peer, in all four; recall as the difference from 1. */
function searchVerdicts({ set, recalls, timings }: Measured): readonly Verdict[] {
  return timings
    .filter(({ target }) => target === 'quarry')
    .flatMap((mine) => {
      const theirs = timings.find(
        ({ name, clients, target }) =>
          name === mine.name && clients === mine.clients && target !== mine.target,
      );
      if (theirs === undefined) return [];
      const recall = ({ target, name }: Timing): number => recalls.get(`${target}, ${name}`) ?? 0;
      const faster = (p: number): number => quantile(theirs.times, p) / quantile(mine.times, p);
      const figures: Readonly<Record<string, number>> = {
        "recall above the peer's, + 1": 1 + recall(mine) - recall(theirs),
        "peer's p50, x": faster(0.5),
        "peer's p99, x": faster(0.99),
        "requests/s, x peer's": quantile(mine.rates, 0.5) / quantile(theirs.rates, 0.5),
      };
      return Object.entries(figures).map(([measure, value]) => ({
        set,
        measure: `${mine.name}, ${mine.clients} clients: ${measure}`,
        value,
        target: 1,
        floor: 1,
      }));
    });
}
