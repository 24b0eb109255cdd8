// A dry run over a folder of binary and office files: datasets, the types of their fields, and a
// line for each file that cannot be read. The isolated readers run in their worker.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { autoindex, type Outcome, type Proposed } from '../../src/autoindex/autoindex.ts';
import { CORE, docxOf, epubOf, parquetOf, pdfOf, pptxOf, xlsxOf, zipOf } from './tools/files.ts';
import { sqliteOf } from './tools/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarry-office-'));
let outcome: Outcome;

function put(path: string, content: Uint8Array): void {
  const absolute = join(folder, 'root', path);
  mkdirSync(dirname(absolute), { recursive: true });
  writeFileSync(absolute, content);
}

const TEXT = 'The lighthouse keeper counted ships until the fog came in from the sea.';
const PARAGRAPH = `<w:p><w:t>${TEXT}</w:t></w:p>`;

const DATABASE = `
  CREATE TABLE towns (id INTEGER PRIMARY KEY, name TEXT, founded DATETIME);
  INSERT INTO towns VALUES (1, 'Kiel', 1767323045), (2, 'Bremen', NULL);
  CREATE TABLE rivers (id INTEGER PRIMARY KEY, name TEXT, founded DATETIME);
  INSERT INTO rivers VALUES (1, 'Eider', 0), (2, 'Weser', 1);
`;
const DAY = { xml: '<c s="1"><v>46024</v></c>' };
const SHIPS = Array.from({ length: 30 }, (_, i) => [`Ship ${i}`, DAY, 900.5 + i, i % 2 === 0]);
const CREWS = Array.from({ length: 10 }, (_, i) => [`p${i}`, i]);

beforeAll(async () => {
  const book = await xlsxOf([
    { name: 'ships', rows: [['Fleet of 2026'], ['Name', 'Built', 'Tons', 'At sea'], ...SHIPS] },
    { name: 'crews', rows: [['person', 'berth'], ...CREWS] },
    { name: 'notes', rows: [] },
  ]);
  put('fleet.xlsx', book);
  const row = 'id,harbour\n1,Kiel\n2,Bremen\n';
  const tar = await packTar([
    { header: { name: 'csv/harbours.csv', size: row.length }, body: row },
    { header: { name: 'fleet.xlsx', size: book.length }, body: book },
  ]);
  put('all.tar', tar);
  put('all.tgz', gzipSync(tar));
  const bomb = await packTar([
    { header: { name: 'b', size: 40 << 20 }, body: Buffer.alloc(40 << 20, 'a') },
  ]);
  put('bomb.tgz', gzipSync(bomb));
  put('more.zip', await zipOf({ 'old/fleet.xlsx': book }));
  const docx = await docxOf(PARAGRAPH, { 'docProps/core.xml': CORE });
  put('report.docx', docx);
  // The file name does not determine the format.
  put('talk.bin', await pptxOf([{ title: 'Harbour', text: TEXT }]));
  put('book.zip', await epubOf([`<h1>One</h1><p>${TEXT}</p>`], '<dc:title>Sea</dc:title>'));
  put('paper.pdf', pdfOf([TEXT], '/CreationDate (D:20260102)'));
  put('packed.pdf.gz', gzipSync(pdfOf([TEXT])));
  put('mail.zip', await zipOf({ 'in/report.docx': docx, 'in/inner.zip': await zipOf({ a: 'x' }) }));
  const database = await sqliteOf(DATABASE);
  put('app.db', database);
  put('app.db-wal', new Uint8Array(5000));
  put('old/app.db.gz', gzipSync(database));
  const spoilt = new Uint8Array(database);
  spoilt.fill(0xa5, 100, 4096);
  put('spoilt.db', spoilt);
  const sales = parquetOf(300);
  put('sales.parquet', sales);
  put('older.zip', await zipOf({ 'sales-2024.pq': sales }));
  put('cut.parquet', sales.subarray(0, 900));
  put('cut.pdf', pdfOf([TEXT]).subarray(0, 200));
  put('cut.docx', docx.subarray(0, 600));
  outcome = await autoindex({
    path: join(folder, 'root'),
    url: 'http://127.0.0.1:1',
    prefix: 'it-',
    apiKey: undefined,
    stateFolder: join(folder, 'state'),
    dryRun: true,
    onProgress: () => undefined,
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const dataset = (name: string): Proposed | undefined =>
  (outcome.datasets as readonly Proposed[]).find((one) => one.name === name);

test('each sheet is a dataset', () => {
  expect(dataset('ships')).toMatchObject({
    files: 4,
    fields: { Name: 'text', Built: 'date', Tons: 'double', At_sea: 'boolean' },
  });
  expect(dataset('crews')).toMatchObject({
    files: 4,
    fields: { person: 'keyword', berth: 'long' },
  });
  expect(dataset('harbours')).toMatchObject({
    files: 2,
    fields: { id: 'long', harbour: 'keyword' },
  });
});

test('each table of a database is a dataset, though their columns are alike', () => {
  const fields = { id: 'long', name: 'keyword' };
  expect(dataset('towns')).toMatchObject({ files: 2, fields: { ...fields, founded: 'date' } });
  expect(dataset('rivers')).toMatchObject({ files: 2, fields: { ...fields, founded: 'long' } });
});

test('rows of Parquet keep their types', () => {
  expect(dataset('sales')).toMatchObject({
    files: 2,
    fields: { id: 'long', name: 'text', price: 'double', sold: 'boolean', seen: 'date' },
  });
});

test('documents of all kinds are one dataset', () => {
  const documents = dataset('documents');
  expect(documents).toMatchObject({ files: 6 });
  expect(documents?.fields).toMatchObject({
    title: 'text',
    author: 'text',
    created: 'date',
    page: 'long',
    pages: 'long',
    slide: 'long',
    chapter: 'long',
    heading: 'keyword',
    body: 'text',
  });
});

test('what cannot be read is a line each', () => {
  const reported = Object.fromEntries(outcome.problems.map(({ path, problem }) => [path, problem]));
  expect(Object.keys(reported).sort()).toEqual([
    'bomb.tgz',
    'cut.docx',
    'cut.parquet',
    'cut.pdf',
    'mail.zip/in/inner.zip',
    'spoilt.db',
  ]);
  expect(outcome.skipped).toEqual([
    { path: 'app.db-wal', reason: 'an auxiliary file of a database' },
  ]);
  expect(reported['bomb.tgz']).toMatch(/times its size/);
  expect(reported['cut.pdf']).toMatch(/no PDF/);
  expect(reported['cut.docx']).toMatch(/zip is broken/);
  expect(reported['mail.zip/in/inner.zip']).toMatch(/inside another file/);
});
