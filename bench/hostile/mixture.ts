// Thousands of hostile requests of all kinds, a few at a time, during searches at a steady rate. The
// same rate of requests to a process that has nothing to do shows how long any process of the machine
// waits for a processor meanwhile.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { TestServer } from '../../test/tools/server.ts';
import type { Row } from '../lab/result.ts';
import { quantile } from '../tools/figures.ts';
import { statusOf, typeOf } from './client.ts';
import type { MixtureAnswers, MixtureSettings } from './mixture-clients.ts';

const REQUESTS = Number(process.env['BENCH_MIXTURE'] ?? 10_000);
const SEED = Number(process.env['BENCH_SEED'] ?? 1);
const AT_ONCE = 3;
/** Time between two searches, regardless of whether the previous one was answered. */
const PERIOD_MS = 20;
/** Duration of the steady load alone, before and after. */
const QUIET_MS = 10_000;
const MOST_RATIO = 3;

interface Load {
  /** Measured from the time at which a search was due. */
  readonly times: number[];
  /** Responses other than 200. */
  refused: number;
}

/** Searches at a steady rate until `until` is true. */
async function steady(
  port: number,
  searches: readonly object[],
  until: () => boolean,
): Promise<Load> {
  const load: Load = { times: [], refused: 0 };
  const agent = new Agent({ keepAlive: true });
  const bodies = searches.map((body) => JSON.stringify(body));
  const type = typeOf({});
  const started = performance.now();
  const running = new Set<Promise<void>>();
  for (let i = 0; !until(); i++) {
    const due = started + i * PERIOD_MS;
    await pause(Math.max(0, due - performance.now()));
    const sent = { method: 'POST', path: '/many/_search', body: bodies[i % bodies.length] };
    const search = statusOf(port, agent, sent, type).then((status) => {
      load.times.push(performance.now() - due);
      if (status !== 200) load.refused += 1;
      running.delete(search);
    });
    running.add(search);
  }
  await Promise.all(running);
  agent.destroy();
  return load;
}

/** The loads of the service and of the idle process. */
type Loads = readonly [service: Load, idle: Load];

async function loads(
  ports: readonly [service: number, idle: number],
  searches: readonly object[],
  until: () => boolean,
): Promise<Loads> {
  const [service, idle] = ports;
  return Promise.all([steady(service, searches, until), steady(idle, searches, until)]);
}

function quietly(): () => boolean {
  const end = performance.now() + QUIET_MS;
  return () => performance.now() > end;
}

function together(...several: readonly Load[]): Load {
  return {
    times: several.flatMap(({ times }) => times),
    refused: several.reduce((sum, { refused }) => sum + refused, 0),
  };
}

function mixture(settings: MixtureSettings): Promise<MixtureAnswers> {
  const worker = new Worker(new URL('./mixture-clients.js', import.meta.url), {
    workerData: settings,
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
}

function ratioOf(load: Load, alone: Load): number {
  return quantile(load.times, 0.99) / quantile(alone.times, 0.99);
}

function rowOf(name: string, { times, refused }: Load): Row {
  return {
    name,
    unit: 'ms of a search of the steady load',
    values: { p50: quantile(times, 0.5), p99: quantile(times, 0.99), slowest: Math.max(...times) },
    counters: { searches: times.length, refused },
  };
}

/** `searches`: the steady load, in the index `many`. */
export async function mixtureRows(
  server: TestServer,
  searches: readonly object[],
): Promise<readonly Row[]> {
  const idle = fork(fileURLToPath(new URL('./idle-process.js', import.meta.url)));
  const [idlePort] = (await once(idle, 'message')) as [number];
  const port = Number(new URL(server.base).port);
  const ports = [port, idlePort] as const;
  const before = await loads(ports, searches, quietly());
  let isOver = false;
  const next = loads(ports, searches, () => isOver);
  const answers = await mixture({ port, requests: REQUESTS, atOnce: AT_ONCE, seed: SEED });
  isOver = true;
  const [load, idleLoad] = await next;
  const after = await loads(ports, searches, quietly());
  idle.kill();
  const alone = together(before[0], after[0]);
  const idleAlone = together(before[1], after[1]);
  const count = (from: number, to: number): number =>
    Object.entries(answers)
      .filter(([status]) => Number(status) >= from && Number(status) < to)
      .reduce((sum, [, answered]) => sum + answered, 0);
  const row = rowOf(
    `next to ${REQUESTS} hostile requests, ${AT_ONCE} at a time, seed ${SEED}`,
    load,
  );
  const ratio = ratioOf(load, alone);
  const idleRow = rowOf('an idle process, next to them', idleLoad);
  return [
    rowOf('alone', alone),
    {
      ...row,
      values: { ...row.values, ratio },
      counters: {
        ...row.counters,
        'hostile done': count(200, 400),
        'hostile refused': count(400, 500),
        'hostile failed': count(0, 1) + count(500, 600),
      },
      goal: { value: 'ratio', target: MOST_RATIO, lower: true },
    },
    rowOf('an idle process, alone', idleAlone),
    { ...idleRow, values: { ...idleRow.values, ratio: ratioOf(idleLoad, idleAlone) } },
  ];
}
