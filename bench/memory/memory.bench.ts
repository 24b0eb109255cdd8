// Measures recalls of every mode and stores of every kind over HTTP in a namespace of 5,000
// memories: their time, and the service's CPU time for each. The last stored memory must be
// recalled by its words before anything is timed. BENCH_MEMORIES (up to millions: all but the first
// 5,000 are stored in bulk, and merges are waited for, ten minutes at most) and BENCH_ROUNDS set
// other numbers.
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { startServer, type TestServer } from '../../test/tools/server.ts';
import type { Row as Measured, SuiteResult } from '../lab/result.ts';
import { processorMs } from '../lab/work.ts';
import { quantile } from '../tools/figures.ts';
import { Client } from './client.ts';
import { folderBytes, statusOf } from './process.ts';

const MEMORIES = Number(process.env['BENCH_MEMORIES'] ?? 5000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 500);
const WARM_UP = Math.min(200, ROUNDS);
/**
 * Requests per slice; the modes alternate, so that other load on the machine affects all of them
 * equally.
 */
const SLICE = 50;
const AT_ONCE = 16;
/** Memories that are stored one by one; the others are stored by bulks. */
const SINGLE = 5000;
const BULK = 500;
const BULKS_AT_ONCE = 4;
/** Above this number, segments stay as merges left them. */
const MOST_MERGED = 50_000;
const PATIENCE_S = 600;
const MERGED_SHARE = 0.95;
const LOOK_MS = 2000;
const WORDS = 20;
const VOCABULARY = 4000;

export async function memorySuite(): Promise<SuiteResult> {
  const server = await startServer();
  const agent = new Agent({ keepAlive: true });
  try {
    const client = new Client(server, agent);
    const texts = writer();
    const rates = await load(client, texts);
    await verify(client, texts);
    const merged = MEMORIES <= MOST_MERGED ? [] : [await untilMerged(server)];
    const rows = await timeAll(server, questions(client, texts));
    const disk = folderBytes(server.dataDir);
    return {
      facts: [
        `${MEMORIES} memories; what was stored last was recalled by its words`,
        ...merged,
        `${mebibytes(disk)} MiB on disk, ${mebibytes(statusOf(server.pid, 'VmRSS') * 1024)} MiB resident`,
        `a recall with blend takes ${blendRatio(rows).toFixed(2)} times as long as one without`,
      ],
      rows: [
        ...rows.map(({ name, p50, p99, cpu }) =>
          measured(name, 'ms', { p50, p99, processor: cpu }),
        ),
        measured(`stored by ${AT_ONCE} clients`, 'memories/s', { rate: rates.single }),
        ...(rates.bulk === undefined
          ? []
          : [measured(`stored by bulks of ${BULK}`, 'memories/s', { rate: rates.bulk })]),
      ],
    };
  } finally {
    agent.destroy();
    await server.stop();
  }
}

function measured(name: string, unit: string, values: Measured['values']): Measured {
  return { name, unit, values };
}

interface Texts {
  text(words?: number): string;
}

/** Words with a Zipf-like distribution, the same in every run. */
function writer(): Texts {
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const word = (): string => `w${Math.floor(VOCABULARY * random() ** 2).toString(36)}x`;
  return { text: (words = WORDS) => Array.from({ length: words }, word).join(' ') };
}

const store = (client: Client, body: object): Promise<string> =>
  client.post('/_memory/bench', body);
const recall = (client: Client, body: object): Promise<string> =>
  client.post('/_memory/bench/_recall', body);

interface LoadRates {
  readonly single: number;
  /** Undefined: there were none. */
  readonly bulk: number | undefined;
}

async function load(client: Client, texts: Texts): Promise<LoadRates> {
  const alone = Math.min(SINGLE, MEMORIES);
  const single = await loadRate(0, alone, 1, AT_ONCE, (from) =>
    store(client, memoryOf(from, texts)),
  );
  const bulk = await loadRate(alone, MEMORIES, BULK, BULKS_AT_ONCE, (from, to) => {
    const memories = Array.from({ length: to - from }, (_, i) => memoryOf(from + i, texts));
    return client.post('/_memory/bench/_bulk', memories);
  });
  if (MEMORIES <= MOST_MERGED) {
    const both = '/.svc-memory-bench*/_forcemerge?max_num_segments=2&expand_wildcards=all';
    await client.post(both, {});
  }
  const [slow, fast] = [single, bulk].map(Math.round);
  console.log(`${MEMORIES} memories stored: ${slow}/s one by one, ${fast}/s by bulks of ${BULK}`);
  return { single, bulk: MEMORIES > alone ? bulk : undefined };
}

/** Memories a second over steps of a size, several of them at once. */
async function loadRate(
  from: number,
  to: number,
  step: number,
  atOnce: number,
  send: (from: number, to: number) => Promise<string>,
): Promise<number> {
  const started = performance.now();
  let next = from;
  const worker = async (): Promise<void> => {
    while (next < to) {
      const at = next;
      next += step;
      const answer = await send(at, Math.min(to, at + step));
      if (answer.includes('"errors":true')) throw new Error(answer.slice(0, 1000));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return ((to - from) * 1000) / (performance.now() - started);
}

/** Waits until merges have given nearly all vectors their codes and graphs. */
async function untilMerged(server: TestServer): Promise<string> {
  const started = performance.now();
  for (;;) {
    const { text } = await server.call('GET', '/v1/metrics');
    const bytes = (kind: string): number =>
      Number(new RegExp(`^quarry_vector_${kind}_bytes (\\d+)$`, 'm').exec(text)?.[1]);
    // A code has a byte where a row has a float.
    const share = Math.min(1, (4 * bytes('code')) / bytes('row'));
    const seconds = (performance.now() - started) / 1000;
    if (share >= MERGED_SHARE || seconds > PATIENCE_S) {
      return `merges had coded ${Math.round(100 * share)} % of the vectors ${Math.round(seconds)} s after the last memory was stored`;
    }
    await pause(LOOK_MS);
  }
}

function memoryOf(i: number, texts: Texts): object {
  const session = i % 2 === 0 ? {} : { session: `s${i % 200}` };
  return { id: `m${i}`, text: texts.text(), metadata: { n: i, tag: `t${i % 50}`, ...session } };
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

async function verify(client: Client, texts: Texts): Promise<void> {
  const text = texts.text();
  const { id } = JSON.parse(await store(client, { text })) as { id: string };
  const { hits } = JSON.parse(await recall(client, { query: text, k: 1 })) as {
    hits: { id: string }[];
  };
  if (hits[0]?.id !== id) throw new Error('what was just stored is not what its words recall');
}

type Ask = () => Promise<unknown>;

function questions(client: Client, texts: Texts): readonly (readonly [string, Ask])[] {
  const requested =
    (rest: object): Ask =>
    () =>
      recall(client, { query: texts.text(6), ...rest });
  const graph = { mode: 'blend' };
  const said =
    (rest: object): Ask =>
    () =>
      store(client, { text: texts.text(), ...rest });
  return [
    [
      'search without memory',
      () =>
        client.post('/.svc-memory-bench/_search', {
          query: { match: { text: texts.text(6) } },
          _source: ['text', 'metadata'],
        }),
    ],
    ['recall', requested({})],
    ['recall, recent', () => recall(client, {})],
    ['recall, filter', requested({ filter: { term: { 'metadata.tag': 't7' } } })],
    ['recall, recency', requested({ recency_weight: 0.2 })],
    ['recall, blend', requested({ graph })],
    ['recall, semantic', requested({ semantic: true })],
    ['recall, hybrid', requested({ hybrid: true })],
    ['recall, hybrid and blend', requested({ hybrid: true, graph })],
    ['store', said({})],
    ['store, session', said({ metadata: { session: 'bench' } })],
    ['store, dedup', said({ dedup: true })],
    [
      'store, then recall',
      async () => {
        await said({})();
        return requested({})();
      },
    ],
  ];
}

interface Row {
  readonly name: string;
  readonly p50: number;
  readonly p99: number;
  readonly cpu: number;
}

async function timeAll(
  server: TestServer,
  requested: readonly (readonly [string, Ask])[],
): Promise<readonly Row[]> {
  const measured = requested.map(([name, ask]) => ({ name, ask, times: [] as number[], cpu: 0 }));
  for (const { ask } of measured) for (let i = 0; i < WARM_UP; i++) await ask();
  for (let round = 0; round < ROUNDS; round += SLICE) {
    for (const one of measured) {
      const before = processorMs(server.pid);
      for (let i = 0; i < SLICE; i++) {
        const started = performance.now();
        await one.ask();
        one.times.push(performance.now() - started);
      }
      one.cpu += processorMs(server.pid) - before;
    }
  }
  return measured.map(({ name, times, cpu }) => {
    return { name, p50: quantile(times, 0.5), p99: quantile(times, 0.99), cpu: cpu / ROUNDS };
  });
}

function blendRatio(rows: readonly Row[]): number {
  const of = (wanted: string): number => rows.find(({ name }) => name === wanted)?.p50 ?? 0;
  return of('recall, blend') / of('recall');
}
