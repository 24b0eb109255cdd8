// Parsing the core's list of texts to embed, and writing their vectors, compared with bytes written
// by hand.
import { describe, expect, test } from 'vitest';
import { loadAddon } from '../../src/native/addon.ts';
import { ByteReader } from '../../src/wire/byte-reader.ts';
import { ByteWriter } from '../../src/wire/byte-writer.ts';
import { writeVectors } from '../../src/wire/vectors-writer.ts';
import { readWantedTexts } from '../../src/wire/wanted-texts.ts';
import { expectGolden } from './golden.ts';

function listed(rows: readonly (readonly [string, readonly string[]])[]): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  writer.list(rows, ([embedder, texts]) => {
    writer.str(embedder).list(texts, (text) => writer.str(text));
  });
  return writer.take();
}

describe('the texts to embed', () => {
  test('are read as they are, byte order marks included', () => {
    const texts = ['', 'a\nb', '\u{feff}mark', 'ä𝄞', '\0'];
    expect(
      readWantedTexts(
        listed([
          ['m@u', texts],
          ['n', []],
        ]).buffer,
      ),
    ).toEqual([
      { embedder: 'm@u', texts },
      { embedder: 'n', texts: [] },
    ]);
    expect(readWantedTexts(listed([]).buffer)).toEqual([]);
  });

  test('have golden bytes, which the native tests write', async () => {
    const bytes = listed([['mini@1', ['t\nb', 'b']]]);
    await expectGolden('wanted_texts', 'two texts of embedder mini@1: "t" and "b", "b"', bytes);
  });

  test('cut anywhere are an error', () => {
    const bytes = listed([['m@u', ['one', 'two']]]);
    for (let end = 0; end < bytes.length; end++) {
      expect(() => readWantedTexts(bytes.slice(0, end).buffer)).toThrowError('texts to embed');
    }
  });
});

describe('vectors', () => {
  const { hash128 } = loadAddon();

  test('have golden bytes, which the native tests read', async () => {
    const made = [
      {
        embedder: 'mini@1',
        texts: ['note', 'gone'],
        results: [Float32Array.of(1, -0.5), 'the service is down'],
      },
      { embedder: 'other', texts: ['note'], results: [Float32Array.of(3)] },
    ];
    const bytes = writeVectors(made, hash128);
    await expectGolden('vectors', 'a vector and a failure of mini@1, a vector of other', bytes);
  });

  test('are written with the hash of their text, failures with their reason', () => {
    const bytes = writeVectors(
      [
        {
          embedder: 'm@ü',
          texts: ['note', 'gone', 'other'],
          results: [new Float32Array([1, -0.5]), 'the service is down', new Float32Array([1])],
        },
        { embedder: 'n', texts: ['x'], results: [] },
      ],
      hash128,
    );
    const reader = new ByteReader(bytes, 'vectors');
    expect([reader.u32(), reader.u32()]).toEqual([0x43455651, 2]);
    expect([reader.str(), reader.u32(), reader.u32()]).toEqual(['m@ü', 2, 3]);
    const hash = Buffer.from(hash128(Buffer.from('note')));
    expect([reader.u64(), reader.u64()]).toEqual([
      hash.readBigUInt64BE(0),
      hash.readBigUInt64BE(8),
    ]);
    expect([reader.u8(), reader.f32(), reader.f32()]).toEqual([0, 1, -0.5]);
    expect([reader.skip(16).u8(), reader.str()]).toEqual([1, 'the service is down']);
    expect([reader.skip(16).u8(), reader.str()]).toEqual([
      1,
      'vectors of 2 and of 1 numbers came for one request',
    ]);
    expect([reader.str(), reader.u32(), reader.u32()]).toEqual(['n', 0, 1]);
    expect([reader.skip(16).u8(), reader.str()]).toEqual([1, 'the text was not embedded']);
    expect(reader.remaining).toBe(0);
  });

  test('own their memory, so that they can be moved', () => {
    const results = [new Float32Array(100).fill(1)];
    for (const embedder of ['ascii', 'größer']) {
      const bytes = writeVectors([{ embedder, texts: ['a'], results }], hash128);
      expect(bytes.byteLength).toBe(bytes.buffer.byteLength);
    }
  });
});
