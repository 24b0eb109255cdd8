// Memory does not grow with the input: five times the bytes are processed with a heap that could
// not hold them, and the peak stays about the same. The service is replaced by a stub, so that the
// process never waits for it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder, type TestFolder } from './tools/folder.ts';
import { type Between, standBetween } from './tools/proxy.ts';
import { answerTo } from './tools/stand-in.ts';

/** Limit on the JavaScript heap; the strings of the larger input alone would exceed it. */
const HEAP_MEGABYTES = 48;
const ROW = 'a row of some words that stand for what people write into tables';

let service: Between;
let folder: TestFolder;

beforeEach(async () => {
  service = await standBetween(undefined);
  service.rule = answerTo;
  folder = makeFolder();
});
afterEach(async () => {
  await service.close();
  folder.remove();
});

/** Writes about `megabytes` to each of five files. */
function fill(megabytes: number): void {
  const count = Math.round((megabytes * 1e6) / 90);
  const rows = Array.from({ length: count }, (_, i) => `${i},${ROW},2026-01-0${1 + (i % 9)}`);
  const csv = `id,words,day\n${rows.join('\n')}\n`;
  const docs = Array.from({ length: count }, (_, i) => JSON.stringify({ id: i, text: ROW }));
  folder.put('rows.csv', csv);
  folder.put('packed.csv.gz', gzipSync(csv, { level: 1 }));
  folder.put('list.json', `[${docs.join(',')}]`);
  folder.put('lines.jsonl', `${docs.join('\n')}\n`);
  const entries = docs.map((_, i) => `<entry n="${i}"><text>${ROW}</text></entry>`);
  folder.put('feed.xml', `<?xml version="1.0"?><feed>${entries.join('')}</feed>`);
}

const SCRIPT = `
  const { autoindex } = await import(process.env.MODULE);
  const options = JSON.parse(process.env.OPTIONS);
  const { loaded } = await autoindex({ ...options, onProgress: () => undefined });
  const megabytes = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ megabytes, records: loaded.records }));`;

/** The peak memory of the process, and the number of documents sent. */
async function measured(): Promise<{ readonly megabytes: number; readonly records: number }> {
  const options = { path: folder.root, url: service.base, prefix: 'm-', stateFolder: folder.state };
  const heap = `--max-old-space-size=${HEAP_MEGABYTES}`;
  const child = spawn(process.execPath, [heap, '--input-type=module', '-e', SCRIPT], {
    env: {
      ...process.env,
      MODULE: pathToFileURL(resolve('build/js/autoindex/autoindex.js')).href,
      OPTIONS: JSON.stringify({ ...options, dryRun: false }),
    },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    err += String(chunk);
  });
  const [code] = await once(child, 'exit');
  expect(code, err.slice(-2000)).toBe(0);
  return JSON.parse(out);
}

test('five times the input needs the same memory', async () => {
  fill(2);
  const small = await measured();
  folder.remove();
  folder = makeFolder();
  fill(10);
  const large = await measured();
  expect(large.records).toBeGreaterThan(4.9 * small.records);
  // The input has grown by 40 MB, and its parsed form by several times that.
  expect(large.megabytes).toBeLessThan(small.megabytes + 60);
  expect(service.most.atOnce).toBeLessThanOrEqual(2);
  expect(service.most.bytes).toBeLessThan(3 << 20);
}, 180_000);
