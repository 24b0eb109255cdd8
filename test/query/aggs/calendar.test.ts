// Calendar keys and strings, which the core computes.
import { expect, test } from 'vitest';
import { loadAddon, NativeErrors } from '../../../src/native/addon.ts';
import { Calendar, type DateTable, type Rounding } from '../../../src/query/aggs/calendar.ts';

const addon = loadAddon();
const ask: DateTable = new NativeErrors(addon).converting((request) => addon.dateTable(request));
const LIMIT = 1000;

const rounding = (unit: Rounding['unit'], more: Partial<Rounding> = {}): Rounding => ({
  unit,
  fixedMs: 0,
  timeZone: '',
  offsetMs: 0,
  ...more,
});

function keys(requested: Rounding, first: string, last: string): readonly string[] {
  const found = new Calendar(ask).sequence(requested, Date.parse(first), Date.parse(last), LIMIT);
  return found.map((ms) => new Date(ms).toISOString());
}

test('the keys between two', () => {
  expect(keys(rounding('quarter'), '2023-10-01', '2024-04-01')).toEqual([
    '2023-10-01T00:00:00.000Z',
    '2024-01-01T00:00:00.000Z',
    '2024-04-01T00:00:00.000Z',
  ]);
  const berlin = rounding('month', { timeZone: 'Europe/Berlin' });
  expect(keys(berlin, '2024-02-29T23:00Z', '2024-03-31T22:00Z')).toEqual([
    '2024-02-29T23:00:00.000Z',
    '2024-03-31T22:00:00.000Z',
  ]);
});

test('months, quarters and years in UTC are those of the core', () => {
  const ends = { month: '2031-05-01', quarter: '2031-04-01', year: '2031-01-01' };
  for (const [unit, last] of Object.entries(ends) as [Rounding['unit'], string][]) {
    for (const first of ['0099-01-01', '0100-01-01', '1899-01-01', '2024-01-01']) {
      const [from, to] = [Date.parse(first), Date.parse(last)];
      const calendar = new Calendar(ask);
      const known = calendar.sequence(rounding(unit), from, to, 65_536);
      // A zone that the reducer does not know as UTC.
      const computed = calendar.sequence(rounding(unit, { timeZone: 'Etc/UTC' }), from, to, 65_536);
      expect(known).toEqual(computed);
    }
  }
});

test('more keys than the limit are refused with the limit', () => {
  expect(() => keys(rounding('month'), '1900-01-01', '2000-01-01')).toThrow(
    expect.objectContaining({
      causedBy: expect.objectContaining({
        type: 'too_many_buckets_exception',
        max_buckets: LIMIT,
      }),
    }),
  );
});

test('timestamps are rounded down', () => {
  const day = rounding('day', { timeZone: 'America/New_York' });
  const moments = ['2024-03-10T04:59Z', '2024-03-10T05:00Z', '2024-03-11T03:59Z'];
  expect(
    new Calendar(ask)
      .round(
        day,
        moments.map((text) => Date.parse(text)),
      )
      .map((ms) => new Date(ms).toISOString().slice(0, 16)),
  ).toEqual(['2024-03-09T05:00', '2024-03-10T05:00', '2024-03-10T05:00']);
});

test('a string is asked for once for each format and zone, and not where Date prints it', () => {
  let requests = 0;
  const calendar = new Calendar((request) => {
    requests += 1;
    return ask(request);
  });
  const noon = Date.UTC(2024, 6, 1, 12);
  for (let time = 0; time < 2; time++) {
    expect(calendar.text(noon, 'yyyy-MM-dd HH', 'Asia/Tokyo')).toBe('2024-07-01 21');
    expect(calendar.text(noon, 'yyyy-MM-dd HH', '')).toBe('2024-07-01 12');
    expect(calendar.text(noon + 1, 'yyyy', '')).toBe('2024');
    expect(calendar.text(noon, '', '')).toBe('2024-07-01T12:00:00.000Z');
  }
  expect(requests).toBe(3);
  calendar.prepare([noon, noon + 1, noon + 2], 'yyyy', '');
  calendar.prepare([noon, noon + 2], 'yyyy', '');
  expect(calendar.text(noon + 2, 'yyyy', '')).toBe('2024');
  calendar.prepare([noon], '', '');
  expect(requests).toBe(4);
});

test('a string that its format cannot read again is refused where it has to be exact', () => {
  const calendar = new Calendar(ask);
  const noon = Date.UTC(2024, 6, 1, 12);
  expect(calendar.text(noon, 'yyyy', '')).toBe('2024');
  expect(() => calendar.exactText(noon, 'yyyy', '')).toThrow('created output it couldn');
});
