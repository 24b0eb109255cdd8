// How many megabytes of files a second `quarry autoindex` brings into a server: rows of CSV, lines of JSON, prose. A server
// of its own, counts checked before a figure is told.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { autoindex } from '../../src/autoindex/autoindex.ts';
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

const SHAPES = { csv: csvOf, ndjson: linesOf, markdown: proseOf };

export async function autoindexSuite(): Promise<SuiteResult> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-bench-autoindex-'));
  const server = await startServer();
  const rows: Row[] = [];
  try {
    for (const [shape, make] of Object.entries(SHAPES)) {
      const path = join(folder, shape);
      mkdirSync(path);
      for (let i = 0; i < FILES; i++) writeFileSync(join(path, `data-${i}`), make(i));
      const start = performance.now();
      const { loaded, problems } = await autoindex({
        path,
        url: server.base,
        prefix: `${shape}-`,
        apiKey: undefined,
        stateFolder: join(folder, 'state'),
        dryRun: false,
        onProgress: () => undefined,
      });
      const seconds = (performance.now() - start) / 1000;
      const least = shape === 'markdown' ? FILES : FILES * ROWS;
      if (loaded.records !== least || problems.length > 0)
        throw new Error(`${shape}: not all read`);
      const values = {
        rate: loaded.bytes / 1e6 / seconds,
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
