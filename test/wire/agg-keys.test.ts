// Bucket keys from the bytes of a shard: values, their JSON, and their order, which is that of
// their UTF-8 bytes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type KeyColumn, readKeys } from '../../src/wire/agg-keys.ts';
import { ByteReader } from '../../src/wire/byte-reader.ts';

function textKeys(texts: readonly string[]): KeyColumn {
  const bytes = texts.map((text) => Buffer.from(text));
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (const [at, { length }] of bytes.entries()) {
    end += length;
    ends[at] = end;
  }
  const column = Buffer.concat([new Uint8Array(ends.buffer), ...bytes]);
  return readKeys(new ByteReader(new Uint8Array(column), 'keys'), 'string', texts.length);
}

function wholeKeys(values: readonly bigint[]): KeyColumn {
  const bytes = new Uint8Array(BigInt64Array.from(values).buffer);
  return readKeys(new ByteReader(bytes, 'keys'), 'long', values.length);
}

const texts = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 20 });

test('texts are what they were, and compare as their bytes', () => {
  fc.assert(
    fc.property(texts, (all) => {
      const keys = textKeys(all);
      for (const [at, text] of all.entries()) {
        expect(keys.value(at)).toBe(text);
        expect(keys.json(at)).toBe(JSON.stringify(text));
        const order = keys.compare(0, keys, at) ?? Number.NaN;
        expect(Math.sign(order)).toBe(Buffer.compare(Buffer.from(all[0] ?? ''), Buffer.from(text)));
      }
    }),
  );
});

test.each([
  'plain',
  'quo"ted',
  'back\\slash',
  'line\n',
  '\u0000',
  '\u{feff}x',
  'é',
  '\u2028',
])('%j as JSON', (text) => {
  expect(JSON.parse(textKeys(['before', text, 'behind']).json(1))).toBe(text);
});

test('whole numbers keep their digits', () => {
  const keys = wholeKeys([3n, -(2n ** 62n), 2n ** 62n, 2n ** 62n + 1n]);
  expect([0, 1, 2, 3].map((at) => keys.json(at))).toEqual([
    '3',
    '-4611686018427387904',
    '4611686018427387904',
    '4611686018427387905',
  ]);
  expect(keys.compare(3, keys, 2)).toBe(1);
  expect(keys.compare(1, keys, 0)).toBe(-1);
});

test('columns of different kinds have no order of their own', () => {
  expect(textKeys(['1']).compare(0, wholeKeys([1n]), 0)).toBeUndefined();
});
