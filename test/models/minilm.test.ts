// A real sentence model in a real runtime: its ids equal those of the library `tokenizers`, its
// vectors are near those of the model in 32-bit floats, and a service uses it. `npm run test:models`
// installs both; without it, or where they cannot be installed, the tests are skipped.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WordPieceTokenizer } from '../../src/embed/local/word-piece.ts';
import { run } from '../cli/run.ts';
import { startServer, type TestServer } from '../tools/server.ts';
import { type Installed, install } from './install.ts';

const MAX_TOKENS = 128;
const UNCASED = { lowercase: true, stripAccents: true, separatesIdeographs: true };
const SENTENCES = [
  'A kitten rests on a rug.',
  'The stock market fell on Tuesday.',
  'Ann keeps bees in her garden.',
  'Café owners in São Paulo protest against rents',
  'naïve Bayes, 1,234.56 and e-mail@example.com!',
  'ΟΔΥΣΣΕΥΣ 日本語 한국어',
  'word '.repeat(300),
];

const installed = install();
if (typeof installed === 'string') console.log(`no sentence model: ${installed}`);

interface Reference {
  readonly ids: readonly (readonly number[])[];
  readonly vectors: readonly (readonly number[])[];
}

function referenceOf({ python, weights }: Installed, texts: readonly string[]): Reference {
  const input = JSON.stringify({ texts, maxTokens: MAX_TOKENS, vectors: SENTENCES.length });
  const args = [resolve('test/models/reference.py'), weights, resolve('bench/quality')];
  const options = { input, encoding: 'utf8', maxBuffer: 2 ** 30 } as const;
  return JSON.parse(spawnSync(python, args, options).stdout) as Reference;
}

/** Texts of words, marks and white space of many scripts, and every code point between letters. */
function manyTexts(): readonly string[] {
  const pools = [
    'abc XYZ 012',
    ' \t\n.,!?-\'"',
    'éÉñÑüß Iİı ΐΑΣ σς',
    '日本語漢字 한국어',
    'العربية עברית हिन्दी ไทย',
    '\u0300\u0301\u200b\u200d\u00ad\ufeff\0\ufffd\u2028\u3000',
    '😀👩‍👧🏽🇩🇪',
    '[CLS][SEP][mask]',
  ].map((pool) => [...pool]);
  let state = 1;
  const next = (below: number): number => {
    state = (Math.imul(state, 48271) >>> 0) % 2147483647;
    return state % below;
  };
  const random = Array.from({ length: 3000 }, () =>
    Array.from({ length: 1 + next(40) }, () => {
      const pool = pools[next(pools.length)] ?? [];
      return pool[next(pool.length)] ?? '';
    }).join(''),
  );
  const points = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => (code < 0xd800 || code > 0xdfff) && (code < 0x20000 || code % 13 === 0))
    .map((code) => `a${String.fromCodePoint(code)}b`);
  return [...SENTENCES, ...random, ...points];
}

describe.skipIf(typeof installed === 'string')('all-MiniLM-L6-v2', () => {
  const { model, runtime } = installed as Installed;
  const folder = mkdtempSync(join(tmpdir(), 'quarry-minilm-'));
  const texts = typeof installed === 'string' ? [] : manyTexts();
  let reference: Reference;
  let server: TestServer;

  beforeAll(async () => {
    reference = referenceOf(installed as Installed, texts);
    const settings = ['--data-dir', folder, '--inference.runtime_dir', runtime];
    const args = ['models', 'add', model, '--max-tokens', String(MAX_TOKENS), ...settings];
    const added = await run(args, folder, {});
    if (added.code !== 0) throw new Error(added.err);
    server = await startServer({ dataDir: folder, args: ['--inference.runtime_dir', runtime] });
  }, 300_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('cuts every text into the ids of the library', () => {
    const vocabulary = readFileSync(join(model, 'vocab.txt'), 'utf8').split('\n');
    const tokenizer = new WordPieceTokenizer(vocabulary, UNCASED, MAX_TOKENS);
    const different = texts.filter(
      (text, i) => tokenizer.encode(text).join() !== reference.ids[i]?.join(),
    );
    expect(different).toEqual([]);
  });

  test('gives vectors near those of 32-bit floats', async () => {
    const reply = await server.call('POST', '/_inference/local:minilm', { input: SENTENCES });
    for (const [i, { embedding }] of reply.json.text_embedding.entries()) {
      const cosine = embedding.reduce(
        (sum: number, value: number, d: number) => sum + value * (reference.vectors[i]?.[d] ?? 0),
        0,
      );
      expect(cosine, SENTENCES[i]).toBeGreaterThan(0.97);
    }
  });

  test('finds by meaning what shares no word', async () => {
    await server.call('PUT', '/notes', {
      mappings: { properties: { text: { type: 'semantic_text', inference_id: 'local:minilm' } } },
    });
    await server.call('PUT', '/_memory/ann', { inference_id: 'local:minilm' });
    for (const [i, text] of SENTENCES.entries()) {
      await server.call('PUT', `/notes/_doc/${i}?refresh=true`, { text });
      await server.call('POST', '/_memory/ann', { id: String(i), text });
    }
    const first = async (query: string): Promise<readonly unknown[]> => {
      const body = { query: { semantic: { field: 'text', query } } };
      const found = await server.call('POST', '/notes/_search', body);
      const recall = { query, semantic: true };
      const recalled = await server.call('POST', '/_memory/ann/_recall', recall);
      return [found.json.hits.hits[0]._id, recalled.json.hits[0].id];
    };
    expect(await first('a sleeping cat')).toEqual(['0', '0']);
    expect(await first('share prices dropped')).toEqual(['1', '1']);
    expect(await first('insects that make honey')).toEqual(['2', '2']);
  });
});
