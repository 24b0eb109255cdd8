// Which reader reads which format: the one table. Libraries are loaded when the first such file comes up.
import type { Format, Sniffed } from '../sniff.js';
import { BrokenFile, type ByteSource, type FileRecord } from '../source.js';
import type { Reader } from './reader.js';

/** What holds files, which are read by themselves. */
export type Container = 'gzip' | 'zip' | 'tar';

const prose = (): Promise<typeof import('./prose.js')> => import('./prose.js');

const READERS: Readonly<Record<Exclude<Format, Container>, Reader>> = {
  json: {
    family: 'records',
    read: async function* (source, { encoding }) {
      yield* (await import('./json.js')).readJson(source, encoding);
    },
  },
  ndjson: {
    family: 'records',
    read: async function* (source, { encoding }) {
      yield* (await import('./json.js')).readNdjson(source, encoding);
    },
  },
  csv: {
    family: 'records',
    plainTexts: true,
    read: async function* (source, { encoding, dialect }) {
      if (dialect === undefined) throw new BrokenFile('a table of no known dialect');
      yield* (await import('./csv.js')).readCsv(source, encoding, dialect);
    },
  },
  log: {
    family: 'logs',
    read: async function* (source, { encoding }) {
      yield* (await import('./log.js')).readLog(source, encoding);
    },
  },
  markdown: {
    family: 'documents',
    // Its front matter is YAML.
    isolated: true,
    read: async function* (source, { encoding }) {
      yield* (await prose()).readMarkdown(source, encoding);
    },
  },
  html: {
    family: 'documents',
    isolated: true,
    read: async function* (source, { encoding }) {
      yield* (await prose()).readHtml(source, encoding);
    },
  },
  text: {
    family: 'documents',
    read: async function* (source, { encoding }) {
      yield* (await prose()).readText(source, encoding);
    },
  },
  code: {
    family: 'code',
    read: async function* (source, { encoding, language }) {
      yield* (await prose()).readCode(source, encoding, language ?? 'text');
    },
  },
  yaml: {
    family: 'records',
    isolated: true,
    read: async function* (source, { encoding }) {
      yield* (await import('./yaml.js')).readYaml(source, encoding);
    },
  },
  xml: {
    family: 'records',
    plainTexts: true,
    isolated: true,
    read: async function* (source, { encoding }) {
      yield* (await import('./xml.js')).readXml(source, encoding);
    },
  },
  email: {
    family: 'mail',
    isolated: true,
    read: async function* (source) {
      yield* (await import('./mail.js')).readEmail(source);
    },
  },
  mbox: {
    family: 'mail',
    isolated: true,
    read: async function* (source) {
      yield* (await import('./mail.js')).readMbox(source);
    },
  },
  pdf: {
    family: 'documents',
    isolated: true,
    read: async function* (source) {
      yield* (await import('./pdf.js')).readPdf(source);
    },
  },
  docx: {
    family: 'documents',
    isolated: true,
    read: async function* (source) {
      yield* (await import('./docx.js')).readDocx(source);
    },
  },
  pptx: {
    family: 'documents',
    isolated: true,
    read: async function* (source) {
      yield* (await import('./pptx.js')).readPptx(source);
    },
  },
  epub: {
    family: 'documents',
    isolated: true,
    read: async function* (source) {
      yield* (await import('./epub.js')).readEpub(source);
    },
  },
  xlsx: {
    family: 'records',
    isolated: true,
    tables: async (source) => (await import('./xlsx.js')).tablesOfXlsx(source),
    read: async function* (source, { table }) {
      yield* (await import('./xlsx.js')).readXlsx(source, table);
    },
  },
  sqlite: {
    family: 'records',
    isolated: true,
    apart: true,
    tables: async (source) => (await import('./sqlite.js')).tablesOfSqlite(source),
    read: async function* (source, { table }) {
      yield* (await import('./sqlite.js')).readSqlite(source, table);
    },
  },
  parquet: {
    family: 'records',
    isolated: true,
    read: async function* (source) {
      yield* (await import('./parquet.js')).readParquet(source);
    },
  },
};

/** The reader of what was sniffed. BrokenFile says why there is none. */
export function readerOf({ format }: Sniffed): Reader {
  if (isContainer(format)) throw new BrokenFile(`a ${format} archive inside another file`);
  return READERS[format];
}

export function isContainer(format: Format): format is Container {
  return format === 'gzip' || format === 'zip' || format === 'tar';
}

/** Documents of the source, read in this thread; rejects with BrokenFile where it cannot go on. */
export async function* readRecords(
  source: ByteSource,
  sniffed: Sniffed,
): AsyncIterable<FileRecord> {
  yield* readerOf(sniffed).read(source, sniffed);
}
