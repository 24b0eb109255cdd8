// Suggest requests byte for byte, and responses: parsed when complete, rejected when truncated.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ByteWriter } from '../../src/wire/byte-writer.ts';
import type { PlanWriter } from '../../src/wire/plan-writer.ts';
import { readSuggest, type SuggestAsk, writeSuggest } from '../../src/wire/suggest.ts';

const ASKS: readonly SuggestAsk[] = [
  { kind: 'analyze', field: 't', analyzer: '', text: 'a b' },
  { kind: 'candidates', field: 't', term: 'lucene', edits: 2, prefix: 1, most: 100 },
  { kind: 'counts', field: 't', terms: ['a', 'b'] },
  {
    kind: 'complete',
    field: 'c',
    analyzer: '',
    text: 'a',
    size: 5,
    skipDuplicates: true,
    fuzzy: { edits: 1, transpositions: true, minLength: 3, prefixLength: 1, unicodeAware: false },
  },
  {
    kind: 'terms',
    field: 't',
    analyzer: '',
    mostTokens: 5000,
    sorted: true,
    texts: ['b a', 'a'],
  },
];

test.each([
  ['request', undefined],
  [
    'filtered',
    {
      nowMs: 1_700_000_000_000,
      write: (to: PlanWriter) => to.node('match_all', () => to.f32(1).str('')),
    },
  ],
])('a request is the bytes that the core reads: %s', (name, filter) => {
  const sample = new URL(`../../native/fuzz/corpus/suggest_fuzz/${name}`, import.meta.url);
  const request = { shards: [{ shard: 0, generation: 0n }], timeoutUs: 0, asks: ASKS, filter };
  const bytes = writeSuggest(request, { match_all: 16 });
  expect(Buffer.from(bytes).equals(readFileSync(sample))).toBe(true);
});

function reply(): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter().u32(0x47555351).u16(1).u16(0);
  writer.u32(1).u32(3).u64(7n);
  writer.u8(1).u32(1).str('a').u32(0).u32(1).u32(4).u8(1);
  writer.u32(1).str('lucena').u8(1).f64(2).f64(5);
  writer.u8(1).f64(9).f64(8).f64(40).f64(-1).u32(1).f64(2).f64(3);
  writer.u8(1).u32(1).f32(2.5).u32(3).u32(11).str('key').str('Input');
  writer.u8(1).u32(2).str('a').u32(2).str('b').u32(1);
  return writer.u8(1).take();
}

test('a reply has an answer for each question', () => {
  const read = readSuggest(reply().buffer, ASKS);
  expect(read).toEqual({
    shards: [{ shard: 3, generation: 7n }],
    answers: [
      {
        kind: 'analyze',
        mapped: true,
        tokens: [{ term: 'a', start: 0, end: 1, position: 4, kind: 'shingle' }],
      },
      {
        kind: 'candidates',
        terms: [{ term: 'lucena', edits: 1, documents: 2, occurrences: 5 }],
      },
      {
        kind: 'counts',
        hasField: true,
        documents: 9,
        liveDocuments: 8,
        occurrences: 40,
        differentTerms: -1,
        terms: [{ documents: 2, occurrences: 3 }],
      },
      {
        kind: 'complete',
        mapped: true,
        completions: [{ score: 2.5, shard: 3, doc: 11, key: 'key', input: 'Input' }],
      },
      {
        kind: 'terms',
        mapped: true,
        terms: [
          { term: 'a', occurrences: 2 },
          { term: 'b', occurrences: 1 },
        ],
      },
    ],
    complete: true,
  });
});

test('a reply that is cut is malformed', () => {
  const bytes = reply();
  for (let size = 0; size < bytes.length; size++)
    expect(() => readSuggest(bytes.slice(0, size).buffer, ASKS)).toThrow('malformed');
});

test('a failure has its reason', () => {
  const bytes = new ByteWriter().u32(0x47555351).u16(1).u16(9).str('why').str('because').take();
  expect(readSuggest(bytes.buffer, ASKS)).toEqual({
    errorType: 9,
    reason: 'why',
    cause: 'because',
  });
});
