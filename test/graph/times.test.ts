// Instants in every notation, and the state of a link at a time.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/backend/index.ts';
import { readTime, stateAt } from '../../src/graph/times.ts';

const NOON = Date.UTC(2026, 0, 31, 12, 0, 0);

describe('readTime', () => {
  test.each<[Json, number]>([
    [NOON, NOON],
    [String(NOON), NOON],
    [`+${NOON}`, NOON],
    ['2026-01-31T12:00:00Z', NOON],
    ['2026-01-31t12:00:00z', NOON],
    ['2026-01-31 12:00:00Z', NOON],
    ['2026-01-31T12:00:00.000Z', NOON],
    ['2026-01-31T12:00:00.0009Z', NOON],
    ['2026-01-31T12:00:00.5Z', NOON + 500],
    ['2026-01-31T14:30:00+02:30', NOON],
    ['2026-01-31T14:30:00 02:30', NOON],
    ['2026-01-31T01:00:00-11:00', NOON],
    ['2026-01-31T12:00:00-00:00', NOON],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
    ['1969-12-31T23:59:59Z', -1000],
    ['0001-01-01T00:00:00Z', -62135596800000],
    [-1, -1],
    ['-1', -1],
    [0, 0],
    [8.64e15, 8.64e15],
  ])('%j is %d', (value, ms) => {
    expect(readTime(value, 'as_of')).toBe(ms);
  });

  test.each<[Json]>([
    ['yesterday'],
    [''],
    ['2026-01-31'],
    ['2026-01-31T12:00:00'],
    ['2026-13-01T00:00:00Z'],
    ['2026-02-30T00:00:00Z'],
    ['2026-01-31T24:00:00Z'],
    ['2026-01-31T12:60:00Z'],
    ['2026-01-31T12:00:61Z'],
    ['2026-01-31T12:00:00+24:00'],
    ['2026-01-31T12:00:00+02:60'],
    ['2026-01-31T12:00:00+2'],
    ['12.5'],
    ['1e3'],
    [1.5],
    [8.64e15 + 1],
    [10n ** 20n],
    ['99999999999999999999'],
    [true],
    [null],
    [{}],
    [[1]],
  ])('%s is refused with its field and value', (value) => {
    expect(() => readTime(value, 'as_of')).toThrow(/\[as_of\] .*\[/);
  });
});

describe('stateAt', () => {
  const link = { valid_at: 100, invalid_at: 200, created_at: 110, expired_at: 250 };
  test.each([
    ['before it began', 99, null, 'future'],
    ['from valid_at on', 100, null, 'live'],
    ['until the last instant', 199, null, 'live'],
    ['from invalid_at on', 200, null, 'retired'],
    ['before anybody had heard of it', 150, 109, undefined],
    ['from created_at on', 150, 110, 'live'],
    ['over, which nobody knows yet', 220, 249, 'live'],
    ['over, as is known', 220, 250, 'retired'],
  ])('%s', (_label, at, system, state) => {
    expect(stateAt(link, { world: at, system })).toBe(state);
  });

  test('a link without times is live', () => {
    const none = { valid_at: null, invalid_at: null, created_at: null, expired_at: null };
    expect(stateAt(none, { world: 0, system: 0 })).toBe('live');
  });
});
