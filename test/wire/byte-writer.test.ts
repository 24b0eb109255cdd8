// The byte buffer of all encoders, and its counterpart for all readers.
import { describe, expect, test } from 'vitest';
import { ByteReader } from '../../src/wire/byte-reader.ts';
import { ByteWriter } from '../../src/wire/byte-writer.ts';

const reader = (writer: ByteWriter): ByteReader => new ByteReader(writer.take(), 'sample');

describe('ByteWriter', () => {
  test('writes every kind of value little-endian', () => {
    const writer = new ByteWriter(1);
    writer.u8(1).u16(0x0203).u32(0x04050607).u64(0x08090a0b0c0d0e0fn).i64(-2n).f32(1).f64(-0.5);
    expect(Buffer.from(writer.take()).toString('hex')).toBe(
      '01030207060504' + '0f0e0d0c0b0a0908' + 'feffffffffffffff' + '0000803f' + '000000000000e0bf',
    );
  });

  test('writes text as UTF-8 with its length in bytes', () => {
    const texts = ['aé€😀', '', '\ufeffmarked', '\ud800'];
    const writer = new ByteWriter(1);
    writer.list(texts, (text) => writer.str(text));
    const read = reader(writer);
    expect(Array.from({ length: read.u32() }, () => read.str())).toEqual([
      'aé€😀',
      '',
      '\ufeffmarked',
      '\ufffd',
    ]);
    expect(read.remaining).toBe(0);
  });

  test('writes short texts as it writes long ones', () => {
    const texts = [1, 63, 64, 65, 200].flatMap((length) =>
      ['', 'é', '😀'].map((end) => 'a'.repeat(length) + end),
    );
    const writer = new ByteWriter(1);
    for (const text of texts) writer.str(text);
    const plain = texts.map((text) => {
      const bytes = Buffer.from(text);
      return Buffer.concat([Buffer.from(Uint32Array.of(bytes.length).buffer), bytes]);
    });
    expect(Buffer.from(writer.take())).toEqual(Buffer.concat(plain));
  });

  test('keeps what it holds when it grows', () => {
    const writer = new ByteWriter(1);
    for (let i = 0; i < 1000; i++) writer.u32(i);
    const read = reader(writer);
    for (let i = 0; i < 1000; i++) expect(read.u32()).toBe(i);
  });

  test('pads with zeros even where a longer text was tried', () => {
    const writer = new ByteWriter(64).str('abc').align(8).u8(9).align(4);
    expect([...writer.take()]).toEqual([3, 0, 0, 0, 97, 98, 99, 0, 9, 0, 0, 0]);
  });

  test('patches in place and hands out a copy that owns its memory', () => {
    const writer = new ByteWriter().u32(0).u8(7).patchU32(0, 5);
    const taken = writer.take();
    expect([...taken]).toEqual([5, 0, 0, 0, 7]);
    expect(taken.byteOffset).toBe(0);
    expect(taken.buffer.byteLength).toBe(5);
  });
});

describe('ByteReader', () => {
  test('refuses to read past the end, naming what it reads', () => {
    expect(() => new ByteReader(new Uint8Array(3), 'sample').u32()).toThrow(
      'malformed sample from the native core at byte 0',
    );
  });

  test('refuses a text and a count that reach past the end', () => {
    const bytes = new ByteWriter().u32(5).u8(1).take();
    expect(() => new ByteReader(bytes, 'sample').str()).toThrow('malformed sample');
    expect(() => new ByteReader(bytes, 'sample').count(1)).toThrow('malformed sample');
  });

  test('refuses a foreign magic and another version', () => {
    const bytes = new ByteWriter().u32(1).u16(2).take();
    expect(() => new ByteReader(bytes, 'sample').expect(2)).toThrow('malformed');
    expect(() => new ByteReader(bytes, 'sample').expect(1, 1)).toThrow('malformed');
  });
});
