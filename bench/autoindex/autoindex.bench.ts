// Measures the megabytes of files per second that `quarry autoindex` adds to a server, by format,
// and its rate of reading them without a server. The suite starts its own server and checks the
// document counts before it reports results.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { autoindex } from '../../src/autoindex/autoindex.ts';
import { partsOfFile } from '../../src/autoindex/file-parts.ts';
import { Isolation } from '../../src/autoindex/isolation.ts';
import { walk } from '../../src/autoindex/walk.ts';
import { startServer } from '../../test/tools/server.ts';
import type { Row, SuiteResult } from '../lab/result.ts';

const FILES = 20;
const ROWS = 5000;

function csvOf(file: number): string {
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `${file * ROWS + i},item ${i % 97},${i}.25,2026-02-1${i % 10}`,
  );
  return `id,name,price,day\n${rows.join('\n')}\n`;
}

function linesOf(file: number): string {
  const line = (i: number): string =>
    JSON.stringify({
      at: `2026-02-11T10:00:0${i % 10}Z`,
      user: `u${i % 89}`,
      message: `message ${i} of ${file}`,
    });
  return Array.from({ length: ROWS }, (_, i) => `${line(i)}\n`).join('');
}

function proseOf(file: number): string {
  const line = (i: number): string =>
    `Sentence ${i} of page ${file} is about harbours and light.\n`;
  return `# Page ${file}\n\n${Array.from({ length: 300 }, (_, i) => line(i)).join('')}\n## End\n`;
}

function listOf(file: number): string {
  return `[${linesOf(file).trimEnd().replaceAll('\n', ',')}]`;
}

function logOf(file: number): string {
  const line = (i: number): string =>
    `2026-02-11T10:${String(i % 60).padStart(2, '0')}:00Z INFO request ${i} of ${file} took ${i % 97} ms`;
  return Array.from({ length: ROWS }, (_, i) => `${line(i)}\n`).join('');
}

function feedOf(file: number): string {
  const row = (i: number): string =>
    `<row id="${i}"><name>item ${i % 97}</name><of>${file}</of></row>`;
  return `<?xml version="1.0"?><rows>${Array.from({ length: ROWS }, (_, i) => row(i)).join('')}</rows>`;
}

function pageOf(file: number): string {
  const line = (i: number): string =>
    `<p>Sentence ${i} of <b>page ${file}</b> is about light.</p>\n`;
  return `<!doctype html><title>Page ${file}</title>${Array.from({ length: 300 }, (_, i) => line(i)).join('')}`;
}

function mailsOf(file: number): string {
  const mail = (i: number): string =>
    `From a@b.c Mon Jan  5 10:00:00 2026\nFrom: a@b.c\nTo: d@e.f\nSubject: mail ${i} of ${file}\nMessage-ID: <${i}.${file}@b.c>\n\nA few words about ships.\n\n`;
  return Array.from({ length: 500 }, (_, i) => mail(i)).join('');
}

interface Shape {
  readonly make: (file: number) => string | Uint8Array;
  readonly records: number;
}

const SHAPES: Readonly<Record<string, Shape>> = {
  csv: { make: csvOf, records: ROWS },
  'csv.gz': { make: (file) => gzipSync(csvOf(file)), records: ROWS },
  ndjson: { make: linesOf, records: ROWS },
  json: { make: listOf, records: ROWS },
  log: { make: logOf, records: ROWS },
  xml: { make: feedOf, records: ROWS },
  mbox: { make: mailsOf, records: 500 },
  html: { make: pageOf, records: 1 },
  markdown: { make: proseOf, records: 1 },
};

/** Megabytes per second of reading the files without using their content. */
async function readingRate(path: string): Promise<number> {
  const readers = new Isolation();
  const { files } = await walk(path);
  const start = performance.now();
  let bytes = 0;
  try {
    for (const file of files) {
      readers.begin(file.size);
      for (const part of await partsOfFile(file, readers)) {
        if ('problem' in part) throw new Error(part.problem);
        for await (const _ of readers.read(part.source, part.sniffed));
      }
      bytes += file.size;
    }
  } finally {
    await readers.close();
  }
  return bytes / 1e6 / ((performance.now() - start) / 1000);
}

export async function autoindexSuite(): Promise<SuiteResult> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-bench-autoindex-'));
  const server = await startServer();
  const rows: Row[] = [];
  try {
    for (const [shape, { make, records }] of Object.entries(SHAPES)) {
      const path = join(folder, shape);
      mkdirSync(path);
      for (let i = 0; i < FILES; i++) writeFileSync(join(path, `data-${i}`), make(i));
      const alone = await readingRate(path);
      const start = performance.now();
      const { loaded, problems } = await autoindex({
        path,
        url: server.base,
        prefix: `${shape.replace('.', '-')}-`,
        apiKey: undefined,
        stateFolder: join(folder, 'state'),
        dryRun: false,
        onProgress: () => undefined,
      });
      const seconds = (performance.now() - start) / 1000;
      if (loaded.records !== FILES * records || problems.length > 0)
        throw new Error(`${shape}: not all read`);
      const values = {
        rate: loaded.bytes / 1e6 / seconds,
        'read alone': alone,
        'documents/s': loaded.records / seconds,
      };
      rows.push({ name: shape, unit: 'MB/s', values });
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return { facts: [`${FILES} files of each shape; every record was counted`], rows };
}
