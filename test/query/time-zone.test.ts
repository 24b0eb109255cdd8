// Names of time zones, which are rejected while a body is parsed.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { checkTimeZone } from '../../src/query/time-zone.ts';
import { compile, refusal } from './compile.ts';

test.each([
  'Z',
  'UTC',
  'GMT',
  'UT',
  'UTC+2',
  'GMT-03:00',
  '+2',
  '+02',
  '+0200',
  '-02:30',
  '+02:00:30',
  '+18:00',
  'CET',
  'EST5EDT',
  'Europe/Berlin',
  'America/Argentina/Buenos_Aires',
  'Etc/GMT+5',
])('%s', (name) => {
  expect(checkTimeZone(name)).toBe(name);
});

const WRONG = ['', '2', '+19:00', '+18:01', '+2:00', '+02:60', 'utc', 'europe/berlin', 'Nowhere/X'];
const NOT_IN_JAVA = ['EST', 'MST', 'HST', 'ROC'];

test.each([...WRONG, ...NOT_IN_JAVA, 'true', '../UTC', 'Europe/Berlin '])('not [%s]', (name) => {
  expect(refusal(() => checkTimeZone(name))).toBe(
    `illegal_argument_exception: Unknown time-zone ID: [${name}]`,
  );
});

const time_zone = 'Nowhere/X';
const date = { field: 'd', calendar_interval: 'day', time_zone };
const aggs = (type: string, body: JsonObject): JsonObject => ({ aggs: { a: { [type]: body } } });
test.each<[string, JsonObject]>([
  ['query_string', { query: { query_string: { query: 'word', time_zone } } }],
  ['range', { query: { range: { n: { gte: 1, time_zone } } } }],
  ['date_histogram', aggs('date_histogram', date)],
  ['auto_date_histogram', aggs('auto_date_histogram', { field: 'd', time_zone })],
  ['date_range', aggs('date_range', { field: 'd', ranges: [{ to: 'now' }], time_zone })],
  ['composite', aggs('composite', { sources: [{ s: { date_histogram: date } }] })],
])('of %s, whatever is in it', (_, body) => {
  expect(refusal(() => compile(body))).toBe(
    'illegal_argument_exception: Unknown time-zone ID: [Nowhere/X]',
  );
});
