// Readers in a worker with limits: one that hangs, uses too much memory or dies affects only its
// file, and the next file is read.
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Isolation } from '../../src/autoindex/isolation.ts';
import type { Format, SniffResult } from '../../src/autoindex/sniff.ts';
import type { ByteSource } from '../../src/autoindex/source.ts';

const SCRIPT = resolve('test/autoindex/tools/hostile-worker.mjs');
const LIMITS = { heapMegabytes: 48, fileMs: 120_000, bytesPerSecond: 1 << 20 };
let isolation: Isolation;
let opened = 0;
let closed = 0;

/** A file inside an archive, which the worker cannot open: the main thread passes its `bytes`. */
function sourceOf(bytes: readonly Uint8Array[]): ByteSource {
  return {
    path: 'a.zip/entry',
    size: 1,
    async *chunks() {
      opened += 1;
      try {
        yield* bytes;
      } finally {
        closed += 1;
      }
    },
  };
}

function sniffed(format: Format): SniffResult {
  return { format, encoding: 'utf-8' };
}

async function read(format: Format, most = Number.POSITIVE_INFINITY): Promise<object[]> {
  const docs: object[] = [];
  const source = sourceOf([new Uint8Array(3), Buffer.from('seven77')]);
  for await (const { json } of isolation.read(source, sniffed(format))) {
    docs.push(JSON.parse(json));
    if (docs.length >= most) break;
  }
  return docs;
}

beforeEach(() => {
  isolation = new Isolation({ ...LIMITS, silentMs: 3000 }, SCRIPT);
  isolation.begin(1);
  opened = 0;
  closed = 0;
});
afterEach(() => isolation.close());

describe('a reader in the worker', () => {
  test('gets the bytes of what it cannot open', async () => {
    expect(await read('text')).toEqual([{ bytes: 3 }, { bytes: 7 }]);
    expect({ opened, closed }).toEqual({ opened: 1, closed: 1 });
  });

  test('is left early, and the next one reads from its start', async () => {
    expect(await read('ndjson', 700)).toHaveLength(700);
    expect(await read('text', 1)).toEqual([{ bytes: 3 }]);
    expect(await read('text')).toEqual([{ bytes: 3 }, { bytes: 7 }]);
    expect(closed).toBe(opened);
  });

  test('tells kinds', async () => {
    const found = await isolation.sniff(Buffer.from('{"a": 1}\n{"a": 2}\n'), 'x');
    expect(found).toMatchObject({ format: 'ndjson' });
    expect(await isolation.sniff(Buffer.from('GIF89a\0\0'), 'x')).toBe('an image');
  });

  test('hands out documents of a depth that can be walked, and says which were cut', async () => {
    const records = [];
    for await (const record of isolation.read(sourceOf([]), sniffed('mbox'))) records.push(record);
    expect(records).toMatchObject([
      { at: '1', json: '{"a":"b"}', isCut: false },
      { at: '2', isCut: true },
    ]);
    expect(records[1]?.json.length).toBeLessThan(1000);
  });

  test.each([
    ['calls itself without end', 'docx', 'it is nested too deeply to be read'],
    ['fails with words of its library', 'pptx', 'it cannot be read: the first line'],
  ] as const)('that %s is told in words', async (_, format, problem) => {
    await expect(read(format)).rejects.toThrow(problem);
    expect(await read('text')).toEqual([{ bytes: 3 }, { bytes: 7 }]);
  });

  test('lists tables', async () => {
    expect(await isolation.tables(sourceOf([]), sniffed('sqlite'))).toEqual(['one', 'two']);
  });

  test('is told about its own failure after what it could read', async () => {
    const docs: object[] = [];
    await expect(async () => {
      for await (const { json } of isolation.read(sourceOf([]), sniffed('csv'))) {
        docs.push(JSON.parse(json));
      }
    }).rejects.toThrow('row 2 is broken');
    expect(docs).toEqual([{ a: 1 }]);
  });

  test.each([
    ['runs without end', 'pdf', /no sign of life for 3 s/],
    ['waits without end', 'html', /no sign of life for 3 s/],
    ['ends the thread', 'xml', /its reader ended/],
  ] as const)('that %s is ended, and the next file has another', async (_, format, problem) => {
    await expect(read(format)).rejects.toThrow(problem);
    expect(await read('text')).toEqual([{ bytes: 3 }, { bytes: 7 }]);
  });

  test('that grows without end is ended by its memory, and the next file has another', async () => {
    await isolation.close();
    // Reaching the memory limit takes time on a busy machine.
    isolation = new Isolation({ ...LIMITS, silentMs: 60_000 }, SCRIPT);
    isolation.begin(1);
    await expect(read('yaml')).rejects.toThrow(/more than 48 MiB of memory/);
    expect(await read('text')).toEqual([{ bytes: 3 }, { bytes: 7 }]);
  }, 60_000);

  test('that is slow all in all is ended, and a larger file has more time', async () => {
    await isolation.close();
    isolation = new Isolation({ ...LIMITS, fileMs: 400, silentMs: 60_000 }, SCRIPT);
    isolation.begin(1);
    await expect(read('email')).rejects.toThrow(
      'it takes longer to read than a file of its size may',
    );
    isolation.begin(120 << 20);
    expect(await read('email')).toHaveLength(20);
  });

  test('whose source fails is told so', async () => {
    const broken: ByteSource = {
      path: 'x',
      size: 1,
      // biome-ignore lint/correctness/useYield: it fails before
      async *chunks() {
        throw new Error('the zip is cut');
      },
    };
    const reading = isolation.read(broken, sniffed('text'))[Symbol.asyncIterator]();
    await expect(reading.next()).rejects.toThrow('the zip is cut');
  });
});
