// The small indexes of the golden data folders: one field of every type that version 1 supports,
// texts with vectors from version 2 on, words as bit sets from version 3 on, packed sources from
// version 4 on, paths as wildcards from version 5 on, ids of 16 bytes from version 7 on, nested
// documents from version 8 on, and the writes that result in segments, deletions and a log tail.
// Later versions are written from it as well.
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bulk, startServer, type TestServer } from '../../tools/server.ts';

const BODY = {
  settings: {
    number_of_shards: 1,
    refresh_interval: '-1',
    analysis: { analyzer: { folded: { tokenizer: 'whitespace', filter: ['asciifolding'] } } },
  },
  mappings: {
    properties: {
      title: { type: 'text', analyzer: 'english', fields: { raw: { type: 'keyword' } } },
      body: { type: 'text', analyzer: 'folded', copy_to: 'all' },
      all: { type: 'text' },
      tag: { type: 'keyword', copy_to: 'all' },
      label: { type: 'alias', path: 'tag' },
      long: { type: 'long' },
      integer: { type: 'integer', ignore_malformed: true },
      short: { type: 'short', null_value: -1 },
      byte: { type: 'byte' },
      double: { type: 'double' },
      float: { type: 'float' },
      half: { type: 'half_float' },
      scaled: { type: 'scaled_float', scaling_factor: 100 },
      unsigned: { type: 'unsigned_long' },
      flag: { type: 'boolean' },
      at: { type: 'date' },
      ip: { type: 'ip' },
      place: { properties: { city: { type: 'keyword' } } },
      blob: { type: 'binary' },
      flat: { type: 'flattened' },
      point: { type: 'geo_point' },
    },
  },
  aliases: { shown: { filter: { term: { flag: true } } } },
};

/**
 * Document `n`, with every field derived from it; the text has unusual JSON spellings as a client
 * could send them.
 */
function source(n: number): string {
  const words = Array.from({ length: n }, (_, i) => `word${i}`).join(' ');
  return (
    `{ "title":"Hands of number ${n}", "body":"naïve ${words} end",\t"tag":["t${n % 3}","all"],` +
    `"long":${n}00000000000,"integer":${n === 7 ? '"seven"' : n},"short":${n === 6 ? 'null' : n},` +
    `"byte":-${n},"double":${n}.50,"float":${n}e-1,"half":${n}.25,"scaled":${n}.99,` +
    `"unsigned":1844674407370955${1600 + n},"flag":${n % 2 === 0},"at":"2026-01-${String(n).padStart(2, '0')}",` +
    `"ip":"10.0.0.${n}","place":{"city":"c${n}"},"blob":"AA==","flat":{"k":{"n":"v${n}"}},` +
    `"point":{"lat":${n},"lon":-${n}},"extra":${n} }`
  );
}

function index(n: number, metadata: object = {}): readonly string[] {
  return [JSON.stringify({ index: { _id: String(n), ...metadata } }), source(n)];
}
const remove = (n: number): readonly string[] => [JSON.stringify({ delete: { _id: String(n) } })];

/** Two segments, the first with deletions; then operations that are only in the log. */
async function write(server: TestServer): Promise<void> {
  const created = await server.call('PUT', '/things', BODY);
  if (created.status !== 200) throw new Error(created.text);
  await bulk(
    server,
    '/things/_bulk',
    [1, 2, 3, 4, 5, 6, 7, 8].flatMap((n) => index(n)),
  );
  await server.call('POST', '/things/_flush');
  await bulk(server, '/things/_bulk', [
    ...[9, 10, 11, 12].flatMap((n) => index(n)),
    ...index(13, { routing: 'elsewhere' }),
    ...[2, 3].flatMap(remove),
    '{"update":{"_id":"4"}}',
    '{"doc":{"extra":40}}',
  ]);
  await server.call('POST', '/things/_flush');
  await bulk(server, '/things/_bulk', [
    ...index(14),
    ...[5, 12].flatMap(remove),
    '{"update":{"_id":"6"}}',
    '{"doc":{"late":"a field that the log alone knows"}}',
  ]);
}

/** From version 2 on: a column with several rows per document, and one with one row each. */
const MEANINGS = {
  settings: { number_of_shards: 1, refresh_interval: '-1' },
  mappings: { properties: { note: { type: 'semantic_text', dims: 8 } } },
};

/** Note `n`: a sentence, or for even numbers enough words for passages. */
export function noteOf(n: number): string {
  const words = n % 2 === 0 ? 240 + 20 * n : n;
  return Array.from({ length: words }, (_, i) => `lamp${(i * i + n) % 23} river`).join(' ');
}

/** Notes 1 to 4 in a segment, of which 3 is deleted and 4 replaced; these and 5 only in the log. */
async function writeMeanings(server: TestServer): Promise<void> {
  const created = await server.call('PUT', '/meanings', MEANINGS);
  if (created.status !== 200) throw new Error(created.text);
  const note = (n: number, text: string) => [
    JSON.stringify({ index: { _id: String(n) } }),
    JSON.stringify({ note: text }),
  ];
  await bulk(
    server,
    '/meanings/_bulk',
    [1, 2, 3, 4].flatMap((n) => note(n, noteOf(n))),
  );
  await server.call('POST', '/meanings/_flush');
  await bulk(server, '/meanings/_bulk', [
    ...remove(3),
    ...note(4, noteOf(6)),
    ...note(5, noteOf(5)),
  ]);
}

/**
 * From version 3 on: words in about one of six documents, at irregular distances, which are stored
 * as bit sets.
 */
export const SIXTHS = 2400;

/** 0 to 5. */
export function sixthOf(n: number): number {
  let mixed = Math.imul(n + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca77);
  return ((mixed ^ (mixed >>> 13)) >>> 3) % 6;
}

async function writeSixths(server: TestServer): Promise<void> {
  const created = await server.call('PUT', '/sixths', {
    settings: { number_of_shards: 1, refresh_interval: '-1' },
    mappings: { properties: { share: { type: 'keyword' }, words: { type: 'text' } } },
  });
  if (created.status !== 200) throw new Error(created.text);
  const lines = Array.from({ length: SIXTHS }, (_, n) => [
    JSON.stringify({ index: { _id: String(n) } }),
    JSON.stringify({
      share: `of ${sixthOf(n)}`,
      words: sixthOf(n) === 0 ? 'common rare' : 'common',
    }),
  ]);
  await bulk(server, '/sixths/_bulk', lines.flat());
  await server.call('POST', '/sixths/_flush');
}

/** From version 4 on: sources that a merge has packed, with numbers that are stored as bits. */
export const PACKED = 200;

/**
 * Vectors as clients spell them: with few digits, as doubles of floats, with exponents; and small
 * lists.
 */
export function packedSource(n: number): string {
  const value = (i: number): number => Math.sin(n * 31 + i) / (1 + (i % 5));
  const row = Array.from({ length: 24 }, (_, i) => value(i));
  const digits = row.map((x) => x.toPrecision(6)).join(n % 3 === 0 ? ', ' : ',');
  const floats = [...Float32Array.from(row)].join(',');
  return `{"n":${n},"v":[${digits}],"w":[${floats}],"z":[${row.map((x) => x * 1e-6)}],"few":[${n},1]}`;
}

async function writePacked(server: TestServer): Promise<void> {
  const ignored = { type: 'float', index: false, doc_values: false };
  const created = await server.call('PUT', '/packed', {
    settings: { number_of_shards: 1, refresh_interval: '-1' },
    mappings: { properties: { n: { type: 'integer' }, v: ignored, w: ignored, z: ignored } },
  });
  if (created.status !== 200) throw new Error(created.text);
  const lines = Array.from({ length: PACKED }, (_, n) => [
    JSON.stringify({ index: { _id: String(n) } }),
    packedSource(n),
  ]);
  await bulk(server, '/packed/_bulk', lines.flat());
  await server.call('POST', '/packed/_forcemerge?max_num_segments=1');
}

/** From version 5 on: a wildcard field; from version 6 on with the grams of its terms. */
export const PATHS = 300;

export function pathOf(n: number): string {
  return `/srv/${['logs', 'data', 'täglich'][n % 3]}/part-${n * 37}.${n % 7 === 0 ? 'err' : 'txt'}`;
}

/** Two segments, the first with deletions. */
async function writePaths(server: TestServer): Promise<void> {
  const created = await server.call('PUT', '/paths', {
    settings: { number_of_shards: 1, refresh_interval: '-1' },
    mappings: { properties: { path: { type: 'wildcard' } } },
  });
  if (created.status !== 200) throw new Error(created.text);
  const lines = Array.from({ length: PATHS }, (_, n) => [
    JSON.stringify({ index: { _id: String(n) } }),
    JSON.stringify({ path: pathOf(n) }),
  ]);
  await bulk(server, '/paths/_bulk', lines.slice(0, 200).flat());
  await server.call('POST', '/paths/_flush');
  await bulk(server, '/paths/_bulk', [...lines.slice(200), ...[0, 7].map(remove)].flat());
  await server.call('POST', '/paths/_flush');
}

/** From version 7 on: ids that are UUIDs, which segments store as 16 bytes. */
export const UUIDS = 150;

export function uuidOf(n: number): string {
  const digits = (n * 0x9e3779b1).toString(16).padStart(12, '0').slice(-12);
  return `0190a5b2-7c1d-7e3f-8a4b-${digits}`;
}

/** A segment of UUIDs with deletions, and one of a UUID and another id. */
async function writeUuids(server: TestServer): Promise<void> {
  const created = await server.call('PUT', '/uuids', {
    settings: { number_of_shards: 1, refresh_interval: '-1' },
    mappings: { properties: { n: { type: 'integer' } } },
  });
  if (created.status !== 200) throw new Error(created.text);
  const lines = (n: number, _id: string) => [
    JSON.stringify({ index: { _id } }),
    JSON.stringify({ n }),
  ];
  const all = Array.from({ length: UUIDS }, (_, n) => lines(n, uuidOf(n)));
  await bulk(server, '/uuids/_bulk', all.flat());
  await server.call('POST', '/uuids/_flush');
  await bulk(server, '/uuids/_bulk', [
    ...lines(UUIDS, uuidOf(UUIDS)),
    ...lines(UUIDS + 1, uuidOf(0).toUpperCase()),
    JSON.stringify({ delete: { _id: uuidOf(7) } }),
  ]);
  await server.call('POST', '/uuids/_flush');
}

/** From version 8 on: nested documents. */
export const ORDERS = 40;

export interface Line {
  readonly sku: string;
  readonly count: number;
  readonly notes: readonly { readonly by: string }[];
}

export function linesOf(n: number): readonly Line[] {
  return Array.from({ length: n % 4 }, (_, i) => ({
    sku: `s${(n + i) % 5}`,
    count: n + i,
    notes: Array.from({ length: i }, (_note, at) => ({ by: `b${(n + at) % 3}` })),
  }));
}

/** Two segments with nested documents, the first with deletions, and one without. */
async function writeOrders(server: TestServer): Promise<void> {
  const notes = { type: 'nested', properties: { by: { type: 'keyword' } } };
  const properties = { sku: { type: 'keyword' }, count: { type: 'integer' }, notes };
  const created = await server.call('PUT', '/orders', {
    settings: { number_of_shards: 1, refresh_interval: '-1' },
    mappings: { properties: { n: { type: 'integer' }, lines: { type: 'nested', properties } } },
  });
  if (created.status !== 200) throw new Error(created.text);
  const order = (n: number) => [
    JSON.stringify({ index: { _id: String(n) } }),
    JSON.stringify({ n, lines: linesOf(n) }),
  ];
  const all = [...Array(ORDERS).keys()];
  await bulk(server, '/orders/_bulk', all.slice(0, 30).flatMap(order));
  await server.call('POST', '/orders/_flush');
  await bulk(server, '/orders/_bulk', [
    ...all.slice(30).flatMap(order),
    ...[3, 10].flatMap(remove),
  ]);
  await server.call('POST', '/orders/_flush');
  await bulk(server, '/orders/_bulk', order(ORDERS));
  await server.call('POST', '/orders/_flush');
}

/** Size of a preallocated log file; from version 3 on log files record their length. */
const LOG_BYTES = 1024 * 1024;

/** Extends log files to the length that they had before `trimLog`. */
export function extendLog(folder: string): void {
  for (const name of readdirSync(folder)) truncateSync(join(folder, name), LOG_BYTES);
}

/** Removes the zeros with which log files are preallocated. */
function trimLog(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const bytes = readFileSync(path);
    let end = bytes.length;
    while (end > 0 && bytes[end - 1] === 0) end -= 1;
    writeFileSync(path, bytes.subarray(0, Math.ceil(end / 64) * 64));
  }
}

/** Writes the data folder of the current format version, as a killed process leaves it. */
export async function writeDataFolder(folder: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-golden-'));
  const args = ['--wal.file_bytes', String(LOG_BYTES)];
  const before = await startServer({ dataDir, args });
  await writeSixths(before);
  await writePacked(before);
  await writePaths(before);
  await writeUuids(before);
  await writeOrders(before);
  await before.stop();
  const server = await startServer({ dataDir, args });
  await write(server);
  await writeMeanings(server);
  await server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  cpSync(dataDir, folder, { recursive: true });
  rmSync(dataDir, { recursive: true, force: true });
  rmSync(join(folder, 'node.lock'), { force: true });
  trimLog(join(folder, 'wal'));
}

export const sourceOf = source;
