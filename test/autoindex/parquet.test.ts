// Parquet: rows as records, and files whose metadata does not match their content.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { SchemaElement } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { readParquet } from '../../src/autoindex/formats/parquet.ts';
import { PARQUET_LIMITS } from '../../src/autoindex/formats/parquet-pages.ts';
import { BrokenFile, type ByteSource, fileSource } from '../../src/autoindex/source.ts';
import { parquetOf, sourceOf } from './tools/files.ts';

async function docsFrom(source: ByteSource, limits = PARQUET_LIMITS): Promise<object[]> {
  const docs: object[] = [];
  for await (const { doc } of readParquet(source, limits)) docs.push(doc);
  return docs;
}

const docsOf = (bytes: Uint8Array): Promise<object[]> => docsFrom(sourceOf(bytes, 'a.parquet'));

describe('a file of Parquet', () => {
  test('values of all kinds', async () => {
    const schema: SchemaElement[] = [
      { name: 'root', num_children: 6 },
      { name: 'a.b', type: 'INT64', repetition_type: 'OPTIONAL' },
      { name: 'day', type: 'INT32', converted_type: 'DATE', repetition_type: 'OPTIONAL' },
      { name: 'raw', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
      { name: 'tags', repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
      {
        name: 'seen',
        type: 'INT64',
        converted_type: 'TIMESTAMP_MILLIS',
        repetition_type: 'OPTIONAL',
      },
      { name: 'half', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
    ];
    const moment = new Date('2026-01-02T03:04:05.678Z');
    const bytes = parquetWriteBuffer({
      schema,
      columnData: [
        { name: 'a.b', data: [1n, 9007199254740993n, null] },
        { name: 'day', data: [new Date('2026-01-02'), null, null] },
        { name: 'raw', data: [new Uint8Array([1]), null, null] },
        { name: 'tags', data: [['x', 'y'], [], null] },
        { name: 'seen', data: [moment, null, null] },
        { name: 'half', data: [0.5, Number.NaN, null] },
      ],
    });
    expect(await docsOf(new Uint8Array(bytes))).toEqual([
      { a_b: 1, day: '2026-01-02', tags: ['x', 'y'], seen: '2026-01-02T03:04:05.678Z', half: 0.5 },
      { a_b: '9007199254740993', tags: [] },
      {},
    ]);
  });

  test('in several groups and pages, from the disk', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quarry-parquet-'));
    const path = join(folder, 'a');
    const bytes = parquetOf(2500, { rowGroupSize: 1000, pageSize: 512 });
    writeFileSync(path, bytes);
    const docs = await docsFrom(fileSource('a', path, bytes.length));
    rmSync(folder, { recursive: true });
    expect(docs).toHaveLength(2500);
    expect(docs[1234]).toMatchObject({ id: 1234, name: 'item 1234' });
    expect(await docsOf(bytes)).toEqual(docs);
  });
});

describe('a hostile file of Parquet', () => {
  const whole = parquetOf(500);

  test.each([1, 8, 12, 100, 1000])('cut to all but %i bytes', async (less) => {
    await expect(docsOf(whole.subarray(0, whole.length - less))).rejects.toThrow(BrokenFile);
  });

  test('a footer that is longer than the file', async () => {
    const bytes = new Uint8Array(whole);
    new DataView(bytes.buffer).setUint32(bytes.length - 8, 0xfffffff0, true);
    await expect(docsOf(bytes)).rejects.toThrow('its footer of 4294967280 bytes');
  });

  test.each([
    ['a page beyond its limit', { pageBytes: 16 }, /page larger/],
    ['a group beyond its limit', { groupBytes: 1 }, /group of rows/],
    ['values beyond their limit', { values: 10 }, /more values/],
    ['a footer beyond its limit', { footerBytes: 10 }, /longer than the file or the limit/],
  ])('%s', async (_, limits, problem) => {
    const read = docsFrom(sourceOf(whole), { ...PARQUET_LIMITS, ...limits });
    await expect(read).rejects.toThrow(problem);
  });

  test('more rows than such a file can stand for', async () => {
    const data = new Array<null>(5_000_000).fill(null);
    const schema: SchemaElement[] = [
      { name: 'root', num_children: 1 },
      { name: 'x', type: 'INT32', repetition_type: 'OPTIONAL' },
    ];
    const columnData = [{ name: 'x', data }];
    const bytes = parquetWriteBuffer({ schema, columnData, rowGroupSize: data.length });
    expect(bytes.byteLength).toBeLessThan(5000);
    await expect(docsOf(new Uint8Array(bytes))).rejects.toThrow(/rows that it promises/);
  });

  test('any byte may be another: it is read, or told', async () => {
    const small = parquetOf(20, { codec: 'UNCOMPRESSED' });
    const at = fc.nat(small.length - 1);
    await fc.assert(
      fc.asyncProperty(at, fc.integer({ min: 1, max: 255 }), async (place, change) => {
        const bytes = new Uint8Array(small);
        bytes[place] = (bytes[place] ?? 0) ^ change;
        const docs = await docsOf(bytes).catch((error: unknown) => error);
        if (Array.isArray(docs)) expect(docs.length).toBeLessThanOrEqual(20);
        else expect(docs).toBeInstanceOf(BrokenFile);
      }),
      { numRuns: 200 },
    );
  });
});
