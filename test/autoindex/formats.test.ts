// Readers: the records that they read from a file, and the report of a broken one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecords } from '../../src/autoindex/formats/index.ts';
import { Inference } from '../../src/autoindex/infer.ts';
import { sniffHead } from '../../src/autoindex/sniff.ts';
import { type ByteSource, fileSource } from '../../src/autoindex/source.ts';

/** In pieces of `step` bytes, so that pieces end at every character. */
function sourceOf(text: string, step: number): ByteSource {
  const bytes = Buffer.from(text);
  return {
    path: 'notes/some-file.dat',
    size: bytes.length,
    async *chunks() {
      for (let i = 0; i < bytes.length; i += step) yield bytes.subarray(i, i + step);
    },
  };
}

async function docsOf(text: string, step = 3): Promise<readonly Record<string, unknown>[]> {
  const sniffed = sniffHead(Buffer.from(text), 'some-file.dat');
  if (typeof sniffed === 'string') throw new Error(sniffed);
  const docs: Record<string, unknown>[] = [];
  for await (const { doc } of readRecords(sourceOf(text, step), sniffed)) docs.push(doc);
  return docs;
}

describe('readers', () => {
  test.each([1, 2, 7, 1000])('a list of JSON in pieces of %i', async (step) => {
    const docs = [{ a: '],{"\\' }, { b: [1, { c: null }] }, { value: 3 }];
    expect(await docsOf(JSON.stringify([docs[0], docs[1], 3]), step)).toEqual(docs);
  });

  test('a list that an object wraps', async () => {
    expect(await docsOf('{"took": 1, "rows": [{"a": 1}, {"a": 2}]}')).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test('rows with quotes, empty cells and a second column of the same name', async () => {
    expect(await docsOf('id;a b;a b\n1;"x; ""y""";\n2;;z\n')).toEqual([
      { id: '1', a_b: 'x; "y"' },
      { id: '2', a_b_3: 'z' },
    ]);
  });

  test('an entry of a log keeps its lines', async () => {
    const log = '2026-01-02 10:00:00,123 ERROR down\n  at x\n2026-01-02 10:00:01 INFO up\n';
    expect(await docsOf(log)).toEqual([
      { '@timestamp': '2026-01-02T10:00:00.123Z', level: 'error', message: 'ERROR down\n  at x' },
      { '@timestamp': '2026-01-02T10:00:01Z', level: 'info', message: 'INFO up' },
    ]);
  });

  test('front matter and title', async () => {
    expect(await docsOf('---\ntitle: T\ntags: [a, b]\n---\n# H\ntext\n')).toEqual([
      { title: 'T', meta: { tags: ['a', 'b'] }, body: '# H\ntext\n' },
    ]);
  });

  test('a page shows its words, not its scripts', async () => {
    const page =
      '<!doctype html><title>T</title><script>x()</script><p>one <b>two</b><a href="/l">l</a>';
    expect(await docsOf(page)).toEqual([{ title: 'T', links: ['/l'], body: 'one twol' }]);
  });

  test.each([
    [
      'rows below the root',
      '<a><r x="1"/><r x="2"/></a>',
      [
        { element: 'r', x: '1' },
        { element: 'r', x: '2' },
      ],
    ],
    [
      'entries of a feed, and what stands beside them',
      '<rss v="2"><channel><title>T</title><item><t>1</t></item><item><t>2</t></item></channel></rss>',
      [
        { element: 'item', t: '1' },
        { element: 'item', t: '2' },
        { element: 'rss', v: '2', channel: { title: 'T' } },
      ],
    ],
    [
      'a whole where nothing repeats',
      '<a><b>1</b><c d="2">3</c></a>',
      [{ element: 'a', b: '1', c: { d: '2', text: '3' } }],
    ],
  ])('XML: %s', async (_, text, docs) => {
    expect(await docsOf(`<?xml version="1.0"?>${text}`)).toEqual(docs);
  });

  test('entities of an XML file are not put in', async () => {
    const bomb = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb">]><a><r><x>&b;</x></r></a>';
    expect(JSON.stringify(await docsOf(bomb))).not.toContain('bbbb');
  });

  test.each([
    ['JSON that is cut', '[{"a": 1}, {"a": '],
    ['JSON that is none', '{"a": 1}\n{"b": 2}\n{"c"}\n'],
    ['front matter that is none', '---\na: [\n---\ntext'],
    ['XML that is cut', '<?xml version="1.0"?><a><b>'],
    [
      'aliases without end',
      `a: &a [x, x, x]\n${'bcdefgh'.replace(/./g, (l) => `${l}: &${l} [${`*${String.fromCharCode(l.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`,
    ],
  ])('%s is told', async (_, text) => {
    await expect(docsOf(text)).rejects.toThrow();
  });
});

test('a text of any length is cut into parts that make it up again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-text-'));
  try {
    const path = join(folder, 'long-story.txt');
    const line = (i: number): string => `Line ${i} tells of harbours and of light, and of ships.\n`;
    const text = Array.from({ length: 160_000 }, (_, i) => line(i)).join('');
    writeFileSync(path, text);
    const bodies: unknown[] = [];
    const titles: unknown[] = [];
    const sniffed = { format: 'text', encoding: 'utf-8' } as const;
    for await (const { at, doc } of readRecords(
      fileSource('long-story.txt', path, text.length),
      sniffed,
    )) {
      bodies.push(doc['body']);
      titles.push(doc['title']);
      expect(at).toBe(String(bodies.length));
    }
    expect(bodies.join('')).toBe(text);
    expect(titles.slice(0, 2)).toEqual(['long story', 'long story (2)']);
    expect(new Set(titles).size).toBe(bodies.length);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('types and roles by samples', () => {
  const inference = new Inference(true);
  for (let i = 0; i < 20; i++) {
    inference.add({
      n: String(i),
      price: `${i}.5`,
      code: `0${i}`,
      day: `${10 + i}.01.2026`,
      at: '2026-01-02T10:00:00Z',
      kind: i % 2 === 0 ? 'new' : 'old',
      about: 'a sentence of quite a few words that somebody would read for pleasure',
      host: '10.0.0.1',
    });
  }
  const fields = inference.fields();
  expect(Object.fromEntries(Object.entries(fields).map(([k, f]) => [k, [f.type, f.role]]))).toEqual(
    {
      n: ['long', 'number'],
      price: ['double', 'number'],
      code: ['keyword', 'id'],
      day: ['date', 'date'],
      at: ['date', 'date'],
      kind: ['keyword', 'category'],
      about: ['text', 'text'],
      host: ['ip', 'address'],
    },
  );
  expect(fields['day']?.format).toBe('dd.MM.yyyy');
});
