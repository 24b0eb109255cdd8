// Hundreds of clients that request 10,000 hits each, together with one that checks the health and
// one that requests ten hits.
import { Worker } from 'node:worker_threads';
import type { TestServer } from '../../test/tools/server.ts';
import type { Row } from '../lab/result.ts';
import { quantile } from '../tools/figures.ts';
import type { CrowdAnswers, CrowdSettings } from './crowd-clients.ts';

const CLIENTS = Number(process.env['BENCH_CROWD'] ?? 300);
const HITS = 10_000;
/** Wait between two health checks. */
const PAUSE_MS = 20;
const MOST_HEALTH_MS = 200;
const MOST_LIGHT_MS = 1000;

interface Looks {
  readonly times: number[];
  /** Responses other than 200. */
  refused: number;
}

async function look(
  server: TestServer,
  path: string,
  body: (i: number) => object | undefined,
  until: () => boolean,
): Promise<Looks> {
  const looks: Looks = { times: [], refused: 0 };
  for (let i = 0; !until(); i++) {
    const started = performance.now();
    const requested = body(i);
    const { status } = await server.call(requested === undefined ? 'GET' : 'POST', path, requested);
    looks.times.push(performance.now() - started);
    if (status !== 200) looks.refused += 1;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
  return looks;
}

function crowd(settings: CrowdSettings): Promise<CrowdAnswers> {
  const worker = new Worker(new URL('./crowd-clients.js', import.meta.url), {
    workerData: settings,
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
}

/** `index`: small documents with a text `body`. The clients send requests for `ms`. */
export async function crowdRows(
  server: TestServer,
  index: string,
  ms: number,
): Promise<readonly Row[]> {
  let isOver = false;
  const until = (): boolean => isOver;
  const health = look(server, '/v1/health', () => undefined, until);
  const light = look(
    server,
    `/${index}/_search`,
    (i) => ({ query: { match: { body: `w${i % 300}` } }, _source: false }),
    until,
  );
  const path = `/${index}/_search`;
  const body = JSON.stringify({ size: HITS });
  const answers = await crowd({
    port: Number(new URL(server.base).port),
    clients: CLIENTS,
    ms,
    path,
    body,
  });
  isOver = true;
  const rows: readonly (readonly [string, Looks, number])[] = [
    ['health', await health, MOST_HEALTH_MS],
    ['a light search', await light, MOST_LIGHT_MS],
  ];
  return rows.map(([what, { times, refused }, target]) => ({
    name: `${what} beside ${CLIENTS} clients that ask for ${HITS} hits`,
    unit: 'ms',
    values: { p50: quantile(times, 0.5), p99: quantile(times, 0.99), slowest: Math.max(...times) },
    counters: {
      requested: times.length,
      refused,
      'crowd answered': answers[200] ?? 0,
      'crowd refused': answers[429] ?? 0,
    },
    goal: { value: 'slowest', target, lower: true },
  }));
}
