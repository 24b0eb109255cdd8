// Shapes of plans: alike for the same query with other values of about the same length, different for
// other queries.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { withTime } from '../../src/wire/plan-copies.ts';
import { planShape } from '../../src/wire/plan-shape.ts';
import { compile } from '../query/compile.ts';

const shape = (body: JsonObject): number => planShape(compile(body).plan);
const match = (text: string, more: JsonObject = {}): JsonObject => ({
  query: { match: { title: text } },
  ...more,
});

describe('plans', () => {
  test('of the same query with other values are alike', () => {
    expect(shape(match('grey cats'))).toBe(shape(match('blue dogs')));
    const { plan } = compile(match('grey'));
    expect(planShape(withTime(plan, 12_345_678))).toBe(planShape(plan));
  });

  test.each<[string, JsonObject]>([
    ['another clause', { query: { term: { title: 'grey cats' } } }],
    ['many more words', match('grey cats and black dogs '.repeat(20))],
    ['a larger page', match('grey cats', { size: 1000 })],
    ['an order', match('grey cats', { sort: ['n'] })],
    ['aggregations', match('grey cats', { aggs: { n: { sum: { field: 'n' } } } })],
  ])('with %s are not', (_name, body) => {
    expect(shape(body)).not.toBe(shape(match('grey cats')));
  });

  test('that are no plans have a shape as well', () => {
    expect(planShape(new Uint8Array(64))).not.toBe(planShape(new Uint8Array(80).fill(7)));
  });
});
