// Detectors with arbitrary text: they end, their quotes are at the reported positions, and code is
// not read as prose.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/backend/index.ts';
import { maskCode } from '../../../src/graph/detectors/mask.ts';
import { tokensOf } from '../../../src/graph/detectors/tokens.ts';
import { findings } from './found.ts';

const RUNS = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 200) };

const IDS = [
  'alpha',
  'note-7',
  'a/b.md',
  '1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d',
  'rfc793',
  'PROJ-7',
];

/** Pieces with a meaning for some detector, and some that break the syntax of others. */
const piece = fc.constantFrom(
  ...IDS,
  ...[
    '[[',
    ']]',
    '![[',
    '|',
    '#',
    '@',
    '`',
    '```',
    '\n```\n',
    '~~~',
    '<pre>',
    '</pre>',
    '<!--',
    '-->',
  ],
  ...[
    '](',
    ')',
    '[',
    ']: ',
    '<a href="',
    '">',
    'https://x.org/',
    '#12',
    'RFC 793',
    '\n- depends_on ',
  ],
  ...[
    'supersedes ',
    'does not fix ',
    'fixed by ',
    ' and ',
    ', ',
    '. ',
    '\n',
    ' ',
    'ä',
    '🙂',
    '\ud83d',
  ],
  ...[
    'Alpha Note',
    'the quick brown fox jumps over the lazy dog',
    'never',
    "don't",
    '1984',
    'x'.repeat(50),
  ],
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
const document: fc.Arbitrary<JsonObject> = fc.record(
  {
    title: fc.constantFrom('Alpha Note', 'Beta', 'RFC 793 - x'),
    text,
    body: fc.record({ inner: text }),
    list: fc.array(text, { maxLength: 2 }),
    number: fc.constantFrom(12, 13),
    reply_to: fc.constantFrom(...IDS, 'ä <rfc793> <alpha>', ' note-7'),
    metadata: fc.record({ session: fc.constantFrom('s', 't'), said_at: fc.nat(5) }),
  },
  { requiredKeys: ['text'], noNullPrototype: true },
) as fc.Arbitrary<JsonObject>;

function valuesAt(source: JsonObject, path: string): readonly Buffer[] {
  let value: unknown = source;
  for (const key of path.split('.')) value = (value as JsonObject)[key];
  return (Array.isArray(value) ? value : [value]).map((one) => Buffer.from(String(one)));
}

test('quotes stand at their byte offsets, in the document that is named', () =>
  fc.assert(
    fc.property(fc.array(document, { minLength: 2, maxLength: IDS.length }), (documents) => {
      const named = Object.fromEntries(documents.map((one, i) => [IDS[i] ?? '', one]));
      for (const { src, dst, type, confidence, evidence, suggested } of findings(named)) {
        expect(src).not.toBe(dst);
        expect(type).toMatch(/^[a-z_]+$/);
        expect(confidence).toBeGreaterThan(0);
        expect(confidence).toBeLessThanOrEqual(suggested ? 0.8 : 1);
        const { source, field, quote, offset } = evidence;
        expect([src, dst]).toContain(source);
        const bytes = Buffer.from(String(quote));
        const at = Number(offset);
        const values = valuesAt(named[String(source)] ?? {}, String(field));
        expect(values.some((value) => value.subarray(at, at + bytes.length).equals(bytes))).toBe(
          true,
        );
      }
    }),
    RUNS,
  ));

test('masked text keeps its places and its lines', () =>
  fc.assert(
    fc.property(text, (any) => {
      const masked = maskCode(any);
      expect(masked.length).toBe(any.length);
      for (let i = 0; i < any.length; i++) {
        if (any[i] === '\n') expect(masked[i]).toBe('\n');
        else expect([any[i], ' ']).toContain(masked[i]);
      }
    }),
    { numRuns: 1000 },
  ));

test('words are cut as a plain pattern cuts them', () =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom(..."abZ0 -’'éß.\n"), { maxLength: 30 }), (characters) => {
      const any = characters.join('');
      const { count, starts, ends } = tokensOf(any);
      const cut = Array.from({ length: count }, (_, i) => any.slice(starts[i], ends[i]));
      const plain = /[\p{L}\p{N}]+(?:['’]\p{L}[\p{L}\p{N}]*)*/gu;
      expect(cut).toEqual([...any.matchAll(plain)].map(([word]) => word));
    }),
    { numRuns: 1000 },
  ));

test.each([
  ['brackets', '['.repeat(200_000)],
  ['open wiki links', '[[a'.repeat(60_000)],
  ['backticks of all lengths', Array.from({ length: 600 }, (_, i) => '`'.repeat(i)).join(' ')],
  ['open tags', '<pre><a '.repeat(30_000)],
  ['dots and slashes', './'.repeat(100_000)],
  ['one word', 'a'.repeat(200_000)],
  ['cues', 'supersedes the earlier commit '.repeat(8000)],
  ['hex', '1a'.repeat(100_000)],
  ['addresses', 'https://'.repeat(30_000)],
  ['footnotes', '\n[x]: '.repeat(30_000)],
])('a long text of %s is read in good time', { timeout: 20_000 }, (_what, long) => {
  findings({ alpha: { title: 'Alpha Note', text: 'x' }, long: { text: long } });
});
