// The printer of values in messages is lossless, short and cheap for any content of a request.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../src/api/kit/json.ts';
import { plainJson, printValue, quote } from '../src/base/json-text.ts';

const read = (text: string): unknown => parseJson(Buffer.from(text));

describe('a value in a message', () => {
  test.each([
    ['9223372036854775808', '9223372036854775808'],
    ['18446744073709551616', '18446744073709551616'],
    ['1e400', 'Infinity'],
    ['-1e400', '-Infinity'],
    ['null', 'null'],
    ['true', 'true'],
    ['"a\\"b"', '"a\\"b"'],
    ['[1,9007199254740993,[]]', '[1,9007199254740993,[]]'],
    ['{"a":{"b":9007199254740993},"c":[]}', '{"a":{"b":9007199254740993},"c":[]}'],
    ['{"params":{"a":2.0}}', '{"params":{"a":2.0}}'],
    ['{"toString":1,"valueOf":null}', '{"toString":1,"valueOf":null}'],
  ])('%s is printed as %s', (text, printed) => {
    expect(printValue(read(text))).toBe(printed);
  });

  test('is cut behind 200 characters', () => {
    expect(printValue('a'.repeat(300))).toBe(`"${'a'.repeat(199)}…`);
    expect(printValue('a'.repeat(198))).toBe(`"${'a'.repeat(198)}"`);
  });

  test('is not cut within a letter of two code units', () => {
    expect(printValue(`b${'😀'.repeat(200)}`)).toMatch(/^"b(?:😀)+…$/u);
  });

  test('is printed without a look at what is cut away', () => {
    const looked: number[] = [];
    const list = Array.from({ length: 100_000 }, (_, at) => ({
      get member(): number {
        looked.push(at);
        return at;
      },
    }));
    expect(printValue(list)).toHaveLength(201);
    expect(looked.length).toBeLessThan(200);
  });

  test('is its JSON, or the beginning of that', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const whole = JSON.stringify(value);
        const printed = printValue(JSON.parse(whole));
        if (whole.length <= 200) expect(printed).toBe(whole);
        else expect(whole.startsWith(printed.slice(0, -1))).toBe(true);
      }),
    );
  });
});

test('the whole JSON of a value keeps the digits of bigints', () => {
  expect(plainJson({ a: [9007199254740993n], b: 'c' })).toBe('{"a":[9007199254740993],"b":"c"}');
  expect(plainJson(undefined)).toBe('null');
});

test('a lone surrogate is escaped in a quoted text', () => {
  expect(quote('\ud800"')).toBe('"\\ud800\\""');
});

test('a number of more than 1,000 digits is refused before it is made', () => {
  expect(read(`{"a":${'9'.repeat(1000)}}`)).toEqual({ a: BigInt('9'.repeat(1000)) });
  const refused = { type: 'x_content_parse_exception', message: expect.stringContaining('[1001]') };
  expect(() => read(`{"a":${'9'.repeat(1001)}}`)).toThrow(expect.objectContaining(refused));
});
