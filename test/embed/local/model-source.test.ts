// What is read from a folder with a model, and what is refused.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { nameProblem } from '../../../src/embed/local/local-model.ts';
import { readModelSource } from '../../../src/embed/local/model-source.ts';
import { FAKE_VOCABULARY, writeFakeModel } from '../../tools/fake-runtime.ts';

const above = mkdtempSync(join(tmpdir(), 'quarry-model-source-'));
afterAll(() => rmSync(above, { recursive: true, force: true }));
let folders = 0;

function folderOf(
  files: Readonly<Record<string, string>>,
  without: readonly string[] = [],
): string {
  folders += 1;
  const folder = join(above, String(folders));
  writeFakeModel(folder, { dims: 3 }, files);
  for (const name of without) rmSync(join(folder, name));
  return folder;
}

const read = (files: Readonly<Record<string, string>>, without: readonly string[] = []) =>
  readModelSource(folderOf(files, without), undefined);
const json = JSON.stringify;
const BERT = { type: 'BertNormalizer', lowercase: true };
const wordPiece = (vocab: object, normalizer: object = BERT): string =>
  json({ normalizer, model: { type: 'WordPiece', vocab } });

describe('a folder', () => {
  test('with a model and a vocabulary alone is an uncased model of 256 tokens', () => {
    expect(read({})).toMatchObject({
      tokenizer: { lowercase: true, stripAccents: true, separatesIdeographs: true },
      maxTokens: 256,
      vocabulary: `${FAKE_VOCABULARY.join('\n')}\n`,
    });
  });

  test('may say how texts are prepared', () => {
    const config = { do_lower_case: false, tokenize_chinese_chars: false };
    expect(read({ 'tokenizer_config.json': json(config) }).tokenizer).toEqual({
      lowercase: false,
      stripAccents: false,
      separatesIdeographs: false,
    });
    const accents = json({ do_lower_case: true, strip_accents: false });
    expect(read({ 'tokenizer_config.json': accents }).tokenizer.stripAccents).toBe(false);
    const files = {
      'tokenizer.json': wordPiece({}, { ...BERT, lowercase: false }),
      'tokenizer_config.json': accents,
    };
    expect(read(files).tokenizer.lowercase).toBe(false);
  });

  test.each([
    [{ 'sentence_bert_config.json': json({ max_seq_length: 128 }) }, 128],
    [{ 'sentence_bert_config.json': json({ max_seq_length: 9999 }) }, 512],
    [{ 'sentence_bert_config.json': json({ max_seq_length: 'x' }) }, 256],
    [{ 'config.json': json({ max_position_embeddings: 64 }) }, 64],
  ])('may say how many tokens: %j', (files, expected) => {
    expect(read(files).maxTokens).toBe(expected);
  });

  test('may hold the vocabulary in tokenizer.json, and the model in onnx/', () => {
    const vocab = Object.fromEntries(FAKE_VOCABULARY.map((token, id) => [token, id]));
    const files = { 'tokenizer.json': wordPiece(vocab), 'onnx/model.onnx': '{}' };
    const source = read(files, ['vocab.txt', 'model.onnx']);
    expect(source.vocabulary).toBe(`${FAKE_VOCABULARY.join('\n')}\n`);
    expect(source.modelPath).toContain(join('onnx', 'model.onnx'));
  });
});

describe('a folder is refused', () => {
  test.each([
    ['without a model', {}, ['model.onnx'], 'holds no model'],
    ['without a vocabulary', {}, ['vocab.txt'], 'holds no vocabulary'],
    [
      'with two models of other names',
      { 'a.onnx': '{}', 'b.onnx': '{}' },
      ['model.onnx'],
      'holds several models',
    ],
    [
      'with another kind of tokenizer',
      { 'tokenizer.json': json({ model: { type: 'BPE', vocab: {} } }) },
      ['vocab.txt'],
      'is of the type [BPE]',
    ],
    [
      'with another normalizer',
      { 'tokenizer.json': wordPiece({}, { type: 'NFKC' }) },
      [],
      'has the normalizer [NFKC]',
    ],
    [
      'with gaps in its vocabulary',
      { 'tokenizer.json': wordPiece({ a: 0, b: 5 }) },
      ['vocab.txt'],
      'has a vocabulary whose ids are not 0 to 1',
    ],
    [
      'whose pooling is another',
      { '1_Pooling/config.json': json({ pooling_mode_cls_token: true }) },
      [],
      'asks for another pooling',
    ],
    [
      'that is cased and does not say so',
      { 'vocab.txt': '[CLS]\nParis\n' },
      [],
      'has capital letters',
    ],
    ['whose files are not JSON', { 'config.json': 'x' }, [], 'is not JSON'],
    ['whose files hold no object', { 'config.json': '[]' }, [], 'must hold an object'],
  ])('%s', (_what, files, without, why) => {
    expect(() => read(files as Record<string, string>, without)).toThrow(why);
  });

  test('that is none', () => {
    expect(() => readModelSource(join(above, 'nowhere'), undefined)).toThrow('is no folder');
  });

  test.each([7, 513, 0])('for a maximum of %d tokens', (most) => {
    expect(() => readModelSource(folderOf({}), most)).toThrow('must be from 8 to 512');
  });
});

test.each([
  'a.b',
  '',
  'A',
  '-a',
  'a-',
  'a/b',
  '..',
  'ä',
  'a'.repeat(65),
])('[%s] is no name of a model', (name) => {
  expect(nameProblem(name)).toContain('is no name of a model');
});
