// Tar archives: their entries read in any order, and hostile archives.
import { packTar, type TarEntry } from 'modern-tar';
import { describe, expect, test } from 'vitest';
import type { BadPart, FilePart } from '../../src/autoindex/file-part.ts';
import type { ByteSource } from '../../src/autoindex/source.ts';
import { tarParts } from '../../src/autoindex/tar.ts';
import { docxOf, SNIFFER, sourceOf } from './tools/files.ts';

/** Read size for large archives. */
const STEP = 64 << 10;
const file = (name: string, body: string | Uint8Array): TarEntry => ({
  header: { name, size: Buffer.byteLength(body), type: 'file' },
  body,
});

async function textOf(part: FilePart | BadPart | undefined): Promise<string> {
  if (part === undefined || 'problem' in part) return `! ${part?.problem}`;
  const chunks: Uint8Array[] = [];
  for await (const chunk of part.source.chunks()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Counts how often reading starts, and how many readers are still open. */
function counted(bytes: Uint8Array, step = STEP): ByteSource & { begun: number; open: number } {
  const source = {
    ...sourceOf(bytes),
    begun: 0,
    open: 0,
    async *chunks() {
      source.begun += 1;
      source.open += 1;
      try {
        yield* sourceOf(bytes, 'a.tar', step).chunks();
      } finally {
        source.open -= 1;
      }
    },
  };
  return source;
}

/** Changes a header and corrects its checksum. */
function forged(tar: Uint8Array, at: number, text: string): Uint8Array {
  const bytes = new Uint8Array(tar);
  bytes.set(Buffer.from(text), at);
  bytes.fill(32, 148, 156);
  const sum = bytes.subarray(0, 512).reduce((all, byte) => all + byte, 0);
  bytes.set(Buffer.from(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
  return bytes;
}

const rows = (n: number): string =>
  `id,name\n${Array.from({ length: n }, (_, i) => `${i},name ${i}\n`).join('')}`;

describe('a tar', () => {
  test('its files with their kinds; what is added once more replaces', async () => {
    const tar = await packTar([
      { header: { name: 'data/', type: 'directory', size: 0 } },
      file('data/a.csv', rows(5)),
      { header: { name: 'link', type: 'symlink', linkname: '/etc/passwd', size: 0 } },
      file('empty', ''),
      file(`${'long/'.repeat(40)}b.json`, '{"a": 1,\n "b": [2]}'),
      file('report.docx', await docxOf('<w:p><w:t>text</w:t></w:p>')),
      file('data/a.csv', rows(6)),
    ]);
    const parts = await tarParts(sourceOf(tar), SNIFFER);
    expect(parts.map((part) => [part.entry, 'sniffed' in part && part.sniffed.format])).toEqual([
      ['data/a.csv', 'csv'],
      [`${'long/'.repeat(40)}b.json`, 'json'],
      ['report.docx', 'docx'],
    ]);
    expect(await textOf(parts[0])).toBe(rows(6));
  });

  test('is read from its start once for all entries, again for each that comes too late', async () => {
    const big = rows(250_000);
    const texts = ['one', big, 'three', 'four'];
    const source = counted(await packTar(texts.map((text, i) => file(`${i}.txt`, text))));
    const parts = await tarParts(source, SNIFFER);
    expect(source).toMatchObject({ begun: 1, open: 0 });
    for (const [i, part] of parts.entries()) expect(await textOf(part)).toBe(texts[i]);
    expect(source).toMatchObject({ begun: 2, open: 0 });
    // Each of the first two is read twice: the start of an entry is cached, the rest of a large one
    // is not.
    for (const i of [0, 0, 1, 1, 3]) expect(await textOf(parts[i])).toBe(texts[i]);
    expect(source).toMatchObject({ begun: 4, open: 0 });
  });

  test('a reading that stops early disturbs no other', async () => {
    const source = counted(await packTar([file('a', rows(9000)), file('b', 'second')]));
    const [a, b] = await tarParts(source, SNIFFER);
    for await (const _ of (a as FilePart).source.chunks()) break;
    expect(await textOf(a)).toBe(rows(9000));
    for await (const _ of (a as FilePart).source.chunks()) break;
    expect(await textOf(b)).toBe('second');
    expect(source.open).toBe(0);
  });
});

describe('a hostile tar', () => {
  test.each([
    '../up.txt',
    '/etc/x.txt',
    'a/../../x.txt',
    'a\\..\\x.txt',
  ])('the name %s is told, the others are read', async (name) => {
    const parts = await tarParts(
      sourceOf(await packTar([file(name, 'x'), file('b', 'ok')])),
      SNIFFER,
    );
    expect(parts[0]).toEqual({ entry: name, problem: 'its path leaves the archive' });
    expect(await textOf(parts[1])).toBe('ok');
  });

  test('a size that is a lie', async () => {
    const tar = forged(await packTar([file('a.txt', 'some words')]), 124, '77777777777');
    const parts = await tarParts(sourceOf(tar), SNIFFER);
    expect(parts.at(-1)).toMatchObject({ problem: expect.stringMatching(/tar is broken/) });
    expect(await textOf(parts[0])).toMatch(/^!|words/);
  });

  test('a header that was changed', async () => {
    const tar = new Uint8Array(await packTar([file('a.txt', 'some words')]));
    tar[0] = 66;
    expect(await tarParts(sourceOf(tar), SNIFFER)).toEqual([
      { entry: undefined, problem: expect.stringMatching(/tar is broken/) },
    ]);
  });

  test.each([
    [100, []],
    [600, ['some words']],
    [3000, ['some words']],
    [5100, ['some words', 'x'.repeat(3000)]],
  ])('cut after %i bytes it is told, and what stands before the cut is read', async (end, texts) => {
    const tar = await packTar([file('a.txt', 'some words'), file('b.txt', 'x'.repeat(3000))]);
    const source = counted(tar.subarray(0, end), 500);
    const parts = await tarParts(source, SNIFFER);
    expect(parts.at(-1)).toMatchObject({ entry: undefined, problem: expect.any(String) });
    const found: string[] = [];
    for (const part of parts.slice(0, -1)) found.push(await textOf(part));
    expect(found).toEqual(texts);
    expect(source.open).toBe(0);
  });

  test('more entries than are read', async () => {
    const many = Array.from({ length: 20_001 }, (_, i) => file(String(i), ''));
    const parts = await tarParts(sourceOf(await packTar(many), 'a.tar', STEP), SNIFFER);
    expect(parts).toEqual([{ entry: undefined, problem: 'more than 20000 entries' }]);
  });
});
