// PDF: a document for each page with text. Scanned pages have none.
import { getDocumentProxy } from 'unpdf';
import { BrokenFile, type ByteSource, type FileRecord, wholeOf } from '../source.js';
import { tidyProperties } from './office.js';
import { MAX_PROSE_CHARACTERS, partsOf, tidy, titleFromPath } from './prose.js';

const MAX_PDF_BYTES = 128 << 20;
const MAX_PAGES = 20_000;
/** A word that is hyphenated at the end of a line. */
const PARTED = /(?<=\p{Ll})-\n(?=\p{Ll})/gu;

/** The part of the library's interface that is used; its own types cannot be resolved from here. */
interface Pdf {
  readonly numPages: number;
  readonly loadingTask: { destroy(): Promise<void> };
  getMetadata(): Promise<{ readonly info: unknown }>;
  getPage(number: number): Promise<{
    getTextContent(): Promise<{ readonly items: readonly Item[] }>;
    cleanup(): void;
  }>;
}

/** A run of characters; marked-content items have no text. */
interface Item {
  readonly str?: string;
  readonly hasEOL?: boolean;
}

export async function* readPdf(source: ByteSource): AsyncIterable<FileRecord> {
  const pdf = await opened(await wholeOf(source, MAX_PDF_BYTES));
  try {
    const pages = pdf.numPages;
    if (pages > MAX_PAGES) throw new BrokenFile(`more than ${MAX_PAGES} pages`);
    const properties = await propertiesOf(pdf);
    const title = properties['title'] ?? titleFromPath(source.path);
    let characters = 0;
    for (let page = 1; page <= pages; page++) {
      const text = await textOf(pdf, page);
      characters += text.length;
      if (characters > MAX_PROSE_CHARACTERS) {
        throw new BrokenFile(`more than ${MAX_PROSE_CHARACTERS} characters`);
      }
      for (const { at, doc } of partsOf(text, { ...properties, title, page, pages })) {
        yield { at: `${page}.${at}`, doc };
      }
    }
    if (characters === 0) throw new BrokenFile('a PDF without text: its pages are pictures');
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function opened(bytes: Uint8Array): Promise<Pdf> {
  try {
    // A copy, because the library takes ownership of its input. Nothing is rendered or executed.
    return await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      disableFontFace: true,
      useSystemFonts: false,
      stopAtErrors: false,
    });
  } catch (error) {
    const { name, message } = error as Error;
    throw new BrokenFile(
      name === 'PasswordException' ? 'is locked with a password' : `no PDF: ${message}`,
    );
  }
}

async function textOf(pdf: Pdf, number: number): Promise<string> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map(({ str = '', hasEOL }) => (hasEOL === true ? `${str}\n` : str));
    page.cleanup();
    return tidy(text.join('')).replace(PARTED, '');
  } catch (error) {
    throw new BrokenFile(`page ${number}: ${(error as Error).message}`);
  }
}

async function propertiesOf(pdf: Pdf): Promise<Readonly<Record<string, string>>> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  const reported = info as Readonly<Record<string, unknown>>;
  const found: Record<string, string> = {};
  const names = { title: 'Title', author: 'Author', subject: 'Subject', keywords: 'Keywords' };
  for (const [name, key] of Object.entries(names)) {
    const value = reported[key];
    if (typeof value === 'string') found[name] = value.slice(0, 2000);
  }
  const created = momentOf(reported['CreationDate']);
  return tidyProperties(created === undefined ? found : { ...found, created });
}

/** Parses a PDF date such as `D:20260102030405+01'00'`; trailing components may be missing. */
function momentOf(value: unknown): string | undefined {
  const form = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-]\d\d)'?(\d\d)?'?)?/.exec(
    String(value),
  );
  if (form === null) return undefined;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zone] = form;
  const offset = zone === undefined ? 'Z' : `${zone}:${form[8] ?? '00'}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`;
}
