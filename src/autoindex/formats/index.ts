// The table of readers by format. Libraries are loaded when the first file of their format is read.
import type { Format, SniffResult } from '../sniff.js';
import { BrokenFile, type ByteSource, type FileRecord } from '../source.js';
import type { Reader } from './reader.js';

/** Formats that contain files, which are read individually. */
export type Container = 'gzip' | 'zip' | 'tar';

const json = (): Promise<typeof import('./json.js')> => import('./json.js');
const csv = (): Promise<typeof import('./csv.js')> => import('./csv.js');
const log = (): Promise<typeof import('./log.js')> => import('./log.js');
const prose = (): Promise<typeof import('./prose.js')> => import('./prose.js');
const yaml = (): Promise<typeof import('./yaml.js')> => import('./yaml.js');
const xml = (): Promise<typeof import('./xml.js')> => import('./xml.js');
const mail = (): Promise<typeof import('./mail.js')> => import('./mail.js');
const pdf = (): Promise<typeof import('./pdf.js')> => import('./pdf.js');
const docx = (): Promise<typeof import('./docx.js')> => import('./docx.js');
const pptx = (): Promise<typeof import('./pptx.js')> => import('./pptx.js');
const epub = (): Promise<typeof import('./epub.js')> => import('./epub.js');
const xlsx = (): Promise<typeof import('./xlsx.js')> => import('./xlsx.js');
const sqlite = (): Promise<typeof import('./sqlite.js')> => import('./sqlite.js');
const parquet = (): Promise<typeof import('./parquet.js')> => import('./parquet.js');

const READERS: Readonly<Record<Exclude<Format, Container>, Reader>> = {
  json: {
    family: 'records',
    load: json,
    read: async function* (source, { encoding }) {
      yield* (await json()).readJson(source, encoding);
    },
  },
  ndjson: {
    family: 'records',
    load: json,
    read: async function* (source, { encoding }) {
      yield* (await json()).readNdjson(source, encoding);
    },
  },
  csv: {
    family: 'records',
    load: csv,
    plainTexts: true,
    read: async function* (source, { encoding, dialect }) {
      if (dialect === undefined) throw new BrokenFile('a table in an unknown dialect');
      yield* (await csv()).readCsv(source, encoding, dialect);
    },
  },
  log: {
    family: 'logs',
    load: log,
    read: async function* (source, { encoding }) {
      yield* (await log()).readLog(source, encoding);
    },
  },
  markdown: {
    family: 'documents',
    load: prose,
    read: async function* (source, { encoding }) {
      yield* (await prose()).readMarkdown(source, encoding);
    },
  },
  html: {
    family: 'documents',
    load: prose,
    read: async function* (source, { encoding }) {
      yield* (await prose()).readHtml(source, encoding);
    },
  },
  text: {
    family: 'documents',
    load: prose,
    read: async function* (source, { encoding }) {
      yield* (await prose()).readText(source, encoding);
    },
  },
  code: {
    family: 'code',
    load: prose,
    read: async function* (source, { encoding, language }) {
      yield* (await prose()).readCode(source, encoding, language ?? 'text');
    },
  },
  yaml: {
    family: 'records',
    load: yaml,
    read: async function* (source, { encoding }) {
      yield* (await yaml()).readYaml(source, encoding);
    },
  },
  xml: {
    family: 'records',
    load: xml,
    plainTexts: true,
    read: async function* (source, { encoding }) {
      yield* (await xml()).readXml(source, encoding);
    },
  },
  email: {
    family: 'mail',
    load: mail,
    read: async function* (source) {
      yield* (await mail()).readEmail(source);
    },
  },
  mbox: {
    family: 'mail',
    load: mail,
    read: async function* (source) {
      yield* (await mail()).readMbox(source);
    },
  },
  pdf: {
    family: 'documents',
    load: pdf,
    read: async function* (source) {
      yield* (await pdf()).readPdf(source);
    },
  },
  docx: {
    family: 'documents',
    load: docx,
    read: async function* (source) {
      yield* (await docx()).readDocx(source);
    },
  },
  pptx: {
    family: 'documents',
    load: pptx,
    read: async function* (source) {
      yield* (await pptx()).readPptx(source);
    },
  },
  epub: {
    family: 'documents',
    load: epub,
    read: async function* (source) {
      yield* (await epub()).readEpub(source);
    },
  },
  xlsx: {
    family: 'records',
    load: xlsx,
    tables: async (source) => (await xlsx()).tablesOfXlsx(source),
    read: async function* (source, { table }) {
      yield* (await xlsx()).readXlsx(source, table);
    },
  },
  sqlite: {
    family: 'records',
    load: sqlite,
    apart: true,
    tables: async (source) => (await sqlite()).tablesOfSqlite(source),
    read: async function* (source, { table }) {
      yield* (await sqlite()).readSqlite(source, table);
    },
  },
  parquet: {
    family: 'records',
    load: parquet,
    read: async function* (source) {
      yield* (await parquet()).readParquet(source);
    },
  },
};

/** The reader of the detected format. Throws BrokenFile with the reason if there is none. */
export function readerOf({ format }: SniffResult): Reader {
  if (isContainer(format)) throw new BrokenFile(`a ${format} archive inside another file`);
  return READERS[format];
}

export function isContainer(format: Format): format is Container {
  return format === 'gzip' || format === 'zip' || format === 'tar';
}

/**
 * The documents of the source, read in this thread; throws BrokenFile where reading cannot
 * continue.
 */
export async function* readRecords(
  source: ByteSource,
  sniffed: SniffResult,
): AsyncIterable<FileRecord> {
  yield* readerOf(sniffed).read(source, sniffed);
}
