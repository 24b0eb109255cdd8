// Results of the vector benchmarks as rows of the lab.
import { expect, test } from 'vitest';
import { reaches } from '../../bench/lab/result.ts';
import { report } from '../../bench/vectors/http-report.ts';
import type { ResultLine } from '../../bench/vectors/native-bench.ts';
import { vectorRows } from '../../bench/vectors/vector-rows.ts';
import { verdictRows } from '../../bench/vectors/verdicts.ts';

const LINES: readonly ResultLine[] = [
  { set: 's', part: 'build', engine: 'quarry', rows: 9, codesSeconds: 1, graphSeconds: 2 },
  { set: 's', part: 'walk', engine: 'hnswlib', beam: 16, recall: 0.97, us: 30 },
  { set: 's', part: 'walk', engine: 'planner', beam: 16, recall: 0.97, us: 10 },
  { set: 's', part: 'walk', engine: 'planner', beam: 800, recall: 1, us: 50, median: 40, hops: 7 },
];

test('what was built, microseconds at a recall, and the work at the default beam', () => {
  const rows = vectorRows(LINES);
  expect(rows.map(({ name }) => name)).toEqual([
    's: build, quarry, 9 rows',
    's: hnswlib',
    's: planner',
    's: walk, planner, 0 rows',
  ]);
  expect(rows[0]?.values).toEqual({ codes: 1, graph: 2 });
  expect(rows[2]?.values).toMatchObject({ 'at 0.97': 10, 'hnswlib / us at 0.97': 3 });
  expect(rows[3]).toMatchObject({
    values: { p50: 40, mean: 50 },
    counters: { recall: 1, hops: 7 },
  });
});

test('the floor is the goal, from the side that the verdict says', () => {
  const verdict = { set: 's', measure: 'm', value: 2, target: 3, floor: 1 };
  const [more, less, none] = verdictRows([
    verdict,
    { ...verdict, lower: true },
    { ...verdict, value: undefined },
  ]);
  expect([more, less, none].map((row) => row && reaches(row))).toEqual([true, false, false]);
});

test('loading and searching over HTTP, ours beside a peer', () => {
  const loaded = {
    seconds: 2,
    mergeSeconds: 1,
    resident: 2 ** 20,
    anonymous: 2 ** 19,
    disk: 2 ** 20,
    quietP99: 10,
    buildingP99: 20,
    searchesBuilding: 5,
  };
  const timing = (target: string, us: number) => {
    return { name: 'all', clients: 1, target, times: [us], rates: [1e6 / us] };
  };
  const { facts, rows } = report({
    set: 's',
    base: { dims: 2, rows: new Float32Array(20), count: 10 },
    loaded: new Map([['quarry', loaded]]),
    recalls: new Map([
      ['quarry, all', 1],
      ['peer, all', 0.9],
    ]),
    timings: [timing('quarry', 100), timing('peer', 200)],
  });
  expect(facts).toEqual(['s, 10 x 2; recall against double precision']);
  const find = (name: string) => rows.find((row) => row.name === name);
  expect(find('loading, quarry')?.values).toEqual({ rate: 5, 'merge s': 1 });
  expect(find('all, 1 clients, quarry')).toMatchObject({
    values: { p50: 100, 'requests/s': 10_000 },
    counters: { recall: 1 },
  });
  expect(find("s: all, 1 clients: peer's p50, x")?.values).toEqual({ value: 2, target: 1 });
  expect(find('s: p99 while building, x quiet')).toMatchObject({ values: { value: 2 } });
});
