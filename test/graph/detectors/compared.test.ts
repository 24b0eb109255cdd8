// Names in running text, and similarities of texts: code, passages, rare words, sentences that
// contradict each other.
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../src/graph/detectors/document.ts';
import { sharedTerms } from '../../../src/graph/detectors/shared-terms.ts';
import { type Documents, findings, found } from './found.ts';

const PASSAGE = 'the quick brown fox jumps over the lazy dog';

describe('mentions', () => {
  const notes: Documents = {
    n1: { title: 'Apollo Program' },
    n2: { title: 'Gemini' },
    n3: { title: 'The' },
  };
  test('by sign are links', () => {
    const text = 'With @Gemini and #apollo-program, not me@Gemini or #7.';
    expect(found({ ...notes, zz: { text } }, ['mentions'])).toEqual([
      'zz -mentions-> n2 "@Gemini"',
      'zz -tagged-> n1 "#apollo-program"',
    ]);
  });

  test('by name are proposals', () => {
    const text = 'The Apollo Program came after Gemini. The end.';
    expect(found({ ...notes, zz: { text } }, ['titles'])).toEqual([
      'zz -mentions?-> n1 "Apollo Program"',
      'zz -mentions?-> n2 "Gemini"',
    ]);
  });

  test('of a single word need a capital, of several do not', () => {
    const text = 'the apollo program had a gemini';
    const all = findings({ ...notes, zz: { text } }, ['titles']);
    expect(all.map(({ dst, confidence }) => [dst, confidence])).toEqual([['n1', 0.6]]);
  });

  test('in most documents say nothing', () => {
    const texts = Array.from({ length: 20 }, (_, i) => [`t${i}`, { text: 'Gemini again' }]);
    expect(found({ ...notes, ...Object.fromEntries(texts) }, ['titles'])).toEqual([]);
  });

  test('beside a link to the same are left out', () => {
    const text = 'Gemini, see [[Gemini]]';
    expect(found({ ...notes, zz: { text } })).toEqual(['zz -references-> n2 "[[Gemini]]"']);
  });
});

describe('code', () => {
  test('joins who uses a symbol to who defines it', () => {
    const files: Documents = {
      'src/read.ts': { text: 'export function readPage(at: number) {}\nconst MAX_SIZE = 1;' },
      doc: { text: 'Call `readPage(3)` first. readPage in prose is enough once.' },
      'src/use.ts': { text: 'readPage(MAX_SIZE);' },
      prose: { text: 'readPage is a fine name' },
    };
    expect(found(files, ['symbols'])).toEqual([
      'doc -uses-> src/read.ts "readPage"',
      'src/use.ts -uses-> src/read.ts "readPage"',
    ]);
  });

  test('of a symbol that two define joins nobody', () => {
    const text = '```\nclass PageReader {}\n```';
    expect(found({ a: { text }, b: { text }, c: { text: '`PageReader`' } }, ['symbols'])).toEqual(
      [],
    );
  });
});

describe('quotations', () => {
  test('lead from the later document to the older', () => {
    const documents: Documents = {
      a: { text: `She said that ${PASSAGE} again.`, date: '2024-01-01' },
      b: { text: `„${PASSAGE.toUpperCase()}“ – so it was.`, date: '2024-01-02' },
    };
    const [one, ...rest] = findings(documents, ['quotations']);
    expect(rest).toEqual([]);
    expect(one).toMatchObject({ src: 'b', dst: 'a', type: 'quotes', confidence: 0.8 });
    expect(one?.evidence).toEqual({
      quote: PASSAGE.toUpperCase(),
      source: 'b',
      field: 'text',
      offset: 3,
      target_field: 'text',
      target_offset: 14,
    });
  });

  test.each([
    [7, 0],
    [8, 1],
    [9, 1],
  ])('of %i words give %i links', (words, links) => {
    // Independent of the position of the common words in both texts.
    for (let before = 0; before < 12; before++) {
      const filler = (name: string, n: number): string =>
        Array.from({ length: n }, (_, i) => `${name}${i}`).join(' ');
      const common = PASSAGE.split(' ').slice(0, words).join(' ');
      const documents = {
        a: { text: `${filler('x', before)} ${common} ${filler('y', 11 - before)}` },
        b: { text: `${filler('z', 5)} ${common} ${filler('u', before)}` },
      };
      expect(findings(documents, ['quotations'])).toHaveLength(links);
    }
  });

  test('that stand everywhere are none', () => {
    const footers = Array.from({ length: 12 }, (_, i) => [
      `m${i}`,
      { text: `Hi ${i}! ${PASSAGE}` },
    ]);
    expect(found(Object.fromEntries(footers), ['quotations'])).toEqual([]);
  });
});

describe('rare terms', () => {
  test('in common propose a link, once a pair', () => {
    const documents: Documents = {
      a: { text: 'zymurgy with gruit and sahti' },
      b: { text: 'sahti, gruit: zymurgy at home' },
      c: { text: 'gruit alone' },
    };
    const one = findings({ ...documents, c: { text: 'something else' } }, ['shared-terms']);
    expect(one).toMatchObject([{ src: 'b', dst: 'a', type: 'related', suggested: true }]);
    expect(one[0]?.evidence['terms']).toEqual(['sahti', 'gruit', 'zymurgy']);
    // A word in three of three documents is not rare.
    expect(findings(documents, ['shared-terms'])).toEqual([]);
  });
});

describe('sentences that disagree', () => {
  test.each<[string, string, string, string[]]>([
    [
      'in a negation',
      'Our server Athena runs in Frankfurt.',
      'Our server Athena does not run in Frankfurt.',
      ['b -contradicts?-> a "Our server Athena does not run in Frankfurt"'],
    ],
    [
      'in a not',
      'Marta likes the green parrot.',
      'I know: Marta never likes the green parrot!',
      ['b -contradicts?-> a "I know: Marta never likes the green parrot"'],
    ],
    [
      'in a number',
      'The rent of the flat is 900 euros.',
      'The rent of the flat is 950 euros.',
      ['b -updates?-> a "The rent of the flat is 950 euros"'],
    ],
    ['in nothing', 'Marta likes the green parrot.', 'Marta likes the green parrot.', []],
    ['about other things', 'Marta likes the green parrot.', 'Nobody likes rainy weather here.', []],
  ])('%s', (_how, first, second, expected) => {
    const documents = { a: { text: first }, b: { text: second } };
    expect(found(documents, ['contradictions'])).toEqual(expected);
  });

  test('are shown both, and never believed much', () => {
    const documents = {
      a: { text: 'Marta likes the green parrot.' },
      b: { text: 'Marta never likes the green parrot.' },
    };
    const [one] = findings(documents, ['contradictions']);
    expect(one?.confidence).toBeLessThanOrEqual(0.4);
    expect(one?.evidence['against']).toBe('Marta likes the green parrot');
  });
});

test('a detector says when there was more than it remembers', { timeout: 60_000 }, () => {
  const characters = (n: number): string =>
    n.toString(26).replace(/\d/g, (d) => 'qrstuvwxyz'[+d] ?? '');
  const running = sharedTerms.begin();
  const words = (from: number): string =>
    Array.from({ length: 100_000 }, (_, i) => `aa${characters(from + i)}`).join(' ');
  for (let from = 0; from <= 1_000_000; from += 100_000) {
    expect(running.limited?.()).toBe(false);
    running.learn?.(readDocument(`d${from}`, { text: words(from) }));
  }
  expect(running.limited?.()).toBe(true);
});
