// The printer of the core compared with trees of objects: the same bytes for any response,
// patterns, layout, and pieces of any length.
import fc from 'fast-check';
import { parse, stringify } from 'lossless-json';
import { expect, test } from 'vitest';
import { loadAddon } from '../../src/native/addon.ts';
import { filterPath, toYaml } from './oracle/printed-tree.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 300);
const STYLES = ['compact', 'indented', 'yaml'] as const;
type Style = (typeof STYLES)[number];
const addon = loadAddon();

/** In pieces that end at `cuts`. */
function print(style: Style, filter: string, json: Buffer, cuts: readonly number[]): string {
  const printer = addon.openPrinter(style, filter);
  try {
    const ends = [...new Set(cuts.map((cut) => cut % (json.length + 1)))].sort((a, b) => a - b);
    const pieces = [...ends, json.length].map((end, i) => {
      const part = json.subarray(ends[i - 1] ?? 0, end);
      return Buffer.from(addon.print(printer, part, i === ends.length));
    });
    return Buffer.concat(pieces).toString();
  } finally {
    addon.closePrinter(printer);
  }
}

function expected(style: Style, filter: string | undefined, value: unknown): string {
  const kept = filter === undefined ? value : filterPath(value, filter);
  if (style === 'yaml') return toYaml(kept);
  return style === 'indented' ? `${stringify(kept, undefined, 2)}\n` : (stringify(kept) ?? '');
}

const KEYS = ['a', 'b', 'ab', 'a.b', 'ba', '', 'on', 'x y', 'é"\n', '🦊', '\ud83d', '_id'];
const LEAVES = ['1', '-0.0', '1e400', '9007199254740993', 'true', 'null', '"x"', '"\\n🦊\\""'];
const key = fc.constantFrom(...KEYS);
/**
 * JSON texts with whitespace, and numbers in spellings that JavaScript numbers would not preserve.
 */
const { json: JSON_TEXT } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom(...LEAVES),
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[ ${items.join(' ,\n')}]`),
    fc
      .uniqueArray(fc.tuple(key, tie('json')), { maxLength: 5, selector: ([name]) => name })
      .map((members) => `{${members.map(([k, v]) => `${JSON.stringify(k)} : ${v}`).join(',')} }`),
  ),
}));
const PATTERN = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'a\\.b', '*', 'a*', '*b', '*a*b*', '**', '**', '', 'on'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((keys) => keys.join('.'));
const FILTER = fc
  .array(fc.tuple(fc.constantFrom('', ' ', '-'), PATTERN), { minLength: 1, maxLength: 12 })
  .map((patterns) => patterns.map((pattern) => pattern.join('')).join(','));
const CUTS = fc.array(fc.nat(500), { maxLength: 12 });

test.each(STYLES)('%s is what a tree prints', (style) => {
  fc.assert(
    fc.property(JSON_TEXT, CUTS, (text, cuts) => {
      const value = parse(text);
      expect(print(style, '', Buffer.from(text), cuts)).toBe(expected(style, undefined, value));
    }),
    { numRuns: RUNS },
  );
});

test.each(STYLES)('%s of what filter_path names is what a tree prints', (style) => {
  fc.assert(
    fc.property(JSON_TEXT, FILTER, CUTS, (text, filter, cuts) => {
      const value = parse(text);
      expect(print(style, filter, Buffer.from(text), cuts)).toBe(expected(style, filter, value));
    }),
    { numRuns: 4 * RUNS },
  );
});
