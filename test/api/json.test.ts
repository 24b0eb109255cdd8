// JSON of requests and responses: numbers, depth, hostile keys, and the digits of scores.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, parseObject, toJson } from '../../src/api/kit/json.ts';
import { scoreText } from '../../src/api/kit/score-text.ts';
import { encode } from './fake-backend.ts';

const read = (text: string): unknown => parseJson(encode(text));

describe('numbers', () => {
  test.each([
    ['1', 1],
    ['-0', -0],
    ['1.50', 1.5],
    ['1e3', 1000],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992],
    ['9007199254740993', 9007199254740993n],
    ['-123456789012345678901234567890', -123456789012345678901234567890n],
    ['999999999999999', 999999999999999],
    ['0.12345678901234567890', 0.12345678901234568],
    ['-9007199254740993.5', -9007199254740994],
    ['9007199254740993e0', 9007199254740992],
    ['1e400', Number.POSITIVE_INFINITY],
  ])('%s', (text, value) => {
    expect(read(text)).toBe(value);
  });

  test('a long one beside a vector', () => {
    expect(read('{"id":9007199254740993,"v":[0.25,-1e-3,7]}')).toEqual({
      id: 9007199254740993n,
      v: [0.25, -0.001, 7],
    });
  });
});

describe('refused', () => {
  test.each([
    ['{"a":1,}', 'not valid JSON'],
    ['{"a":1} {"b":2}', 'not valid JSON'],
    ['{"a":1,"a":2}', 'Duplicate key'],
    ['[{"b":[{"a":1}]},{"x":{"a":1,"\\u0061":2}}]', 'Duplicate key'],
    ['1.2.3', 'not valid JSON'],
    ['1-2', 'not valid JSON'],
    ["{'a':1}", 'not valid JSON'],
    ['{"a":NaN}', 'not valid JSON'],
    ['{"a":01}', 'not valid JSON'],
    ['{"a":"\u0001"}', 'not valid JSON'],
    ['', 'not valid JSON'],
    ['['.repeat(101), 'deeper than 100 levels'],
    ['{"a":'.repeat(100_000), 'deeper than 100 levels'],
  ])('%s', (text, reason) => {
    expect(() => read(text)).toThrow(reason);
  });

  test('bytes that are no UTF-8', () => {
    expect(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow('not valid UTF-8');
  });

  test.each([
    ['[]', 'an array'],
    ['null', 'null'],
    ['"x"', 'a string'],
    ['1', 'a number'],
  ])('%s where an object has to be', (text, kind) => {
    expect(() => parseObject(encode(text))).toThrow(`must be a JSON object, not ${kind}`);
  });
});

describe('accepted', () => {
  test('a hundred levels', () => {
    expect(toJson(read('['.repeat(100) + ']'.repeat(100)))).toBe('['.repeat(100) + ']'.repeat(100));
  });

  test('brackets in strings are no levels', () => {
    expect(read(`"${'['.repeat(500)}\\"${'{'.repeat(500)}"`)).toHaveLength(1001);
  });

  test('a key that comes twice with one value', () => {
    expect(read('{"a":{"b":1},"a":{"b":1}}')).toEqual({ a: { b: 1 } });
  });

  test('keys and colons in strings', () => {
    expect(read('{"a:b":"c:\\"d:e","":[":",{"x":":"}]}')).toEqual({
      'a:b': 'c:"d:e',
      '': [':', { x: ':' }],
    });
  });

  test('a byte order mark', () => {
    expect(parseJson(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))).toBe(1);
  });

  test('__proto__ is a key like any other', () => {
    const value = parseObject(encode('{"__proto__":{"query":1},"constructor":2,"toString":3}'));
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(value['query']).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['query']).toBeUndefined();
    expect(toJson(value)).toBe('{"__proto__":{"query":1},"constructor":2,"toString":3}');
  });
});

test('what the platform parses is read the same', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      expect(read(text)).toEqual(JSON.parse(text));
    }),
  );
});

describe('scores', () => {
  test.each([
    [null, 'null'],
    [Number.NaN, 'null'],
    [1, '1.0'],
    [0, '0.0'],
    [-2, '-2.0'],
    [0.5, '0.5'],
    [Math.fround(0.1), '0.1'],
    [Math.fround(1.2039728), '1.2039728'],
    [Math.fround(13.815511), '13.815511'],
    [Math.fround(16777216.5), '16777216.0'],
    [Math.fround(3.4e38), '3.4e+38'],
    [Math.fround(1e-7), '1e-7'],
  ])('%s is printed as %s', (score, text) => {
    expect(scoreText(score)).toBe(text);
  });

  test('read back to the same float', () => {
    for (let bits = 1; bits < 0x7f80_0000; bits += 0x0012_3457) {
      const score = new Float32Array(Uint32Array.of(bits).buffer)[0] ?? 0;
      expect(Math.fround(Number(scoreText(score)))).toBe(score);
    }
  });
});
