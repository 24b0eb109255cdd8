// JSON of the engine, read by two parsers: neither loses digits.
import { expect, test } from 'vitest';
import { jsonText, parseJson } from '../../src/coordinator/catalog/json-text.ts';

test.each([
  ['{"a":9007199254740991,"b":[1.5,null,true,"x"]}', { a: 2 ** 53 - 1, b: [1.5, null, true, 'x'] }],
  ['{"a":9007199254740993}', { a: 9007199254740993n }],
  ['{"a":-12345678901234567890,"b":1}', { a: -12345678901234567890n, b: 1 }],
  ['{"digits":"1234567890123456789","n":7}', { digits: '1234567890123456789', n: 7 }],
  ['{"a":0.1234567890123456789}', { a: Number('0.1234567890123456789') }],
  ['[]', []],
])('%s', (text, value) => {
  expect(parseJson(text)).toEqual(value);
  expect(parseJson(jsonText(value))).toEqual(value);
});
