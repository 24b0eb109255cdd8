// JSON of the catalog: printed values are parsed to the same values.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../src/api/kit/json.ts';
import type { Json, JsonObject } from '../src/backend/index.ts';
import { parseExact, printExact } from '../src/base/exact-json.ts';
import { isSpelledDouble } from '../src/base/spelled-doubles.ts';
import { textOf } from '../src/coordinator/catalog/shared-parts.ts';

const leaf = fc.oneof(
  fc.double({ noNaN: true }),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }).filter((n) => BigInt(Number(n)) !== n),
  fc.constantFrom(-0, 1e20, 2 ** 53, 2 ** 63, Number.POSITIVE_INFINITY, null, true, 7),
  fc.constantFrom('\ud800', '"\\\n', '__proto__', '12345678901234567890'),
  fc.string({ unit: 'grapheme' }),
);
const key = fc.oneof(fc.constantFrom('__proto__', 'constructor', '', 'params'), fc.string());
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf as fc.Arbitrary<Json>,
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(key, tie('value')), { maxLength: 4 })
      .map((members) => Object.fromEntries(members) as JsonObject),
  ),
}));

describe('a value', () => {
  test('is read as it was printed', () => {
    fc.assert(
      fc.property(value, (given) => {
        const text = printExact(given);
        const again = parseExact(text);
        expect(again).toEqual(given);
        expect(printExact(again)).toBe(text);
        expect(textOf(parseExact(text))).toBe(textOf(again));
      }),
      { numRuns: 1000 },
    );
  });

  test('of a request that spells a fraction keeps it', () => {
    const text = '{"script":{"params":{"a":2.0,"b":[1e3,-0.0,2],"c":1e22,"d":2.5},"n":2.0}}';
    const read = parseJson(Buffer.from(text)) as JsonObject;
    const printed = printExact(read);
    expect(printed).toBe(
      '{"script":{"params":{"a":2.0,"b":[1000.0,-0.0,2],"c":1e+22,"d":2.5},"n":2.0}}',
    );
    const again = parseExact(printed) as { script: { params: JsonObject } };
    expect(isSpelledDouble(again.script.params, 'a')).toBe(true);
    expect(isSpelledDouble(again.script.params, 'c')).toBe(true);
    expect(isSpelledDouble(again.script.params, 'd')).toBe(false);
    expect(printExact(again)).toBe(printed);
  });
});

describe('a key of parts that are alike', () => {
  test('is another one for each of these', () => {
    const doubles = (text: string): Json => parseExact(text);
    const values: readonly unknown[] = [
      9007199254740993n,
      9007199254740992n,
      9007199254740992,
      '9007199254740993',
      -0,
      0,
      Number.POSITIVE_INFINITY,
      null,
      undefined,
      'null',
      [],
      {},
      new Map(),
      new Set(),
      new Map([['a', 1]]),
      new Set(['a', 1]),
      [['a', 1]],
      { a: 1 },
      { a: undefined },
      doubles('{"params":{"a":1}}'),
      doubles('{"params":{"a":1.0}}'),
    ];
    const keys = values.map(textOf);
    expect(new Set(keys).size).toBe(values.length);
    expect(textOf(new Map([['a', new Set([1n])]]))).toBe(textOf(new Map([['a', new Set([1n])]])));
  });
});
