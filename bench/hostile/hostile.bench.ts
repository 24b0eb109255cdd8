// Measures whether hostile requests end within their time limit or are rejected, and their effect
// on other clients. A client sends ordinary queries, alone and during each hostile request in turn;
// their p99 must stay within 3 times that of the queries alone. Small requests with long lists are
// sent once each, to measure how long they block the main thread and what they cost the other
// threads. Then many clients request large pages while health checks and inline searches must be
// answered soon. Finally thousands of all these requests are sent in random order during searches
// at a steady rate, whose p99 must stay within 3 times.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type TestServer } from '../../test/tools/server.ts';
import type { Row, SuiteResult } from '../lab/result.ts';
import { quantile } from '../tools/figures.ts';
import { typeOf } from './client.ts';
import { crowdRows } from './crowd.ts';
import { LONG_TEXTS } from './long-texts.ts';
import { mixtureRows } from './mixture.ts';
import { HOSTILE, type Hostile, LIMIT_MS } from './requests.ts';
import { SMALL, type SmallRequest } from './small-requests.ts';
import { monitored, ThreadMeter } from './thread-work.ts';

const DOCS = Number(process.env['BENCH_DOCS'] ?? 50_000);
const BATCH = 5000;
/** Time for which each hostile request is repeated. */
const SPAN_MS = Number(process.env['BENCH_SPAN_MS'] ?? 1500);
/** Factor on that time for the many clients. */
const CROWD_SPANS = 8;
/** Tolerance: a limit is checked between pieces of work, and the response must be written. */
const GRACE = 3;
const MOST_RATIO = 3;

interface Outcome {
  readonly name: string;
  readonly status: number;
  readonly slowestMs: number;
  readonly requested: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: string;
}

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const next = random(3);
const word = (): string => `w${Math.floor(next() ** 3 * 3000)}`;
const text = (length: number): string => Array.from({ length }, word).join(' ');
const code = (): string =>
  Array.from({ length: 16 }, () => 'abcdefghijklmnopqrstuvwxyz'[Math.floor(next() * 26)]).join('');

async function load(server: TestServer): Promise<void> {
  const properties = {
    body: { type: 'text' },
    code: { type: 'keyword' },
    n: { type: 'long' },
    at: { type: 'date' },
  };
  for (const index of ['many', 'huge']) {
    await server.call('PUT', `/${index}`, { mappings: { properties } });
  }
  const bulk = async (index: string, docs: readonly object[]): Promise<void> => {
    const body = docs.map((doc) => `{"index":{}}\n${JSON.stringify(doc)}\n`).join('');
    const headers = { 'content-type': 'application/x-ndjson' };
    const { json } = await server.call('POST', `/${index}/_bulk`, body, headers);
    if (json?.errors !== false) throw new Error('bulk failed');
  };
  for (let at = 0; at < DOCS; at += BATCH) {
    const docs = Array.from({ length: Math.min(BATCH, DOCS - at) }, (_, i) => ({
      body: text(40),
      code: code(),
      n: at + i,
      at: 1_700_000_000_000 + (at + i) * 1009,
    }));
    await bulk('many', docs);
  }
  for (let i = 0; i < 20; i++) await bulk('huge', [{ body: text(60_000), n: i }]);
  await server.call('POST', '/many,huge/_forcemerge?max_num_segments=1');
  await server.call('POST', '/many,huge/_refresh');
}

const ORDINARY: readonly object[] = Array.from({ length: 50 }, (_, i) => ({
  query: {
    bool: {
      must: [{ match: { body: `w${40 + i}` } }],
      filter: [{ range: { n: { gte: i * 20 } } }],
    },
  },
  _source: false,
}));

/** Times of ordinary queries, sent sequentially until `until` is true. */
async function others(server: TestServer, until: () => boolean): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; !until(); i++) {
    const started = performance.now();
    const { status } = await server.call('POST', '/many/_search', ORDINARY[i % ORDINARY.length]);
    times.push(performance.now() - started);
    if (status !== 200) throw new Error(`an ordinary query answered ${status}`);
  }
  return times;
}

async function quiet(server: TestServer, spanMs: number): Promise<readonly number[]> {
  const end = performance.now() + spanMs;
  return await others(server, () => performance.now() > end);
}

async function measureDuring(server: TestServer, one: Hostile): Promise<Outcome> {
  const isText = typeof one.body === 'string';
  // Created once, and responses are not parsed, because this thread measures the other queries.
  const init = {
    method: 'POST',
    body: isText ? one.body : JSON.stringify(one.body),
    headers: typeOf(one.body),
  };
  const end = performance.now() + SPAN_MS;
  let done = false;
  const measured = others(server, () => done);
  let [status, slowestMs, requested] = [0, 0, 0];
  for (; performance.now() < end || requested === 0; requested++) {
    const started = performance.now();
    const answer = await fetch(server.base + one.path, init);
    await answer.arrayBuffer();
    status = answer.status;
    slowestMs = Math.max(slowestMs, performance.now() - started);
  }
  done = true;
  const times = await measured;
  return {
    name: one.name,
    status,
    slowestMs,
    requested,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    failed: verdict(one, status, slowestMs),
  };
}

function verdict(one: Hostile, status: number, slowestMs: number): string {
  if (status >= 500 || status === 0) return 'a server error';
  if (one.refused !== status >= 400) return one.refused ? 'not refused' : 'refused';
  return slowestMs > LIMIT_MS * GRACE ? 'too slow' : '';
}

type Part = 'large' | 'crowd' | 'small' | 'mixture';

const PARTS: Readonly<Record<Part, (server: TestServer, folder: string) => Promise<SuiteResult>>> =
  {
    large: measureLarge,
    crowd: async (server) => ({
      facts: [],
      rows: await crowdRows(server, 'many', CROWD_SPANS * SPAN_MS),
    }),
    small: (server, folder) => measureSmall(server, new ThreadMeter(server.pid, folder)),
    mixture: async (server) => ({ facts: [], rows: await mixtureRows(server, ORDINARY) }),
  };

/** The parts that BENCH_PARTS names, separated by commas; all without it. */
function chosenParts(): readonly Part[] {
  const parts = Object.keys(PARTS) as Part[];
  const names = process.env['BENCH_PARTS']?.split(',') ?? parts;
  const unknown = names.filter((name) => !(name in PARTS));
  if (unknown.length > 0)
    throw new Error(`BENCH_PARTS is [${unknown.join(', ')}]; there are ${parts.join(', ')}`);
  return parts.filter((part) => names.includes(part));
}

export async function hostileSuite(): Promise<SuiteResult> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-hostile-'));
  const server = await startServer({ env: monitored(folder) });
  try {
    await load(server);
    await quiet(server, SPAN_MS);
    const facts: string[] = [];
    const rows: Row[] = [];
    for (const part of chosenParts()) {
      const result = await PARTS[part](server, folder);
      facts.push(...result.facts);
      rows.push(...result.rows);
    }
    return { facts, rows };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Longest allowed step that cannot yield, such as parsing one body. */
const MAX_BLOCK_MS = 50;
/** Longest allowed CPU time of a pool thread for a request without a time limit. */
const MOST_POOL_MS = 1000;

async function measureSmall(server: TestServer, meter: ThreadMeter): Promise<SuiteResult> {
  const rows: Row[] = [];
  let failed = 0;
  const requests = [...SMALL, ...LONG_TEXTS];
  for (const one of requests) {
    const { row, isGood } = await sentOnce(server, meter, one);
    rows.push(row);
    if (!isGood) failed += 1;
  }
  return {
    facts: [
      `${requests.length} small requests, ${failed} beyond ${MAX_BLOCK_MS} ms of the main thread in a row, ${MOST_POOL_MS} ms of a pool thread, or answered 5xx`,
    ],
    rows,
  };
}

async function sentOnce(
  server: TestServer,
  meter: ThreadMeter,
  { name, method, path, body }: SmallRequest,
): Promise<{ readonly row: Row; readonly isGood: boolean }> {
  const isText = typeof body === 'string';
  const init = {
    method,
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    headers: typeOf(body),
  };
  await meter.begin();
  const started = performance.now();
  let done = false;
  const background = others(server, () => done);
  const answer = await fetch(server.base + path, init);
  await answer.arrayBuffer();
  const took = performance.now() - started;
  done = true;
  await background;
  const { mainMs, poolMs, longestBlockMs } = await meter.end();
  const isGood = answer.status < 500 && longestBlockMs <= MAX_BLOCK_MS && poolMs <= MOST_POOL_MS;
  const values = {
    took,
    'longest block': longestBlockMs,
    'main thread': mainMs,
    'pool thread': poolMs,
  };
  const row = {
    name: isGood ? name : `${name} (!)`,
    unit: 'ms of a small request',
    values,
    counters: { status: answer.status },
    goal: { value: 'longest block', target: MAX_BLOCK_MS, lower: true },
  };
  return { row, isGood };
}

async function measureLarge(server: TestServer): Promise<SuiteResult> {
  const before = await quiet(server, 2 * SPAN_MS);
  const outcomes: Outcome[] = [];
  for (const one of HOSTILE) outcomes.push(await measureDuring(server, one));
  const after = await quiet(server, 2 * SPAN_MS);
  const base = quantile([...before, ...after], 0.99);
  const rows = outcomes.map((outcome): Row => {
    const { name, status, slowestMs, requested, p50, p99, failed } = outcome;
    return {
      name: failed === '' ? name : `${name} (${failed})`,
      unit: 'ms',
      values: { slowest: slowestMs, 'others p50': p50, 'others p99': p99, ratio: p99 / base },
      counters: { status, requested },
      goal: { value: 'ratio', target: MOST_RATIO, lower: true },
    };
  });
  const failures = outcomes.filter(({ failed }) => failed !== '').length;
  return {
    facts: [
      `${DOCS} documents, 20 texts of 60,000 words, a limit of ${LIMIT_MS} ms`,
      `${outcomes.length} hostile requests, ${failures} failed; quiet p50 ${quantile(before, 0.5).toFixed(1)} ms, p99 ${base.toFixed(1)} ms`,
    ],
    rows,
  };
}
