// Builds files of formats without an editor: zips of XML, and PDFs.
import { Buffer } from 'node:buffer';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { ZipFile } from 'yazl';
import type { Sniffer } from '../../../src/autoindex/file-part.ts';
import { sniffHead } from '../../../src/autoindex/sniff.ts';
import type { ByteSource } from '../../../src/autoindex/source.ts';

export type Entries = Readonly<Record<string, string | Uint8Array>>;

export async function zipOf(entries: Entries): Promise<Uint8Array> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries)) {
    zip.addBuffer(Buffer.from(content), name, { compress: name !== 'mimetype' });
  }
  zip.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** Reads bytes in memory, in pieces of `step`. */
export function sourceOf(bytes: Uint8Array, path = 'notes/some-file.dat', step = 1000): ByteSource {
  return {
    path,
    size: bytes.length,
    async *chunks() {
      for (let i = 0; i < bytes.length; i += step) yield bytes.subarray(i, i + step);
    },
  };
}

const PACKAGE = 'application/vnd.openxmlformats-officedocument.';

function contentTypes(main: string, type: string): string {
  return `<?xml version="1.0"?><Types xmlns="t"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="${PACKAGE}${type}.main+xml"/></Types>`;
}

export function relations(targets: Readonly<Record<string, readonly [string, string]>>): string {
  const all = Object.entries(targets).map(
    ([id, [kind, to]]) => `<Relationship Id="${id}" Type="http://x/${kind}" Target="${to}"/>`,
  );
  return `<?xml version="1.0"?><Relationships xmlns="r">${all.join('')}</Relationships>`;
}

export const CORE = `<?xml version="1.0"?><cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Harbour report</dc:title><dc:creator>Ann Bell</dc:creator><dcterms:created>2026-01-02T03:04:05Z</dcterms:created></cp:coreProperties>`;

/** `body`: the content of the element of that name. */
export function docxOf(body: string, more: Entries = {}): Promise<Uint8Array> {
  return zipOf({
    '[Content_Types].xml': contentTypes('word/document.xml', 'wordprocessingml.document'),
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    ...more,
  });
}

/** One slide for each entry, with `title` and `text` as its two shapes. */
export function pptxOf(slides: readonly { title: string; text: string }[]): Promise<Uint8Array> {
  const entries: Record<string, string> = {
    '[Content_Types].xml': contentTypes('ppt/presentation.xml', 'presentationml.presentation'),
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      // The file names do not correspond to the order.
      Object.fromEntries(
        slides.map((_, i) => [`rId${i}`, ['slide', `slides/slide${slides.length - i}.xml`]]),
      ),
    ),
  };
  for (const [i, { title, text }] of slides.entries()) {
    entries[`ppt/slides/slide${slides.length - i}.xml`] =
      `<p:sld xmlns:p="p" xmlns:a="a"><p:sp><p:ph type="title"/><a:p><a:r><a:t>${title}</a:t></a:r></a:p></p:sp><p:sp><p:ph idx="1"/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sp><p:sp><p:ph type="sldNum"/><a:p><a:t>99</a:t></a:p></p:sp></p:sld>`;
  }
  return zipOf(entries);
}

/** One chapter for each text; `metadata` is XML. */
export function epubOf(
  chapters: readonly string[],
  metadata: string,
  more: Entries = {},
): Promise<Uint8Array> {
  const items = chapters.map(
    (_, i) => `<item id="c${i}" href="text/chapter%20${i}.xhtml" media-type="x"/>`,
  );
  const entries: Record<string, string | Uint8Array> = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf': `<package xmlns:dc="dc"><metadata>${metadata}</metadata><manifest>${items.join('')}</manifest><spine>${chapters.map((_, i) => `<itemref idref="c${i}"/>`).join('')}</spine></package>`,
    ...more,
  };
  for (const [i, chapter] of chapters.entries()) {
    entries[`OPS/text/chapter ${i}.xhtml`] = `<html><body>${chapter}</body></html>`;
  }
  return zipOf(entries);
}

/** One page for each text. `info`: entries of the dictionary of that name. */
export function pdfOf(pages: readonly string[], info = ''): Uint8Array {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>'];
  const kids = pages.map((_, i) => `${5 + 2 * i} 0 R`).join(' ');
  objects.push(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>', `<< ${info} >>`);
  for (const [i, text] of pages.entries()) {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${6 + 2 * i} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    );
    const lines = text.split('\n').map((line) => `(${line}) Tj 0 -20 Td`);
    const content = text === '' ? '' : `BT /F1 12 Tf 72 720 Td ${lines.join(' ')} ET`;
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  let file = '%PDF-1.4\n';
  const places: number[] = [];
  for (const [i, object] of objects.entries()) {
    places.push(file.length);
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R >>`;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** A cell of a sheet: `x` as a number, a string, a boolean; or literal XML. */
export type CellOf = string | number | boolean | null | { readonly xml: string };

export interface SheetOf {
  readonly name: string;
  readonly rows: readonly (readonly CellOf[])[];
}

/**
 * Strings are shared. Style 1 is a date, style 2 a date and time, style 3 a time, style 4 a
 * duration in hours.
 */
export function xlsxOf(sheets: readonly SheetOf[], more: Entries = {}): Promise<Uint8Array> {
  const texts: string[] = [];
  const cell = (value: CellOf): string => {
    if (value === null) return '<c/>';
    if (typeof value === 'object') return value.xml;
    if (typeof value === 'string') return `<c t="s"><v>${texts.push(value) - 1}</v></c>`;
    return typeof value === 'boolean'
      ? `<c t="b"><v>${value ? 1 : 0}</v></c>`
      : `<c><v>${value}</v></c>`;
  };
  const entries: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': contentTypes('xl/workbook.xml', 'spreadsheetml.sheet'),
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${sheets.map(({ name }, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({
      ...Object.fromEntries(sheets.map((_, i) => [`rId${i}`, ['worksheet', `sheets/s${i}.xml`]])),
      styles: ['styles', 'styles.xml'],
      texts: ['sharedStrings', 'sharedStrings.xml'],
    }),
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-409]d\\ mmm\\ yyyy &quot;at&quot; hh:mm"/><numFmt numFmtId="165" formatCode="[h]:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="20"/><xf numFmtId="165"/></cellXfs></styleSheet>',
  };
  for (const [i, { rows }] of sheets.entries()) {
    const all = rows.map((row, at) => `<row r="${at + 1}">${row.map(cell).join('')}</row>`);
    entries[`xl/sheets/s${i}.xml`] =
      `<worksheet><sheetData>${all.join('')}</sheetData></worksheet>`;
  }
  entries['xl/sharedStrings.xml'] =
    `<sst>${texts.map((text) => `<si><r><t>${text}</t></r><rPh><t>sound</t></rPh></si>`).join('')}</sst>`;
  return zipOf({ ...entries, ...more });
}

type ParquetOptions = Omit<Parameters<typeof parquetWriteBuffer>[0], 'columnData'>;

export function parquetOf(rows: number, options: ParquetOptions = {}): Uint8Array {
  const each = <T>(make: (i: number) => T): T[] => Array.from({ length: rows }, (_, i) => make(i));
  const buffer = parquetWriteBuffer({
    columnData: [
      { name: 'id', data: each(BigInt), type: 'INT64' },
      { name: 'name', data: each((i) => `item ${i}`), type: 'STRING' },
      { name: 'price', data: each((i) => i + 0.5), type: 'DOUBLE' },
      { name: 'sold', data: each((i) => i % 2 === 0), type: 'BOOLEAN' },
      { name: 'seen', data: each((i) => new Date(1.7e12 + i)), type: 'TIMESTAMP' },
    ],
    ...options,
  });
  return new Uint8Array(buffer);
}

/** Detects kinds on this thread. */
export const SNIFFER: Sniffer = { sniff: async (head, path) => sniffHead(head, path) };
