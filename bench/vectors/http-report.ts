// Reports the cost of loading and searching over HTTP, compared with the peer, and lists the
// losses.
import type { Row, SuiteResult } from '../lab/result.ts';
import { quantile } from '../tools/figures.ts';
import type { Embeddings } from './embeddings.ts';
import type { Loaded } from './http-load.ts';
import type { Timing } from './http-search.ts';
import { type Verdict, verdictRows } from './verdicts.ts';

const MIB = 1024 * 1024;
/** Limit on the size of codes, bounds and links, relative to rows and lengths in float32. */
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

export function report(measured: Measured): SuiteResult {
  const { set, base, loaded, recalls, timings } = measured;
  const searches = timings.map((timing): Row => {
    const recall = recalls.get(`${timing.target}, ${timing.name}`);
    const [p50, p99] = [quantile(timing.times, 0.5), quantile(timing.times, 0.99)];
    return {
      name: `${timing.name}, ${timing.clients} clients, ${timing.target}`,
      unit: 'us',
      values: { p50, p99, 'requests/s': quantile(timing.rates, 0.5) },
      counters: { recall },
    };
  });
  const verdicts = verdictRows([...ownVerdicts(measured), ...searchVerdicts(measured)]);
  return {
    facts: [`${set}, ${base.count} x ${base.dims}; recall against double precision`],
    rows: [...loadRows(base, loaded), ...searches, ...verdicts],
  };
}

function loadRows(base: Embeddings, loaded: ReadonlyMap<string, Loaded>): readonly Row[] {
  return [...loaded].flatMap(([name, figures]): readonly Row[] => [
    {
      name: `loading, ${name}`,
      unit: 'documents/s',
      values: { rate: base.count / figures.seconds, 'merge s': figures.mergeSeconds },
    },
    {
      name: `while loading, ${name}`,
      unit: 'MiB',
      values: {
        peak: figures.resident / MIB,
        'without files': figures.anonymous / MIB,
        disk: figures.disk / MIB,
      },
    },
    {
      name: `search while building, ${name}`,
      unit: 'us',
      values: { 'p99 quiet': figures.quietP99, 'p99 building': figures.buildingP99 },
      counters: { searches: figures.searchesBuilding },
    },
  ]);
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

/** The ratio to the peer in all four measures; for recall the difference plus 1. */
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
