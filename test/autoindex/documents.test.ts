// Office documents, books and PDFs: the text that is read, and the report of hostile ones.
import { describe, expect, test } from 'vitest';
import { partOf } from '../../src/autoindex/file-part.ts';
import { openArchive } from '../../src/autoindex/formats/archive.ts';
import { readRecords } from '../../src/autoindex/formats/index.ts';
import type { FileRecord } from '../../src/autoindex/source.ts';
import {
  CORE,
  docxOf,
  epubOf,
  pdfOf,
  pptxOf,
  relations,
  SNIFFER,
  sourceOf,
  zipOf,
} from './tools/files.ts';

async function recordsOf(bytes: Uint8Array): Promise<readonly FileRecord[]> {
  const part = await partOf(undefined, sourceOf(bytes), SNIFFER);
  if ('problem' in part) throw new Error(part.problem);
  const records: FileRecord[] = [];
  for await (const record of readRecords(part.source, part.sniffed)) records.push(record);
  return records;
}

async function docsOf(bytes: Uint8Array): Promise<readonly Record<string, unknown>[]> {
  return (await recordsOf(bytes)).map(({ doc }) => doc);
}

const paragraph = (text: string, style = ''): string =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/><w:tabs><w:tab/></w:tabs></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;

describe('a document of Word', () => {
  test('its words, headings, tables and notes, and who wrote it', async () => {
    const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`;
    const twice =
      '<mc:AlternateContent><mc:Choice><w:p><w:t>box</w:t></w:p></mc:Choice><mc:Fallback><w:p><w:t>box</w:t></w:p></mc:Fallback></mc:AlternateContent>';
    const bytes = await docxOf(
      `${paragraph('Tides &amp; ships', 'berschrift1')}${paragraph('First <w:t/>')}<w:tbl><w:tr>${cell('pier')}${cell('depth')}</w:tr><w:tr>${cell('north')}${cell('12')}</w:tr></w:tbl>${twice}<w:p><w:del><w:delText>gone</w:delText></w:del><w:t>a</w:t><w:br/><w:t>b</w:t></w:p>`,
      {
        'word/_rels/document.xml.rels': relations({
          r1: ['styles', 'styles.xml'],
          r2: ['footnotes', '/word/footnotes.xml'],
        }),
        'word/styles.xml':
          '<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style></w:styles>',
        'word/footnotes.xml': `<w:footnotes>${paragraph('a note')}</w:footnotes>`,
        'docProps/core.xml': CORE,
      },
    );
    expect(await docsOf(bytes)).toEqual([
      {
        title: 'Harbour report',
        author: 'Ann Bell',
        created: '2026-01-02T03:04:05.000Z',
        body: '# Tides & ships\nFirst\npier | depth\nnorth | 12\nbox\na\nb\na note',
      },
    ]);
  });

  test('without properties its first heading is the title; a long one has parts', async () => {
    const bytes = await docxOf(
      paragraph('The heading', 'Heading2') + paragraph('word '.repeat(500)).repeat(30),
    );
    const docs = await docsOf(bytes);
    expect(docs.length).toBeGreaterThan(2);
    expect(docs[1]).toMatchObject({ title: 'The heading (2)', part: 2, parts: docs.length });
  });
});

test('slides in the order of the talk, each with its title', async () => {
  const bytes = await pptxOf([
    { title: 'Harbour', text: 'one' },
    { title: '', text: 'two' },
    { title: '', text: '' },
  ]);
  expect(await docsOf(bytes)).toEqual([
    { title: 'Harbour', slide: 1, slides: 3, heading: 'Harbour', body: 'one' },
    { title: 'Harbour', slide: 2, slides: 3, body: 'two' },
  ]);
});

describe('a book', () => {
  const about =
    '<dc:title>Sea</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bo</dc:creator><dc:language>en</dc:language><dc:date>1999</dc:date>';

  test('its chapters', async () => {
    const bytes = await epubOf(['<h1>Fog</h1><p>Grey.</p>', '<p>Sun.</p>'], about);
    const shared = {
      title: 'Sea',
      author: 'Ann, Bo',
      language: 'en',
      created: '1999-01-01T00:00:00.000Z',
    };
    expect(await recordsOf(bytes)).toEqual([
      {
        at: '1.1',
        doc: { ...shared, chapter: 1, chapters: 2, heading: 'Fog', body: 'Fog\n\nGrey.' },
      },
      { at: '2.1', doc: { ...shared, chapter: 2, chapters: 2, body: 'Sun.' } },
    ]);
  });

  test('that is locked is told', async () => {
    const locks =
      '<encryption><EncryptedData><CipherReference URI="OPS/text/chapter%200.xhtml"/></EncryptedData></encryption>';
    const bytes = await epubOf(['\u0001\u0002'], about, { 'META-INF/encryption.xml': locks });
    await expect(docsOf(bytes)).rejects.toThrow('is encrypted');
  });
});

describe('a PDF', () => {
  const info = "/Title (Harbour) /Author (Ann) /CreationDate (D:20260102030405+01'00')";

  test('its pages', async () => {
    const shared = {
      title: 'Harbour',
      author: 'Ann',
      created: '2026-01-02T02:04:05.000Z',
      pages: 3,
    };
    expect(await recordsOf(pdfOf(['one line\nand twen-\nty, A-\nB', '', 'last'], info))).toEqual([
      { at: '1.1', doc: { ...shared, page: 1, body: 'one line\nand twenty, A-\nB' } },
      { at: '3.1', doc: { ...shared, page: 3, body: 'last' } },
    ]);
  });

  const whole = pdfOf(['some text'], info);
  test.each([
    ['cut in the middle', whole.subarray(0, whole.length / 2), /no PDF/],
    ['a first line alone', Buffer.from('%PDF-1.7\n'), /no PDF/],
    ['pictures alone', pdfOf(['', '']), /without text/],
    [
      'pages that are each other',
      Buffer.from(Buffer.from(whole).toString('latin1').replace('[5 0 R]', '[2 0 R]'), 'latin1'),
      /./,
    ],
  ])('%s', async (_, bytes, problem) => {
    await expect(docsOf(bytes)).rejects.toThrow(problem);
  });
});

describe('a hostile package', () => {
  test('a bomb', async () => {
    const bytes = await docxOf(paragraph('a'.repeat(24 << 20)));
    expect(bytes.length).toBeLessThan(100_000);
    await expect(docsOf(bytes)).rejects.toThrow(/times its size/);
  });

  test('declared entities are not put in', async () => {
    const bytes = await docxOf('', {
      'word/document.xml':
        '<?xml version="1.0"?><!DOCTYPE d [<!ENTITY b "bbbb">]><w:document><w:p><w:t>x&b;</w:t></w:p></w:document>',
    });
    expect(JSON.stringify(await docsOf(bytes))).not.toContain('bbbb');
  });

  test.each([
    ['a part that is cut', docxOf('', { 'word/document.xml': '<w:document><w:p>' }), /closed/],
    [
      'elements without end',
      docxOf('', { 'word/document.xml': '<a>'.repeat(5000) }),
      /deeper than 1000/,
    ],
    [
      'no main part',
      docxOf('', {
        '[Content_Types].xml': '<Override PartName="/x" ContentType="word.main+xml"/>',
      }),
      /part \[x\] is missing/,
    ],
    [
      'an OpenDocument',
      zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<a/>' }),
      /opendocument\.text\], which autoindex does not read/,
    ],
    ['an unknown package', zipOf({ '[Content_Types].xml': '<Types/>' }), /neither a document/],
    ['an archive in an archive', zipOf({ 'a.txt': 'x' }), /zip archive inside/],
  ])('%s', async (_, bytes, problem) => {
    await expect(docsOf(await bytes)).rejects.toThrow(problem);
  });

  test('each cut is told, none is read as something else', async () => {
    const bytes = await epubOf(['<p>text</p>'], '<dc:title>T</dc:title>');
    for (let end = 30; end < bytes.length; end += 97) {
      await expect(docsOf(bytes.subarray(0, end))).rejects.toThrow();
    }
  });

  test('more than it may unpack to, and more entries than it may have', async () => {
    const bytes = await docxOf(paragraph('x'.repeat(10_000)));
    const limits = { packedBytes: 1 << 20, entries: 10, unpackedBytes: 5000 };
    const archive = await openArchive(sourceOf(bytes), limits);
    const read = async (): Promise<void> => {
      for await (const _ of archive.chunks('word/document.xml'));
    };
    await expect(read()).rejects.toThrow('unpacks to more than 5000 bytes');
    await expect(openArchive(sourceOf(bytes), { ...limits, entries: 1 })).rejects.toThrow(
      'more than 1 entries',
    );
  });
});
