// Which calendar keys are computed without the core, and which are requested from it.
import { expect, test } from 'vitest';
import { Calendar, type Rounding } from '../../../src/query/aggs/calendar.ts';

const rounding = (unit: Rounding['unit'], more: Partial<Rounding> = {}): Rounding => ({
  unit,
  fixedMs: 0,
  timeZone: '',
  offsetMs: 0,
  ...more,
});
const LIMIT = 1000;

function keys(unit: Rounding['unit'], first: string, last: string): readonly string[] {
  const calendar = new Calendar();
  const found = calendar.sequence(rounding(unit), Date.parse(first), Date.parse(last), LIMIT);
  expect(calendar.isWaiting).toBe(false);
  return found.map((ms) => new Date(ms).toISOString().slice(0, 10));
}

test('months, quarters and years in UTC', () => {
  expect(keys('month', '2023-11-01', '2024-03-01')).toEqual([
    '2023-11-01',
    '2023-12-01',
    '2024-01-01',
    '2024-02-01',
    '2024-03-01',
  ]);
  expect(keys('quarter', '2023-10-01', '2024-04-01')).toEqual([
    '2023-10-01',
    '2024-01-01',
    '2024-04-01',
  ]);
  expect(keys('year', '1969-01-01', '1971-01-01')).toEqual([
    '1969-01-01',
    '1970-01-01',
    '1971-01-01',
  ]);
  expect(keys('month', '2024-02-01', '2024-02-01')).toEqual(['2024-02-01']);
  expect(keys('year', '0050-01-01', '0052-01-01')).toEqual([
    '0050-01-01',
    '0051-01-01',
    '0052-01-01',
  ]);
});

test.each<[string, Rounding, string, string]>([
  ['a zone', rounding('month', { timeZone: 'Europe/Berlin' }), '2024-01-01', '2024-03-01'],
  ['an offset', rounding('month', { offsetMs: 3_600_000 }), '2024-01-01', '2024-03-01'],
  ['weeks', rounding('week'), '2024-01-01', '2024-03-04'],
  ['years without four digits', rounding('year'), '-000002-01-01', '0001-01-01'],
  ['more than the limit, which it refuses', rounding('month'), '1900-01-01', '2000-01-01'],
])('the core is asked for %s', (_name, requested, first, last) => {
  const calendar = new Calendar();
  expect(calendar.sequence(requested, Date.parse(first), Date.parse(last), LIMIT)).toEqual([]);
  expect(calendar.isWaiting).toBe(true);
});
