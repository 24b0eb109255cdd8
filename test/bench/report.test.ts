// Results of suites as plain text, as cells and as a page.
import { expect, test } from 'vitest';
import { toChart } from '../../bench/lab/chart.ts';
import { cellsOf, figure, missedGoals } from '../../bench/lab/print.ts';
import { toTable } from '../../bench/lab/report.ts';
import { type Row, reaches, tablesOf } from '../../bench/lab/result.ts';
import { readWork, workBetween } from '../../bench/lab/work.ts';

const ROW: Row = {
  name: 'a <b>',
  unit: 'ms',
  values: { p50: 1.234, p99: 123.4 },
  counters: { scored: 7 },
  goal: { value: 'p99', target: 100, lower: true },
};

test('neighbours of one unit are one table, columns are those of all rows', () => {
  const other: Row = { name: 'c', unit: 'ms', values: { p50: 2, most: 9 } };
  const rate: Row = { name: 'd', unit: 'documents/s', values: { rate: 5 } };
  expect(tablesOf([ROW, other, rate]).map((rows) => rows.length)).toEqual([2, 1]);
  expect(cellsOf([ROW, other])).toEqual([
    ['ms', 'p50', 'p99', 'most', 'scored', 'goal'],
    ['a <b>', '1.23', '123', '-', '7', 'p99 <= 100: MISSED'],
    ['c', '2', '-', '9', '-', ''],
  ]);
});

test('goals are met from either side, and missed by what was not measured', () => {
  const goal = { value: 'x', target: 3, lower: false };
  const of = (x: number | undefined): Row => ({ name: 'n', unit: 'u', values: { x }, goal });
  expect([2, 3, 4, undefined].map((x) => reaches(of(x)))).toEqual([false, true, true, false]);
  expect(reaches({ name: 'n', unit: 'u', values: {} })).toBeUndefined();
  const runs = [{ suite: 's', seconds: 1, load: 0, facts: [], rows: [ROW] }];
  expect(missedGoals(runs)).toEqual(['s, a <b>: 123, p99 <= 100: MISSED']);
});

test.each([
  [0, '0'],
  [0.012345, '0.0123'],
  [3.24159, '3.24'],
  [32.4159, '32.4'],
  [3241.59, '3242'],
  [undefined, '-'],
  [Number.NaN, '-'],
])('%s is shown as %s', (value, shown) => {
  expect(figure(value)).toBe(shown);
});

test('names are escaped, in tables and in drawings', () => {
  expect(toTable(cellsOf([ROW]))).toContain('<td>a &lt;b&gt;</td>');
  expect(toChart([ROW])).toContain('a &lt;b&gt;</text>');
});

test('bars are as long as their values, by logarithms where those lie far apart', () => {
  const bar = (values: Row['values']): readonly number[] => {
    const drawn = toChart([{ name: 'n', unit: 'ms', values }]);
    return [...drawn.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width));
  };
  const [half = 0, whole = 0] = bar({ a: 5, b: 10 });
  expect(half / whole).toBeCloseTo(0.5, 2);
  const [small = 0, large = 0] = bar({ a: 1, b: 10_000 });
  expect(small / large).toBeGreaterThan(0.05);
});

test('work is the difference of two scrapes for one request, labels added up, NaN if there are none', () => {
  const scrape = (a: number, b: number): string =>
    `quarry_search_vector_distances_total{codes="sketch"} ${a}\nquarry_search_vector_distances_total{codes="int8"} ${b}\nquarry_search_blocks_decoded_total 4`;
  const work = workBetween(readWork(scrape(10, 1)), readWork(scrape(30, 3)), 2);
  expect(work).toMatchObject({ distances: 11, hops: Number.NaN });
  expect(work).not.toHaveProperty('blocks');
});
