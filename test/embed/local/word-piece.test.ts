// The tokenizer of sentence models equals the library `tokenizers` on its golden cases, and cuts any
// text.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainWords } from '../../../src/embed/local/bert-words.ts';
import { type TokenizerOptions, WordPieceTokenizer } from '../../../src/embed/local/word-piece.ts';

interface Golden {
  readonly vocabularies: Readonly<Record<string, readonly string[]>>;
  readonly sets: readonly {
    readonly name: string;
    readonly options: TokenizerOptions;
    readonly maxTokens: number;
    readonly vocabulary: string;
    readonly cases: readonly (readonly [string, readonly number[]])[];
  }[];
}

const GOLDEN: Golden = JSON.parse(
  readFileSync(new URL('../../golden/word-piece/cases.json', import.meta.url), 'utf8'),
);
const UNCASED: TokenizerOptions = {
  lowercase: true,
  stripAccents: true,
  separatesIdeographs: true,
};
const VOCABULARY = GOLDEN.vocabularies['uncased'] ?? [];

describe.each(GOLDEN.sets)('the tokenizer, $name', (set) => {
  const vocabulary = GOLDEN.vocabularies[set.vocabulary] ?? [];
  const tokenizer = new WordPieceTokenizer(vocabulary, set.options, set.maxTokens);
  test.each(set.cases)('gives %j the ids of the library', (text, ids) => {
    expect(tokenizer.encode(text)).toEqual(ids);
  });
});

describe('any text', () => {
  const [cls, sep] = [VOCABULARY.indexOf('[CLS]'), VOCABULARY.indexOf('[SEP]')];
  const encode = (text: string, most = 64): readonly number[] =>
    new WordPieceTokenizer(VOCABULARY, UNCASED, most).encode(text);
  const anyText = fc.string({ unit: 'binary', maxLength: 60 });

  test('is cut to ids of the vocabulary, with [CLS] before and [SEP] after', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 20 }), (text, most) => {
        const ids = encode(text, most);
        expect(ids[0]).toBe(cls);
        expect(ids.at(-1)).toBe(sep);
        expect(ids.length).toBeLessThanOrEqual(most);
        for (const id of ids) expect(VOCABULARY[id]).toBeDefined();
      }),
    );
  });

  test('that is too long keeps the first ids of the longer form', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 20 }), (text, most) => {
        const whole = encode(text, 1000).slice(0, -1);
        expect(encode(text, most)).toEqual([...whole.slice(0, most - 1), sep]);
      }),
    );
  });

  test('next to another has the ids of both, one after the other', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        const inner = (text: string): readonly number[] => encode(text, 1000).slice(1, -1);
        expect(inner(`${one} ${other}`)).toEqual([...inner(one), ...inner(other)]);
      }),
    );
  });

  test('with a lone surrogate is cut like the text without it', () => {
    expect(encode('ca\ud800t')).toEqual(encode('cat'));
  });
});

test('a long text is read no further than the tokens that fit', () => {
  let read = 0;
  const text = {
    *[Symbol.iterator]() {
      for (;;) {
        read += 1;
        yield read % 2 === 0 ? ' ' : 'a';
      }
    },
  };
  for (const _word of plainWords(text as unknown as string, UNCASED)) if (read > 20) break;
  expect(read).toBeLessThan(30);
});

test.each(['[CLS]', '[SEP]', '[UNK]'])('a vocabulary without %s is refused', (token) => {
  const rest = VOCABULARY.filter((one) => one !== token);
  expect(() => new WordPieceTokenizer(rest, UNCASED, 8)).toThrow(`has no [${token}]`);
});
