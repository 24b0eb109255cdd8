// The built-in embedder through the addon: the committed vectors bit by bit, and the algorithm
// compared with its naive reference. WRITE_GOLDEN=1 writes the vectors again, which is correct only
// for a new algorithm with a new name.
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUILTIN_IDS, type BuiltinId } from '../../src/base/builtin-embedders.ts';
import { BUILTIN_MAX_DIMS, BuiltinEmbedder } from '../../src/embed/builtin.ts';
import { loadAddon } from '../../src/native/addon.ts';
import { referenceVector, referenceWords } from '../tools/lexical-reference.ts';

interface GoldenCase {
  readonly name: string;
  readonly text: string;
  readonly dims: number;
  readonly weights?: Readonly<Record<string, number>>;
  /** Eight hex digits per float, most significant first. */
  readonly vector: string;
}

/** Equal to kMaxTermWeight in native/core/text/embedder/lexical_embedder.h. */
const MAX_WEIGHT = 64;

const addon = loadAddon();
const goldenFile = (id: BuiltinId): URL =>
  new URL(`../golden/embedder/${id}.json`, import.meta.url);
const readGolden = (id: BuiltinId): readonly GoldenCase[] =>
  JSON.parse(readFileSync(goldenFile(id), 'utf8'));

function bitsOf(vector: Float32Array): string {
  const view = new DataView(new ArrayBuffer(4));
  return [...vector]
    .map((value) => {
      view.setFloat32(0, value);
      return view.getUint32(0).toString(16).padStart(8, '0');
    })
    .join('');
}

if (process.env['WRITE_GOLDEN'] === '1') {
  for (const id of BUILTIN_IDS) {
    const cases = readGolden(id).map((row) => ({
      ...row,
      vector: bitsOf(addon.embed([row.text], row.dims, row.weights, id)),
    }));
    writeFileSync(goldenFile(id), `${JSON.stringify(cases, null, 1)}\n`);
  }
}

describe.each(BUILTIN_IDS)('golden vectors of %s', (id) => {
  for (const { name, text, dims, weights, vector } of readGolden(id)) {
    test(name, () => {
      expect(bitsOf(addon.embed([text], dims, weights, id))).toBe(vector);
    });
    test(`${name}: the reference agrees`, () => {
      const actual = addon.embed([text], dims, weights, id);
      const weight = (word: string) => Math.min(weights?.[word] ?? 1, MAX_WEIGHT);
      const expected = referenceVector(id, addon.embedTerms(text, id), dims, weight);
      const largest = actual.reduce(
        (most, value, i) => Math.max(most, Math.abs(value - (expected[i] ?? Number.NaN))),
        0,
      );
      expect(largest).toBeLessThan(2e-6);
    });
  }
});

describe('words', () => {
  // "s" is the only stop word that these pieces can form.
  const pieces = [
    'k',
    'Dog',
    'S',
    's',
    "'",
    '’',
    ' ',
    '-',
    '7',
    '2nd',
    'é',
    'ç',
    'й',
    'Ω',
    'ﬁ',
    '½',
  ];
  test('equal the definition on text of scripts with spaces', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        const expected = new Set(referenceWords(text).filter((word) => word !== 's'));
        expect(addon.embedTerms(text).map((term) => term.word)).toEqual([...expected]);
      }),
    );
  });
  test('of the second recipe are single Han characters, too', () => {
    const words = (id?: BuiltinId) => addon.embedTerms('東京の Zoë', id).map(({ word }) => word);
    expect(words()).toEqual(['東京', '京の', 'zoe']);
    expect(words('svc-lex-2')).toEqual(['東', '東京', '京', '京の', 'zoe']);
    expect(() => words('svc-lex-9' as BuiltinId)).toThrow('an embedder must be a built-in one');
  });
  test('bytes and strings are the same text', () => {
    const text = 'Zoë flew to 東京 on 7 May';
    const vectors = addon.embed([text, new TextEncoder().encode(text)], 32);
    expect(bitsOf(vectors.subarray(0, 32))).toBe(bitsOf(vectors.subarray(32)));
  });
});

describe('BuiltinEmbedder', () => {
  const embedder = new BuiltinEmbedder(addon, 64);

  test('gives one vector a text, null without content words', async () => {
    const [dogs, none, cats] = await embedder.embed(['dogs', 'it is what it is', 'cats']);
    expect(dogs?.length).toBe(64);
    expect(none).toBeNull();
    expect(cats).toEqual((await embedder.embed(['Cats!']))[0]);
    expect(await embedder.embed([])).toEqual([]);
  });
  test('weighs the terms of a query', async () => {
    const seen: string[] = [];
    const query = embedder.embedQuery('the constructor of dogs', ({ word, stem }) => {
      seen.push(`${word}/${stem}`);
      return word === 'dogs' ? 1 : 0;
    });
    expect(seen).toEqual(['constructor/constructor', 'dogs/dog']);
    expect(query).toEqual((await embedder.embed(['dogs']))[0]);
    expect(embedder.embedQuery('dogs', () => 0)).toBeNull();
  });
  test('refuses other numbers of dims', async () => {
    for (const dims of [0, BUILTIN_MAX_DIMS + 1]) {
      await expect(new BuiltinEmbedder(addon, dims).embed(['dogs'])).rejects.toThrow(
        `[dims] of the embedder [svc-lex-1] must be between 1 and 4096, got [${dims}]`,
      );
    }
  });
  test('gives up at an aborted signal', async () => {
    await expect(embedder.embed(['dogs'], AbortSignal.abort())).rejects.toThrow();
  });
});
