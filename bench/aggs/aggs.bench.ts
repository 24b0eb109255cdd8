// Measures time and memory of aggregations over a log: BENCH_DOCS documents (default 100,000;
// 1,000,000 for the full run) in one shard with one segment, without a cache. Counts are first
// checked against a loop over the documents. With --peer URL the same requests are sent to an
// Elasticsearch, alternating with ours, and its responses must agree.
import { readFileSync } from 'node:fs';
import { compare } from '../../test/peers/compare.ts';
import { senderTo } from '../../test/peers/peer.ts';
import type { Send } from '../../test/peers/request.ts';
import { startServer, type TestServer } from '../../test/tools/server.ts';
import type { Row, SuiteOptions, SuiteResult, Values } from '../lab/result.ts';
import { quantile } from '../tools/figures.ts';
import { Counts, MAPPINGS, rows, STATUSES, toSource } from './documents.ts';

const DOCS = Number(process.env['BENCH_DOCS'] ?? 100_000);
const BATCH = 5000;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9);
const MIB = 1024 * 1024;

const day = { date_histogram: { field: 'at', calendar_interval: 'day' } };
const latency = { avg: { field: 'latency' } };
const inside = { aggs: { in: latency } };

const REQUESTS: Readonly<Record<string, object>> = {
  avg: latency,
  extended_stats: { extended_stats: { field: 'latency' } },
  'terms, 10 keys': { terms: { field: 'status' } },
  'terms, 10 keys, avg': { terms: { field: 'status' }, ...inside },
  'terms, 24,000 keys': {
    terms: { field: 'user', size: 20, order: [{ _count: 'desc' }, { _key: 'asc' }] },
  },
  'terms, 24,000 keys, by avg': {
    terms: { field: 'user', size: 20, order: { in: 'desc' } },
    ...inside,
  },
  'terms, several values': { terms: { field: 'tags', size: 500 } },
  'date_histogram day, avg': { ...day, ...inside },
  'date_histogram hour': { date_histogram: { field: 'at', fixed_interval: '1h' } },
  'date_histogram in a zone': {
    date_histogram: { field: 'at', calendar_interval: 'day', time_zone: 'America/New_York' },
  },
  'terms in days': { ...day, aggs: { in: { terms: { field: 'status' } } } },
  percentiles: { percentiles: { field: 'latency', percents: [50, 90, 99] } },
  cardinality: { cardinality: { field: 'user' } },
  'cardinality, exact': { cardinality: { field: 'user', precision_threshold: 40_000 } },
  range: {
    range: { field: 'bytes', ranges: [{ to: 1000 }, { from: 1000, to: 50_000 }, { from: 50_000 }] },
  },
};

/** Values that the peer only estimates, and the tolerance for their difference. */
const ESTIMATES: Readonly<Record<string, number>> = {
  percentiles: 0.1,
  cardinality: 0.06,
  'cardinality, exact': 0.005,
};
/** Ours are exact while all values are kept, and approximate above. */
const PERCENTILE_BAND = 0.01;

interface Answer {
  readonly hits: { readonly total: { readonly value: number } };
  readonly aggregations: { readonly a: Aggregated };
}
interface Aggregated {
  readonly value?: number;
  readonly values?: Readonly<Record<string, number>>;
  readonly buckets?: readonly { readonly key: string | number; readonly doc_count: number }[];
}

async function load(send: Send): Promise<Counts> {
  await send('DELETE', '/aggs?ignore_unavailable=true');
  const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
  await send('PUT', '/aggs', { settings, mappings: MAPPINGS });
  const counts = new Counts();
  let lines: string[] = [];
  const flush = async (): Promise<void> => {
    const { json } = await send('POST', '/aggs/_bulk', lines.join(''));
    if ((json as { errors?: boolean }).errors !== false) throw new Error('bulk failed');
    lines = [];
  };
  for (const row of rows(DOCS)) {
    counts.add(row);
    lines.push(`{"index":{}}\n${toSource(row)}\n`);
    if (lines.length === BATCH) await flush();
  }
  if (lines.length > 0) await flush();
  for (const verb of ['_refresh', '_forcemerge?max_num_segments=1', '_refresh']) {
    await send('POST', `/aggs/${verb}`);
  }
  return counts;
}

async function ask(send: Send, aggregation: object): Promise<Answer> {
  const body = { size: 0, track_total_hits: true, aggs: { a: aggregation } };
  const { status, json } = await send('POST', '/aggs/_search?request_cache=false', body);
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(json).slice(0, 500)}`);
  return json as Answer;
}

/** Compares responses with the counts of a loop over the documents. */
async function verify(send: Send, counts: Counts): Promise<void> {
  const check = (what: string, is: unknown, wanted: unknown): void => {
    if (JSON.stringify(is) !== JSON.stringify(wanted)) {
      throw new Error(`${what}: ${JSON.stringify(is)}, right is ${JSON.stringify(wanted)}`);
    }
  };
  const bucketsOf = async (name: string): Promise<ReadonlyMap<string | number, number>> => {
    const { aggregations } = await ask(send, REQUESTS[name] ?? {});
    return new Map((aggregations.a.buckets ?? []).map(({ key, doc_count }) => [key, doc_count]));
  };
  const statuses = await bucketsOf('terms, 10 keys');
  for (let i = 0; i < STATUSES; i++) check(`s${i}`, statuses.get(`s${i}`), counts.byStatus[i]);
  const tags = await bucketsOf('terms, several values');
  for (const [tag, count] of counts.byTag.entries()) {
    if (count > 0) check(`tag${tag}`, tags.get(`tag${tag}`), count);
  }
  const days = [...(await bucketsOf('date_histogram day, avg')).values()];
  check('days', days, [...counts.byDay].slice(0, days.length));
  const users = await ask(send, REQUESTS['cardinality, exact'] ?? {});
  check('users', users.aggregations.a.value, counts.users.size);
  const { aggregations, hits } = await ask(send, latency);
  const percentiles = await ask(send, REQUESTS['percentiles'] ?? {});
  const sorted = Float64Array.from(counts.latencies).sort();
  for (const [percent, value] of Object.entries(percentiles.aggregations.a.values ?? {})) {
    const exact = sorted[Math.floor((Number(percent) / 100) * (sorted.length - 1))] ?? 0;
    check(`percentile ${percent}`, Math.abs(value - exact) <= PERCENTILE_BAND * exact, true);
  }
  check('documents', hits.total.value, counts.documents);
  check(
    'avg',
    aggregations.a.value?.toPrecision(9),
    (counts.latency / counts.documents).toPrecision(9),
  );
}

async function agree(ours: Send, peer: Send): Promise<void> {
  for (const [name, aggregation] of Object.entries(REQUESTS)) {
    const [a, b] = await Promise.all([ask(peer, aggregation), ask(ours, aggregation)]);
    const band = ESTIMATES[name];
    const differences =
      band === undefined ? compare(a.aggregations, b.aggregations) : far(a, b, band);
    const [first] = differences;
    if (first !== undefined)
      throw new Error(`${name} differs: ${JSON.stringify(first).slice(0, 500)}`);
  }
}

function far(a: Answer, b: Answer, band: number): readonly unknown[] {
  const numbers = ({ aggregations: { a: one } }: Answer) => one.values ?? { value: one.value ?? 0 };
  const [x, y] = [numbers(a), numbers(b)];
  return Object.entries(x).flatMap(([key, value]) => {
    const other = y[key] ?? Number.NaN;
    return Math.abs(other - value) <= band * Math.abs(value)
      ? []
      : [{ key, peer: value, quarry: other }];
  });
}

async function time(send: Send, aggregation: object): Promise<number> {
  const started = performance.now();
  await ask(send, aggregation);
  return performance.now() - started;
}

function memoryOf(pid: number): Readonly<Record<'rss' | 'anon' | 'peak', number>> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024;
  return { rss: kib('VmRSS'), anon: kib('RssAnon'), peak: kib('VmHWM') };
}

async function heapOf(peer: Send): Promise<number> {
  const { json } = await peer('GET', '/_nodes/stats/jvm');
  const { nodes } = json as {
    nodes: Record<string, { jvm: { mem: { heap_used_in_bytes: number } } }>;
  };
  return Object.values(nodes)[0]?.jvm.mem.heap_used_in_bytes ?? 0;
}

export async function aggsSuite({ peer }: SuiteOptions): Promise<SuiteResult> {
  const server = await startServer();
  try {
    return await measure(server, peer);
  } finally {
    await server.stop();
  }
}

async function measure(server: TestServer, url: string | undefined): Promise<SuiteResult> {
  const ours = senderTo(server.base);
  const peer = url === undefined ? undefined : senderTo(url);
  const counts = await load(ours);
  await verify(ours, counts);
  const facts = [`${DOCS} documents; counts verified against a loop over them`];
  if (peer !== undefined) {
    await load(peer);
    await agree(ours, peer);
    facts.push(`${Object.keys(REQUESTS).length} answers agree with the peer's`);
  }
  const before = memoryOf(server.pid);
  const rows: Row[] = [];
  for (const [name, aggregation] of Object.entries(REQUESTS))
    rows.push({ name, unit: 'ms', values: await timeBoth(ours, peer, aggregation) });
  const after = memoryOf(server.pid);
  rows.push(memoryRow('before', before), memoryRow('after', after));
  if (peer !== undefined) {
    const heap = (await heapOf(peer)) / MIB;
    rows.push({ name: "the peer's Java heap", unit: 'MiB', values: { heap } });
    await peer('DELETE', '/aggs');
  }
  return { facts, rows };
}

/** Times both servers alternately. */
async function timeBoth(ours: Send, peer: Send | undefined, aggregation: object): Promise<Values> {
  const [mine, theirs]: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round++) {
    const own = await time(ours, aggregation);
    const other = peer === undefined ? 0 : await time(peer, aggregation);
    if (round < 0) continue;
    mine.push(own);
    theirs.push(other);
  }
  const [own, other] = [quantile(mine, 0.5), quantile(theirs, 0.5)];
  const compared = peer === undefined ? {} : { peer: other, 'of the peer': own / other };
  return { p50: own, slowest: Math.max(...mine), ...compared };
}

function memoryRow(when: string, { rss, anon, peak }: ReturnType<typeof memoryOf>): Row {
  const values = { resident: rss / MIB, 'on the heap': anon / MIB, 'highest ever': peak / MIB };
  return { name: `memory ${when}`, unit: 'MiB', values };
}
