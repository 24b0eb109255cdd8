// Measures what open consoles cost everybody else: searches of one client alone and next to ten home
// pages, in alternating slices. A page is what it asks for at its intervals; browsers are not
// started, because they would take the processors of this machine.
import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BATCH, Documents } from '../lab/documents.ts';
import type { SuiteResult } from '../lab/result.ts';
import { Service } from '../lab/service.ts';
import { quantile } from '../tools/figures.ts';
import { untilSettled } from '../tools/rest.ts';

const DOCS = Number(process.env['BENCH_DOCS'] ?? 50_000);
/** Covers a reading of the metrics by each page. */
const SLICE_MS = Number(process.env['BENCH_SPAN_MS'] ?? 10_000);
const ROUNDS = 6;
const CONSOLES = 10;
const MOST_RATIO = 1.05;

/** The metrics that the home page shows. */
const SHOWN = [
  'quarry_search_duration_seconds',
  'quarry_write_operations_total',
  'quarry_http_request_duration_seconds',
  'quarry_process_resident_memory_bytes',
  'quarry_merged_bytes_total',
  'quarry_documents',
  'quarry_disk_bytes',
  'quarry_disk_free_bytes',
  'quarry_memory_limit_bytes',
  'quarry_wal_bytes',
  'quarry_segments',
  'quarry_vectors',
  'quarry_namespaces',
];
/** What the home page asks for, and how often (src/console/app/pages/home). */
const POLLS = [
  { path: `/v1/metrics?name=${SHOWN.join()}`, everyMs: 10_000 },
  { path: '/v1/health/ready', everyMs: 15_000 },
  { path: '/v1/doctor', everyMs: 15_000 },
  { path: '/_cat/indices?format=json&bytes=b&expand_wildcards=all', everyMs: 30_000 },
];

export async function consoleSuite(): Promise<SuiteResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-consoles-'));
  const service = await Service.start(dataDir);
  try {
    const documents = new Documents();
    const batches = Math.ceil(DOCS / BATCH);
    for (let at = 0; at < batches; at++) await service.bulk(documents.body(at, 'consoles'));
    await service.ask('POST', '/consoles/_refresh');
    await untilSettled([service.server.pid]);
    await slice(service, documents.words);
    const alone: number[] = [];
    const during: number[] = [];
    let polled = 0;
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(...(await slice(service, documents.words)));
      const consoles = open(service);
      during.push(...(await slice(service, documents.words)));
      polled += await consoles.close();
    }
    const row = (name: string, p: number, target?: number) => {
      const [without, together] = [quantile(alone, p), quantile(during, p)];
      const values = { alone: without, 'ten consoles': together, ratio: together / without };
      const goal = target === undefined ? {} : { goal: { value: 'ratio', target, lower: true } };
      return { name, unit: 'ms', values, ...goal };
    };
    return {
      facts: [
        `${batches * BATCH} documents, counted: ${documents.name}; ${alone.length} searches alone, ${during.length} next to ${CONSOLES} home pages, which sent ${polled} requests`,
      ],
      rows: [row('match, p50', 0.5), row('match, p99', 0.99, MOST_RATIO)],
    };
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Times of searches by one client, in ms. */
async function slice(service: Service, words: readonly string[]): Promise<readonly number[]> {
  const times: number[] = [];
  const end = performance.now() + SLICE_MS;
  for (let i = 0; performance.now() < end; i++) {
    const word = words[i % words.length] ?? '';
    const body = JSON.stringify({ query: { match: { body: word } }, _source: false });
    const started = performance.now();
    const { status } = await service.ask('POST', '/consoles/_search', body);
    times.push(performance.now() - started);
    if (status !== 200) throw new Error(`a search answered ${status}`);
  }
  return times;
}

/**
 * Pages that were opened some time ago: their requests are spread over the intervals. `close()`
 * resolves to the number of answers.
 */
function open(service: Service): { readonly close: () => Promise<number> } {
  const abort = new AbortController();
  setMaxListeners(CONSOLES * POLLS.length, abort.signal);
  let answered = 0;
  const poll = async (path: string, everyMs: number, offset: number): Promise<void> => {
    const { signal } = abort;
    const page = new Page(service.server.base);
    try {
      await pause(offset * everyMs, undefined, { signal });
      for (;;) {
        await page.ask(path);
        answered += 1;
        await pause(everyMs, undefined, { signal });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      page.close();
    }
  };
  const pages = Array.from({ length: CONSOLES }, (_, at) =>
    POLLS.map(({ path, everyMs }, i) => poll(path, everyMs, (at + i / POLLS.length) / CONSOLES)),
  );
  return {
    async close() {
      abort.abort();
      await Promise.all(pages.flat());
      return answered;
    },
  };
}

/**
 * A connection that counts the bytes of its answers and reads none: people's browsers run elsewhere,
 * and what this process does for them would delay the searches that it times.
 */
class Page {
  readonly #socket: Socket;
  readonly #closed: Promise<never>;

  constructor(base: string) {
    const { hostname, port } = new URL(base);
    this.#socket = connect(Number(port), hostname);
    this.#closed = new Promise((_, reject) => {
      this.#socket.once('close', () => reject(new Error('the connection of a page was closed')));
    });
    this.#closed.catch(() => {});
    this.#socket.on('error', () => {});
  }

  /** Resolves when the answer has come; it must be 200. */
  ask(path: string): Promise<void> {
    const answered = new Promise<void>((resolve, reject) => {
      let missing: number | undefined;
      const onData = (bytes: Buffer): void => {
        if (missing === undefined) {
          const head = bytes.toString('latin1', 0, bytes.indexOf('\r\n\r\n') + 4);
          const length = /^HTTP\/1\.1 200 [\s\S]*\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
          if (length === undefined) reject(new Error(`[${path}] answered ${head}`));
          missing = Number(length) + head.length;
        }
        missing -= bytes.length;
        if (missing > 0) return;
        this.#socket.off('data', onData);
        resolve();
      };
      this.#socket.on('data', onData);
    });
    this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: page\r\n\r\n`);
    return Promise.race([answered, this.#closed]);
  }

  close(): void {
    this.#socket.destroy();
  }
}
