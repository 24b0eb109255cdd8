// Scripts over documents: the parsed request, and null values.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/backend/index.ts';
import { readScript } from '../../../src/query/script/request.ts';
import { refusal } from '../compile.ts';

const painless = (source: string, params: Json = {}) =>
  readScript('script_score', { source, params }).expression;
const expression = (source: string, params: Json = {}) =>
  readScript('script_score', { source, lang: 'expression', params }).expression;

describe('null in a script over documents', () => {
  test('is known beforehand where it is compared', () => {
    expect(painless("doc['n'].value == null ? 0 : _score")).toEqual(painless('_score'));
    expect(painless('params.a == null ? 1 : 2')).toEqual(painless('1'));
    expect(painless('params.a != null ? params.a : 2', { a: 5 })).toEqual(painless('5'));
    expect(painless('params.a ?: 3', { a: null })).toEqual(painless('3'));
  });

  test('is refused as a value', () => {
    const reason = (source: string) => refusal(() => painless(source));
    expect(reason("doc['n'].size() == 0 ? null : 1")).toContain('[null] is no value');
    expect(reason('params.a + 1')).toContain('unknown parameter [params.a]');
    expect(reason('params.a.b')).toContain('unknown parameter [params.a]');
  });
});

describe('the language [expression] over documents', () => {
  test('names fields, their numbers, and parameters without a prefix', () => {
    expect(expression("doc['n']")).toEqual({ kind: 'doc', field: 'n', what: 'value' });
    expect(expression("doc['n'].sum()")).toEqual({ kind: 'doc', field: 'n', what: 'sum' });
    expect(expression("doc['n'].count()")).toEqual({ kind: 'doc', field: 'n', what: 'size' });
    expect(expression('factor', { factor: 2 })).toEqual({ kind: 'number', value: 2, whole: false });
    expect(expression('ln(_score)')).toEqual({
      kind: 'call',
      object: '',
      method: 'ln',
      args: [{ kind: 'name', name: '_score' }],
    });
  });

  test.each([
    ["doc['d'].date.year", 'year'],
    ["doc['d'].date.getYear()", 'year'],
    ["doc['d'].date.getWeekOfWeekyear()", 'weekOfWeekyear'],
    ["doc['d'].date.monthOfYear", 'monthOfYear'],
    ["doc['d'].getMonth()", 'month'],
    ["doc['d'].getMinutes()", 'minuteOfHour'],
  ])('%s is a part of a date', (source, part) => {
    expect(expression(source)).toEqual({ kind: 'date', field: 'd', part });
  });

  test('binds bits as JavaScript does', () => {
    expect(expression("doc['n'] & 4 == 4")).toEqual(expression("doc['n'] & (4 == 4)"));
    expect(expression('1 | 2 ^ 3 & 4 << 5 + 6')).toEqual(
      expression('1 | (2 ^ (3 & (4 << (5 + 6))))'),
    );
    expect(expression('1 < 2 == 0')).toEqual(expression('(1 < 2) == 0'));
    expect(expression('~1 >>> 2')).toEqual(expression('(~1) >>> 2'));
  });

  test('refuses what it has not', () => {
    const reason = (source: string) => refusal(() => expression(source));
    expect(reason("doc['n'].mode()")).toContain(
      'there are [value, empty, length, date, getValue()',
    );
    expect(reason("doc['p'].lat")).toContain('keep latitude and longitude in fields');
    expect(reason("doc['d'].date.month")).toContain('there are [centuryOfEra, dayOfMonth');
    expect(reason("doc['d'].getLength()")).toContain("unknown [doc['d'].getLength()]");
    expect(reason("cosineSimilarity(params.v, 'v')")).toContain('unknown variable');
    expect(reason('null')).toContain('unknown variable [null]');
  });
});
