// Filters on times in metadata: clauses that compare times, and clauses that cannot.
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/backend/index.ts';
import { withMoments } from '../../src/memory/metadata-times.ts';

const TIME = { type: 'keyword', fields: { moment: { type: 'date' } } };
const MAPPINGS: JsonObject = {
  properties: {
    text: { type: 'semantic_text' },
    metadata: {
      properties: {
        at: TIME,
        trip: { properties: { start: TIME } },
        note: { type: 'keyword' },
        price: { type: 'double' },
      },
    },
  },
};
const range = (name: string, bounds: JsonObject): JsonObject => ({ range: { [name]: bounds } });
const rewritten = (filter: JsonObject): JsonObject => withMoments(filter, MAPPINGS);

describe('a range on a member that holds times', () => {
  test.each<[string, JsonObject]>([
    ['an instant', { gte: '2025-07-25T00:00:00Z' }],
    ['an instant with an offset', { lt: '2025-07-24T19:00:00-07:00' }],
    ['a day', { gt: '2025-07-25', lte: '2025-07-26' }],
    ['a month', { gte: '2025-07' }],
    ['date math from now', { gte: 'now-1h', lt: 'now' }],
    ['date math from a day', { gte: '2025-07-25||-1d/d' }],
    ['epoch milliseconds', { gte: 1_753_401_600_000 }],
  ])('compares moments with %s', (_what, bounds) => {
    expect(rewritten(range('metadata.at', bounds))).toEqual(range('metadata.at.moment', bounds));
  });

  test('keeps its other options, and its place below objects', () => {
    const bounds = { gte: '2025-07-25', time_zone: '+01:00', boost: 2 };
    const nested = range('metadata.trip.start', bounds);
    expect(rewritten(nested)).toEqual(range('metadata.trip.start.moment', bounds));
  });

  test('compares texts with what is no time', () => {
    const filter = range('metadata.at', { gte: 'a', lt: 'b' });
    expect(rewritten(filter)).toEqual(filter);
  });
});

test('is found in every clause that holds others', () => {
  const inner = range('metadata.at', { gte: 'now-1h' });
  const moved = range('metadata.at.moment', { gte: 'now-1h' });
  const holding = (clause: Json): JsonObject => ({
    bool: {
      filter: [clause, { constant_score: { filter: clause } }],
      must_not: clause,
      should: [
        { function_score: { query: clause, functions: [{ filter: clause, weight: 2 }] } },
        { dis_max: { queries: [clause] } },
        { boosting: { positive: clause, negative: clause, negative_boost: 0.5 } },
      ],
    },
  });
  expect(rewritten(holding(inner))).toEqual(holding(moved));
});

test('instants are equal whatever their offsets; other texts are compared as texts', () => {
  expect(rewritten({ term: { 'metadata.at': '2025-07-25T00:00:00Z' } })).toEqual({
    term: { 'metadata.at.moment': '2025-07-25T00:00:00Z' },
  });
  expect(rewritten({ term: { 'metadata.at': { value: '2025-07-25T02:00:00+02:00' } } })).toEqual({
    term: { 'metadata.at.moment': { value: '2025-07-25T02:00:00+02:00' } },
  });
  for (const filter of [
    { term: { 'metadata.at': '2025-07-25' } },
    { terms: { 'metadata.at': ['2025-07-25T00:00:00Z', 'tomorrow'] } },
    { term: { range: 'now-1h' } },
    { match: { 'metadata.at': 'now-1h' } },
    { exists: { field: 'metadata.at' } },
  ])
    expect(rewritten(filter)).toEqual(filter);
});

describe('a time that cannot be compared is refused with the reason', () => {
  test.each([
    ['now-1h', 'note', 'holds text: its first value was no date'],
    ['2025-07-25T00:00:00Z', 'note', 'holds text: its first value was no date'],
    ['now', 'price', 'holds values of type [double]'],
  ])('%s with metadata.%s', (time, name, reason) => {
    expect(() => rewritten(range(`metadata.${name}`, { gte: time }))).toThrow(reason);
  });

  test('other bounds, other fields and absent members are as they were', () => {
    for (const filter of [
      range('metadata.note', { gte: 'a' }),
      range('metadata.price', { gte: 5 }),
      range('metadata.absent', { gte: 'now-1h' }),
      range('stored_at', { gte: 'now-1h' }),
    ])
      expect(rewritten(filter)).toEqual(filter);
  });
});
