// The significance heuristics with a background that excludes found documents: values of
// Elasticsearch 8.19.
import { expect, test } from 'vitest';
import { AggParams } from '../../../src/query/aggs/params.ts';
import { HEURISTICS } from '../../../src/query/aggs/significance.ts';
import { refusal } from '../compile.ts';

function scoreOf(name: string, options: object, found: number, behind: number): number {
  const heuristic = HEURISTICS[name]?.(new AggParams(name, { ...options }, 's'));
  return heuristic?.(found, 8, behind, 20) ?? Number.NaN;
}

const APART = { background_is_superset: false };
const BOTH = { ...APART, include_negatives: true };

test.each([
  ['jlh', {}, 0, 1],
  ['jlh', {}, 4, 0.062499999999999986],
  ['percentage', {}, 0, 0],
  ['percentage', {}, 4, 0.5],
  ['chi_square', APART, 0, 5.384615384615385],
  ['chi_square', APART, 4, 0.08484848484848485],
  ['chi_square', BOTH, 9, 0.9582887700534759],
  ['mutual_information', APART, 0, 0.1394385767954091],
  ['mutual_information', BOTH, 9, 0.025700272711344552],
  ['gnd', APART, 0, 0.5913784743125692],
  ['gnd', APART, 4, 0.4065976836674636],
  ['gnd', APART, 9, 0.2564579369010031],
])('%s %j of 2 found documents with the term and %i behind them', (name, options, behind, score) => {
  expect(scoreOf(name, options, 2, behind)).toBeCloseTo(score, 12);
});

test.each([
  'chi_square',
  'mutual_information',
  'gnd',
])('%s refuses a background that is said to hold what was found and does not', (name) => {
  expect(refusal(() => scoreOf(name, {}, 2, 1))).toContain('[background_is_superset] to [false]');
  expect(scoreOf(name, {}, 2, 2)).toBeGreaterThan(0);
});
