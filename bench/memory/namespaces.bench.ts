// Measures the cost of a thousand namespaces (BENCH_NAMESPACES=10000 for ten thousand) on one small
// machine. Each stores a memory (or BENCH_NAMESPACE_MEMORIES), then all become idle: their remaining
// memory, open files and threads; the time of a recall that must open its namespace; the time of a
// start, also of the processor, and the memory of an idle namespace in a process that has only
// started.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startServer, type TestServer } from '../../test/tools/server.ts';
import type { SuiteResult } from '../lab/result.ts';
import { quantile } from '../tools/figures.ts';
import { Client } from './client.ts';
import { processorSeconds, statusOf } from './process.ts';

const NAMESPACES = Number(process.env['BENCH_NAMESPACES'] ?? 1000);
const MEMORIES = Number(process.env['BENCH_NAMESPACE_MEMORIES'] ?? 1);
const RECALLS = 1000;
const AT_ONCE = 16;
const IDLE_MS = 2000;
const ARGS = ['--index.idle_close_ms', String(IDLE_MS)];
/**
 * Equal consecutive reads after which a number counts as stable: the service closes idle namespaces
 * every ten seconds.
 */
const STEADY = 15;
const PATIENCE_MS = 300_000;

interface Weight {
  readonly mebibytes: number;
  readonly files: number;
  readonly threads: number;
}

export async function namespacesSuite(): Promise<SuiteResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-namespaces-'));
  const agent = new Agent({ keepAlive: true });
  const rows: [string, Weight][] = [];
  try {
    let server = await startServer({ dataDir, args: ARGS });
    let client = new Client(server, agent);
    rows.push(['empty', weigh(server)]);
    await fill(client);
    rows.push(['all stored', weigh(server)]);
    await goIdle(server);
    rows.push(['all idle', weigh(server)]);
    const times = await recalls(client);
    rows.push([`after ${RECALLS} recalls`, weigh(server)]);
    await server.stop();
    const started = performance.now();
    server = await startServer({ dataDir, args: ARGS });
    const startMs = performance.now() - started;
    const startCpuMs = processorSeconds(server.pid) * 1000;
    client = new Client(server, agent);
    await goIdle(server);
    const fresh = weigh(server);
    rows.push(['restarted', fresh]);
    await verify(client);
    await server.stop();
    return report(rows, times, { p50: startMs, processor: startCpuMs });
  } finally {
    agent.destroy();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function fill(client: Client): Promise<void> {
  const started = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < NAMESPACES) {
      const i = next++;
      const first = { id: 'a', text: `the colour of number ${i} is blue` };
      const others = Array.from({ length: MEMORIES - 1 }, (_, at) => memoryOf(i, at));
      const answer = await client.post(`/_memory/ns-${i}/_bulk`, [first, ...others]);
      if (answer.includes('"errors":true')) throw new Error(answer);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const seconds = (performance.now() - started) / 1000;
  console.log(`${NAMESPACES} namespaces made, ${Math.round(NAMESPACES / seconds)}/s`);
}

function memoryOf(namespace: number, at: number): object {
  const word = (i: number): string => `w${((namespace + 1) * (at + 7) * (i + 3)) % 5000}`;
  const text = Array.from({ length: 12 }, (_, i) => word(i)).join(' ');
  return { id: `m${at}`, text, metadata: { session: `s${at % 5}` } };
}

/** Recalls in random namespaces, sequentially; most of them are closed. */
async function recalls(client: Client): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; i < RECALLS; i++) {
    const number = (Math.imul(i, 2654435761) >>> 0) % NAMESPACES;
    const started = performance.now();
    const answer = await client.post(`/_memory/ns-${number}/_recall`, { query: 'what colour' });
    times.push(performance.now() - started);
    if (!answer.includes(`number ${number} is`)) throw new Error(`ns-${number} answers ${answer}`);
  }
  return times;
}

async function verify(client: Client): Promise<void> {
  const last = NAMESPACES - 1;
  const answer = await client.post(`/_memory/ns-${last}/_recall`, { query: 'colour' });
  if (!answer.includes(`number ${last} is`)) throw new Error(`after the restart: ${answer}`);
}

/** Waits until the service has closed all idle namespaces. */
async function goIdle(server: TestServer): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  let steady = 0;
  for (let before = -1; steady < STEADY; ) {
    if (performance.now() > deadline) throw new Error('the namespaces do not go idle');
    await pause(IDLE_MS / 2);
    const now = openFiles(server.pid, server.dataDir);
    steady = now === before ? steady + 1 : 0;
    before = now;
  }
}

function weigh({ pid, dataDir }: TestServer): Weight {
  return {
    mebibytes: statusOf(pid, 'VmRSS') / 1024,
    files: openFiles(pid, dataDir),
    threads: statusOf(pid, 'Threads'),
  };
}

/** Files of the data folder that are open or mapped into memory. */
function openFiles(pid: number, dataDir: string): number {
  const mapped = readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n');
  const open = readdirSync(`/proc/${pid}/fd`).length;
  return open + mapped.filter((line) => line.includes(dataDir)).length;
}

function report(
  rows: readonly (readonly [string, Weight])[],
  times: readonly number[],
  start: { readonly p50: number; readonly processor: number },
): SuiteResult {
  const empty = rows[0]?.[1].mebibytes ?? 0;
  const states = rows.map(([name, { mebibytes, files, threads }]) => {
    const each = ((mebibytes - empty) * 1024 * 1024) / NAMESPACES;
    const values = { resident: mebibytes };
    return { name, unit: 'MiB', values, counters: { 'bytes each': each, files, threads } };
  });
  const opening = { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
  return {
    facts: [
      `${NAMESPACES} namespaces of ${MEMORIES}; every recall answered with its own namespace's memory`,
    ],
    rows: [
      ...states,
      { name: 'recall that opens its namespace', unit: 'ms', values: opening },
      { name: 'start until ready', unit: 'ms', values: start },
    ],
  };
}
