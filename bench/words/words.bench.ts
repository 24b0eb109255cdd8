// Measures loading and searching 145,932 real commits, over HTTP and inside the core, and the cost
// of a document on disk and in memory. Every count is checked against brute force before anything
// is timed.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadAddon } from '../../src/native/addon.ts';
import { DEFAULT_LIMITS } from '../../src/query/limits.ts';
import { compileSearch } from '../../src/query/search-body.ts';
import { startServer, type TestServer } from '../../test/tools/server.ts';
import type { Row, SuiteResult } from '../lab/result.ts';
import { quantile } from '../tools/figures.ts';
import { type Commit, MAPPINGS, readCommits } from './corpus.ts';
import { Oracle, readWorkload, toBody, type WorkloadQuery } from './workload.ts';

const SHARED = process.env['SHARED_DIR'] ?? join('..', 'shared');
const BATCH = 2000;
const CLIENTS = 2;
const PASSES = 3;
const MIB = 1024 * 1024;

interface Timing {
  readonly family: string;
  readonly times: number[];
}

export async function wordsSuite(): Promise<SuiteResult> {
  const lexical = join(SHARED, 'lexical');
  if (!exists(lexical)) {
    return { facts: [`skipped: ${lexical} is not there`], rows: [] };
  }
  const commits = readCommits(
    lexical,
    Number(process.env['BENCH_DOCS'] ?? Number.POSITIVE_INFINITY),
  );
  const queries = readWorkload(lexical);
  const server = await startServer();
  const loaded = await load(server, commits);
  await server.call('POST', '/gitlog/_forcemerge?max_num_segments=1');
  await verify(server, queries, new Oracle(commits));
  const http = await timeHttp(server, queries);
  const resident = residentBytes(server.pid);
  await server.kill('SIGTERM');
  const bytes = folderBytes(join(server.dataDir, 'indices'));
  const core = timeCore(server.dataDir, queries);
  rmSync(server.dataDir, { recursive: true, force: true });
  return report(commits, loaded, resident, bytes, http, core);
}

function exists(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Two clients, each of which waits for a durable acknowledgement before its next batch. */
async function load(server: TestServer, commits: readonly Commit[]): Promise<number> {
  await server.call('PUT', '/gitlog', { mappings: MAPPINGS });
  const bodies: string[] = [];
  for (let at = 0; at < commits.length; at += BATCH)
    bodies.push(toBulk(commits.slice(at, at + BATCH)));
  const started = performance.now();
  const client = async (): Promise<void> => {
    for (let body = bodies.shift(); body !== undefined; body = bodies.shift()) {
      const reply = await server.call('POST', '/gitlog/_bulk', body, {
        'content-type': 'application/x-ndjson',
      });
      if (reply.json.errors !== false) throw new Error(`bulk failed: ${reply.text.slice(0, 500)}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const seconds = (performance.now() - started) / 1000;
  await server.call('POST', '/gitlog/_refresh');
  return commits.length / seconds;
}

function toBulk(batch: readonly Commit[]): string {
  const lines = batch.flatMap(({ id, ...source }) => [
    JSON.stringify({ index: { _id: id } }),
    JSON.stringify(source),
  ]);
  return `${lines.join('\n')}\n`;
}

async function verify(
  server: TestServer,
  queries: readonly WorkloadQuery[],
  oracle: Oracle,
): Promise<void> {
  let wrong = 0;
  for (const query of queries) {
    const reply = await server.call('POST', '/gitlog/_search', {
      ...toBody(query),
      track_total_hits: true,
      size: 0,
    });
    const expected = oracle.count(query);
    if (reply.json?.hits?.total?.value === expected) continue;
    wrong++;
    console.log(
      `wrong count: ${query.id} gives ${JSON.stringify(reply.json?.hits?.total ?? reply.text)}, right is ${expected}`,
    );
  }
  if (wrong > 0) throw new Error(`${wrong} of ${queries.length} counts are wrong`);
  console.log(`${queries.length} counts verified against brute force`);
}

async function timeHttp(
  server: TestServer,
  queries: readonly WorkloadQuery[],
): Promise<Map<string, Timing>> {
  const timings = new Map<string, Timing>();
  for (let pass = 0; pass <= PASSES; pass++) {
    for (const query of queries) {
      const body = toBody(query);
      const started = performance.now();
      await server.call('POST', '/gitlog/_search', body as object);
      if (pass > 0) add(timings, query.family, (performance.now() - started) * 1000);
    }
  }
  return timings;
}

/**
 * Runs the same plans directly through the addon, in this process, on the folder that the server
 * has written.
 */
function timeCore(dataDir: string, queries: readonly WorkloadQuery[]): Map<string, Timing> {
  const addon = loadAddon();
  addon.open(dataDir, '{}');
  const [index] = JSON.parse(addon.describeAll()) as { number: number }[];
  const shards = new Uint32Array([index?.number ?? 0, 0]);
  const context = {
    opcodes: addon.opcodes(),
    nowMs: Date.now(),
    limits: DEFAULT_LIMITS,
  };
  const timings = new Map<string, Timing>();
  for (let pass = 0; pass <= PASSES; pass++) {
    for (const query of queries) {
      const { plan } = compileSearch(toBody(query), context);
      const started = performance.now();
      addon.search(shards, plan);
      if (pass > 0) add(timings, query.family, (performance.now() - started) * 1000);
    }
  }
  addon.close(0);
  return timings;
}

function add(timings: Map<string, Timing>, family: string, micros: number): void {
  const timing = timings.get(family);
  if (timing === undefined) timings.set(family, { family, times: [micros] });
  else timing.times.push(micros);
}

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

function folderBytes(path: string): number {
  return readdirSync(path, { withFileTypes: true }).reduce((sum, entry) => {
    const inner = join(path, entry.name);
    return sum + (entry.isDirectory() ? folderBytes(inner) : statSync(inner).size);
  }, 0);
}

function report(
  commits: readonly Commit[],
  docsPerSecond: number,
  resident: number,
  bytes: number,
  http: Map<string, Timing>,
  core: Map<string, Timing>,
): SuiteResult {
  const families = [...http.values()].map(({ family, times }): Row => {
    const inside = core.get(family)?.times ?? [];
    return {
      name: family,
      unit: 'us',
      values: {
        'http p50': quantile(times, 0.5),
        'http p99': quantile(times, 0.99),
        'core p50': quantile(inside, 0.5),
        'core p99': quantile(inside, 0.99),
      },
    };
  });
  const name = `bulk, durable acknowledgement, ${CLIENTS} clients`;
  return {
    facts: [`${commits.length} commits; every count verified against brute force`],
    rows: [
      ...families,
      { name, unit: 'documents/s', values: { rate: docsPerSecond } },
      { name: 'on disk', unit: 'bytes a document', values: { bytes: bytes / commits.length } },
      { name: 'after the workload', unit: 'MiB', values: { resident: resident / MIB } },
    ],
  };
}
