// Measures indexing of documents of several shapes with durable acknowledgements, by one client and
// by four: rate, CPU time, memory and bytes on disk. The documents are counted before results are
// reported. BENCH_DOCS sets their number (default 20,000).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Documents } from '../lab/documents.ts';
import type { Row, SuiteResult } from '../lab/result.ts';
import { Service } from '../lab/service.ts';
import { folderBytes } from '../vectors/http-target.ts';

const DOCS = Number(process.env['BENCH_DOCS'] ?? 20_000);
const BATCHES = [100, 1000];
const CLIENTS = [1, 4];
const DIMS = 128;

interface Shape {
  readonly name: string;
  readonly mappings: object;
  /** There are fewer documents with vectors, because a graph is built over them. */
  readonly share: number;
  source(text: string, i: number): object;
}

const SHAPES: readonly Shape[] = [
  {
    name: 'text',
    mappings: { properties: { text: { type: 'text' } } },
    share: 1,
    source: (text) => ({ text }),
  },
  {
    name: 'dynamic log line',
    mappings: {},
    share: 1,
    source: (text, i) => ({
      message: text.slice(0, 120),
      level: `l${i % 5}`,
      status: i % 600,
      at: new Date(1_700_000_000_000 + i * 1000).toISOString(),
    }),
  },
  {
    name: `dense_vector, ${DIMS} dims`,
    mappings: { properties: { v: { type: 'dense_vector', dims: DIMS, similarity: 'cosine' } } },
    share: 0.25,
    source: (_, i) => ({ v: vectorOf(i) }),
  },
  {
    name: 'semantic_text, 384 dims',
    mappings: { properties: { text: { type: 'semantic_text', dims: 384 } } },
    share: 0.25,
    source: (text) => ({ text }),
  },
];

function vectorOf(row: number): readonly number[] {
  let state = row + 1;
  return Array.from({ length: DIMS }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Number((state / 2 ** 31 - 1).toFixed(5));
  });
}

export async function indexingSuite(): Promise<SuiteResult> {
  const texts = new Documents().texts(DOCS);
  const rows: Row[] = [];
  for (const shape of SHAPES) {
    for (const clients of CLIENTS) {
      for (const batch of clients === 1 ? BATCHES : [BATCHES.at(-1) ?? 1000])
        rows.push(await measure(shape, texts.slice(0, DOCS * shape.share), batch, clients));
    }
  }
  return { facts: [`up to ${DOCS} documents of each shape, counted; one shard, durable`], rows };
}

async function measure(
  shape: Shape,
  texts: readonly string[],
  batch: number,
  clients: number,
): Promise<Row> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-indexing-'));
  const service = await Service.start(dataDir);
  try {
    const { mappings } = shape;
    const settings = { number_of_shards: 1 };
    await service.ask('PUT', '/bench', JSON.stringify({ settings, mappings }));
    const bodies = bodiesOf(shape, texts, batch);
    const bytes = bodies.reduce((sum, body) => sum + body.length, 0);
    const cpu = service.processorMs();
    const started = performance.now();
    await sendAll(service, bodies, clients);
    const seconds = (performance.now() - started) / 1000;
    const processor = service.processorMs() - cpu;
    const { resident } = service.memory();
    await service.ask('POST', '/bench/_forcemerge?max_num_segments=1');
    await service.ask('POST', '/bench/_refresh');
    const { count } = JSON.parse((await service.ask('GET', '/bench/_count')).text);
    if (count !== texts.length) throw new Error(`${count} of ${texts.length} documents are there`);
    return {
      name: `${shape.name}, ${clients} client${clients > 1 ? 's' : ''}, ${batch} a bulk`,
      unit: 'documents/s',
      values: { rate: texts.length / seconds, 'MB/s': bytes / 1e6 / seconds },
      counters: {
        'ms of processor per 1,000': (processor / texts.length) * 1000,
        'bytes on disk each': folderBytes(join(dataDir, 'indices')) / texts.length,
        'resident MiB': resident,
      },
    };
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function bodiesOf(shape: Shape, texts: readonly string[], batch: number): readonly Buffer[] {
  const out: Buffer[] = [];
  for (let at = 0; at < texts.length; at += batch) {
    const lines = texts
      .slice(at, at + batch)
      .map((text, i) => JSON.stringify(shape.source(text, at + i)))
      .map((source) => `{"index":{"_index":"bench"}}\n${source}\n`);
    out.push(Buffer.from(lines.join('')));
  }
  return out;
}

async function sendAll(
  service: Service,
  bodies: readonly Buffer[],
  clients: number,
): Promise<void> {
  const waiting = [...bodies];
  const client = async (): Promise<void> => {
    for (let body = waiting.shift(); body !== undefined; body = waiting.shift())
      await service.bulk(body);
  };
  await Promise.all(Array.from({ length: clients }, client));
}
