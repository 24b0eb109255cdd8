// Measures searches of several kinds during writes at full speed. Slices with and without writes
// alternate; the queries are the same in both. BENCH_DOCS sets the number of documents (default
// 50,000).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BATCH, Documents } from '../lab/documents.ts';
import type { Row, SuiteResult } from '../lab/result.ts';
import { Service } from '../lab/service.ts';
import { quantile } from '../tools/figures.ts';
import { untilSettled } from '../tools/rest.ts';

const DOCS = Number(process.env['BENCH_DOCS'] ?? 50_000);
const SLICE_MS = Number(process.env['BENCH_SPAN_MS'] ?? 2000);
const ROUNDS = 4;
const WRITERS = 2;
const MOST_RATIO = 3;

interface Kind {
  readonly name: string;
  body(word: string): object;
  readonly quiet: number[];
  readonly busy: number[];
}

export async function mixedSuite(): Promise<SuiteResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-mixed-'));
  const service = await Service.start(dataDir);
  try {
    const documents = new Documents();
    const batches = Math.ceil(DOCS / BATCH);
    for (let at = 0; at < batches; at++) await service.bulk(documents.body(at, 'mixed'));
    await service.ask('POST', '/mixed/_refresh');
    const { count } = JSON.parse((await service.ask('GET', '/mixed/_count')).text);
    if (count !== batches * BATCH) throw new Error(`${count} of ${batches * BATCH} documents`);
    await untilSettled([service.server.pid]);
    const kinds = makeKinds();
    const written = await measure(service, documents, kinds, batches);
    const rate = (written * BATCH * 1000) / (ROUNDS * SLICE_MS);
    return {
      facts: [`${count} documents, counted: ${documents.name}; one reader, ${WRITERS} writers`],
      rows: [
        ...kinds.map(toRow),
        { name: 'written beside searches', unit: 'documents/s', values: { rate } },
      ],
    };
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function makeKinds(): readonly Kind[] {
  const kind = (name: string, body: (word: string) => object): Kind => {
    return { name, body, quiet: [], busy: [] };
  };
  return [
    kind('match', (word) => ({ query: { match: { body: word } } })),
    kind('match, exact total', (word) => ({
      query: { match: { body: word } },
      track_total_hits: true,
    })),
    kind('prefix', (word) => ({ query: { prefix: { body: word.slice(0, 4) } } })),
    kind('terms aggregation', (word) => ({
      size: 0,
      query: { match: { body: word } },
      aggs: { a: { cardinality: { field: 'subject.keyword' } } },
    })),
  ];
}

/** Returns the number of batches written. */
async function measure(
  service: Service,
  documents: Documents,
  kinds: readonly Kind[],
  first: number,
): Promise<number> {
  let batch = first;
  await read(service, documents, kinds, () => []);
  for (let round = 0; round < ROUNDS; round++) {
    await read(service, documents, kinds, ({ quiet }) => quiet);
    let writing = true;
    const writers = Array.from({ length: WRITERS }, async () => {
      while (writing) await service.bulk(documents.body(batch++, 'mixed'));
    });
    await read(service, documents, kinds, ({ busy }) => busy);
    writing = false;
    await Promise.all(writers);
  }
  return batch - first;
}

async function read(
  service: Service,
  { words }: Documents,
  kinds: readonly Kind[],
  into: (kind: Kind) => number[],
): Promise<void> {
  const end = performance.now() + SLICE_MS;
  for (let i = 0; performance.now() < end; i++) {
    const word = words[(i * 7) % words.length] ?? '';
    for (const kind of kinds) {
      const body = JSON.stringify(kind.body(word));
      const started = performance.now();
      const reply = await service.ask('POST', '/mixed/_search?request_cache=false', body);
      into(kind).push(performance.now() - started);
      if (reply.status !== 200) throw new Error(`${kind.name}: ${reply.text.slice(0, 300)}`);
    }
  }
}

function toRow({ name, quiet, busy }: Kind): Row {
  const [alone, busyP99] = [quantile(quiet, 0.99), quantile(busy, 0.99)];
  return {
    name,
    unit: 'ms',
    values: {
      'quiet p50': quantile(quiet, 0.5),
      'quiet p99': alone,
      'busy p50': quantile(busy, 0.5),
      'busy p99': busyP99,
      'p99, x quiet': busyP99 / alone,
    },
    counters: { requested: quiet.length + busy.length },
    goal: { value: 'p99, x quiet', target: MOST_RATIO, lower: true },
  };
}
