// Measures requests end to end over connections that stay open, with 1 to 64 clients in a separate
// process. The response to each kind of request is checked once before it is timed. BENCH_DOCS sets
// the number of documents (default 20,000), BENCH_SPAN_MS the time of every measurement.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BATCH, Documents } from '../lab/documents.ts';
import type { Row, SuiteResult } from '../lab/result.ts';
import { Service } from '../lab/service.ts';
import { processorMs } from '../lab/work.ts';
import { quantile } from '../tools/figures.ts';
import { Clients, type LoadOrder } from './clients.ts';

const DOCS = Number(process.env['BENCH_DOCS'] ?? 20_000);
const SPAN_MS = Number(process.env['BENCH_SPAN_MS'] ?? 2000);
const CLIENTS = [1, 4, 16, 64];

type Requests = LoadOrder['requests'];

export async function httpSuite(): Promise<SuiteResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-http-'));
  const service = await Service.start(dataDir);
  const loader = new Clients();
  try {
    const documents = new Documents();
    const batches = Math.ceil(DOCS / BATCH);
    for (let at = 0; at < batches; at++) await service.bulk(documents.body(at, 'http'));
    await service.ask('POST', '/http/_forcemerge?max_num_segments=1');
    await service.ask('POST', '/http/_refresh');
    const kinds = await requestsOf(service, documents);
    const rows: Row[] = [];
    for (const [name, requests] of Object.entries(kinds)) {
      await verify(service, name, requests);
      for (const clients of CLIENTS)
        rows.push(await measure(service, loader, { name, requests, clients }));
    }
    return {
      facts: [
        `${batches * BATCH} documents; clients in another process, ${SPAN_MS} ms for every line`,
      ],
      rows,
    };
  } finally {
    loader.stop();
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function requestsOf(
  service: Service,
  { words }: Documents,
): Promise<Readonly<Record<string, Requests>>> {
  const search = (path: string, body: (word: string) => object): Requests =>
    words.map((word) => ({ method: 'POST', path, body: JSON.stringify(body(word)) }));
  const match = (word: string): object => ({ match: { body: word } });
  const first = await service.ask('POST', '/http/_search', '{"size":200,"_source":false}');
  const ids: readonly string[] = JSON.parse(first.text).hits.hits.map(
    (hit: { _id: string }) => hit._id,
  );
  return {
    liveness: [{ method: 'GET', path: '/v1/health' }],
    'get a document': ids.map((id) => ({
      method: 'GET',
      path: `/http/_doc/${encodeURIComponent(id)}`,
    })),
    'match, 10 hits': search('/http/_search', (word) => ({ query: match(word) })),
    'match, 100 hits': search('/http/_search', (word) => ({ query: match(word), size: 100 })),
    count: search('/http/_count', (word) => ({ query: match(word) })),
  };
}

async function verify(service: Service, name: string, requests: Requests): Promise<void> {
  for (const { method, path, body } of requests) {
    const { status, text } = await service.ask(method, path, body);
    if (status !== 200) throw new Error(`${name} answered ${status}: ${text.slice(0, 300)}`);
    const answer = JSON.parse(text);
    const empty = answer.hits?.hits.length === 0 || answer.count === 0 || answer.found === false;
    if (empty) throw new Error(`${name} found nothing: ${path} ${body}`);
  }
}

async function measure(
  service: Service,
  loader: Clients,
  what: { readonly name: string; readonly requests: Requests; readonly clients: number },
): Promise<Row> {
  const { name, requests, clients } = what;
  const before = processorMs(service.server.pid);
  const until = { milliseconds: SPAN_MS };
  const { base } = service.server;
  const { times, seconds } = await loader.run({ base, requests, clients, until });
  const cpu = processorMs(service.server.pid) - before;
  return {
    name: `${name}, ${clients} client${clients > 1 ? 's' : ''}`,
    unit: 'us',
    values: {
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      'requests/s': times.length / seconds,
      'us of processor': (cpu * 1000) / times.length,
    },
  };
}
