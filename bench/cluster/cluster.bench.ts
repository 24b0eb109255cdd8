// What does cluster mode add to a request? Its processor time beside a stub that answers at once,
// and the latency of the same requests sent to the stub directly, in turns. With --peer URL a real
// cluster takes the place of the stub. BENCH_SPAN_MS sets the time of every measurement.
import { startServer } from '../../test/tools/server.ts';
import { Clients, type LoadOrder } from '../http/clients.ts';
import type { Row, SuiteOptions, SuiteResult } from '../lab/result.ts';
import { Service } from '../lab/service.ts';
import { processorMs } from '../lab/work.ts';
import { quantile } from '../tools/figures.ts';
import { INDEX, PREFIX, type ReadyCluster, startReadyCluster } from './ready-cluster.ts';

const SPAN_MS = Number(process.env['BENCH_SPAN_MS'] ?? 2000);
const ROUNDS = 3;
const CLIENTS = [1, 16];
/** Of the service, for each request. */
const MOST_PROCESSOR_MS = 0.4;
const DOCUMENTS = 1000;

type Request = LoadOrder['requests'][number];

/** Requests by kind; the path follows the name of the index. */
const KINDS: Readonly<Record<string, readonly Request[]>> = {
  get: Array.from({ length: 50 }, (_, n) => ({ method: 'GET', path: `/_doc/${n}` })),
  'search, 10 hits': Array.from({ length: 50 }, (_, n) => ({
    method: 'POST',
    path: '/_search',
    body: JSON.stringify({ query: { match: { title: `word${n}` } } }),
  })),
  index: Array.from({ length: 50 }, (_, n) => ({
    method: 'POST',
    path: '/_doc',
    body: documentOf(n),
  })),
};

export async function clusterSuite({ peer }: SuiteOptions): Promise<SuiteResult> {
  const stub = peer === undefined ? await startReadyCluster() : undefined;
  const cluster = peer ?? (stub as ReadyCluster).url;
  const service = new Service(
    await startServer({
      env: {
        QUARRY_CLUSTER_ENABLED: 'true',
        QUARRY_CLUSTER_URLS: cluster,
        QUARRY_CLUSTER_INDEX_PREFIX: PREFIX,
      },
    }),
  );
  const loader = new Clients();
  try {
    if (stub === undefined) await fill(service);
    const rows: Row[] = [];
    for (const [name, requests] of Object.entries(KINDS)) {
      await verify(service, name, requests);
      for (const clients of CLIENTS)
        rows.push(await measure(service, loader, { name, requests, clients, cluster }));
    }
    if (stub === undefined) await service.ask('DELETE', `/${INDEX}`);
    const behind = stub === undefined ? peer : 'a stub that answers at once';
    const facts = [
      `In front of ${behind}; clients in another process, ${ROUNDS} times ${SPAN_MS} ms for every line, in turns with direct requests.`,
    ];
    return { facts, rows };
  } finally {
    loader.stop();
    await service.stop();
    await stub?.stop();
  }
}

function documentOf(n: number): string {
  const words = Array.from({ length: 12 }, (_, i) => `word${(n * 7 + i * 13) % 60}`);
  return JSON.stringify({ title: words.join(' '), n, tags: ['a', 'b'], when: '2026-01-01' });
}

async function fill(service: Service): Promise<void> {
  await service.ask('DELETE', `/${INDEX}`);
  const lines = Array.from({ length: DOCUMENTS }, (_, n) => {
    return `{"index":{"_id":"${n}"}}\n${documentOf(n)}\n`;
  });
  await service.bulk(Buffer.from(lines.join('')), `/${INDEX}/_bulk?refresh=true`);
}

async function verify(service: Service, name: string, requests: readonly Request[]): Promise<void> {
  for (const { method, path, body } of requests) {
    const { status, text } = await service.ask(method, `/${INDEX}${path}`, body);
    const answer = JSON.parse(text);
    const isRight =
      answer.found === true || answer.hits?.hits.length === 10 || answer.result === 'created';
    if (status >= 300 || !isRight) throw new Error(`${name}: ${status} ${text.slice(0, 300)}`);
  }
}

interface Measurement {
  readonly name: string;
  readonly requests: readonly Request[];
  readonly clients: number;
  readonly cluster: string;
}

async function measure(
  service: Service,
  loader: Clients,
  { name, requests, clients, cluster }: Measurement,
): Promise<Row> {
  const { base, pid } = service.server;
  const below = (index: string): readonly Request[] =>
    requests.map((request) => ({ ...request, path: `/${index}${request.path}` }));
  const until = { milliseconds: SPAN_MS };
  const ours = { base, requests: below(INDEX), clients, until };
  const direct = { base: cluster, requests: below(`${PREFIX}${INDEX}`), clients, until };
  // The code of both sides is compiled before it is measured.
  await loader.run(ours);
  const times: { readonly through: number[]; readonly direct: number[] } = {
    through: [],
    direct: [],
  };
  let processor = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = processorMs(pid);
    const answer = await loader.run(ours);
    processor += processorMs(pid) - before;
    times.through.push(...answer.times);
    times.direct.push(...(await loader.run(direct)).times);
  }
  const ms = (values: readonly number[], p: number): number => quantile(values, p) / 1000;
  return {
    name: `${name}, ${clients} client${clients > 1 ? 's' : ''}`,
    unit: 'ms',
    values: {
      processor: processor / times.through.length,
      p50: ms(times.through, 0.5),
      'p50 direct': ms(times.direct, 0.5),
      p99: ms(times.through, 0.99),
      'p99 direct': ms(times.direct, 0.99),
    },
    goal: { value: 'processor', target: MOST_PROCESSOR_MS, lower: true },
  };
}
