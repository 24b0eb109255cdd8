// Measures the graph over HTTP with 100,000 links: the ego network of random nodes and of the nodes
// with the most links, an overview, and the rate of loading links by bulk. The links of one node
// are checked against the loaded list before anything is timed. BENCH_LINKS sets the number of
// links.
import { request } from 'node:http';
import { startServer, type TestServer } from '../../test/tools/server.ts';
import type { Row, SuiteResult } from '../lab/result.ts';
import { quantile } from '../tools/figures.ts';

const LINKS = Number(process.env['BENCH_LINKS'] ?? 100_000);
const NODES = Math.ceil(LINKS / 5);
const BATCH = 4000;
const ROUNDS = 1000;
const WARM_UP = 300;
const RECOUNTS = 50;
const TYPES = ['references', 'mentions', 'follows', 'supersedes', 'contradicts'];
/** Share of links to a node that already has some: with a million links a hub has about 7,000. */
const COPIED = 0.67;
const YEAR_MS = 31_536_000_000;

/** The generator of Numerical Recipes: the same links in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Loaded {
  readonly linksPerSecond: number;
  /** Node number -> live links. */
  readonly degrees: Uint32Array;
}

export async function graphSuite(): Promise<SuiteResult> {
  const server = await startServer();
  try {
    const loaded = await load(server);
    await server.call('POST', '/.svc-memory-bench-edges/_forcemerge?max_num_segments=1');
    await verify(server, loaded);
    return await report(server, loaded);
  } finally {
    await server.stop();
  }
}

/** Sends lines as bulk bodies as soon as there are enough. */
class Bulk {
  readonly #server: TestServer;
  #lines: string[] = [];

  constructor(server: TestServer) {
    this.#server = server;
  }

  async add(index: string, id: string, document: object): Promise<void> {
    this.#lines.push(JSON.stringify({ index: { _index: index, _id: id } }));
    this.#lines.push(JSON.stringify(document));
    if (this.#lines.length >= 2 * BATCH) await this.flush();
  }
  async flush(): Promise<void> {
    if (this.#lines.length === 0) return;
    const headers = { 'content-type': 'application/x-ndjson' };
    const body = `${this.#lines.join('\n')}\n`;
    const reply = await this.#server.call('POST', '/_bulk', body, headers);
    if (reply.json.errors !== false) throw new Error(`bulk failed: ${reply.text.slice(0, 500)}`);
    this.#lines = [];
  }
}

/** Loads links as clients import them, by bulk. */
async function load(server: TestServer): Promise<Loaded> {
  const bulk = new Bulk(server);
  for (let node = 0; node < NODES; node++) {
    await bulk.add('.svc-memory-bench', `node-${node}`, {
      text: `What there is to say about node ${node}`,
      metadata: { title: `Node ${node}` },
    });
  }
  await bulk.flush();
  const started = performance.now();
  const degrees = new Uint32Array(NODES);
  for (const [i, { src, dst, ...link }] of links().entries()) {
    if (link.invalid_at === undefined) {
      degrees[src] = (degrees[src] ?? 0) + 1;
      degrees[dst] = (degrees[dst] ?? 0) + 1;
    }
    const ends = { src: `node-${src}`, dst: `node-${dst}`, type: TYPES[i % TYPES.length] };
    const id = i.toString(16).padStart(32, '0');
    await bulk.add('.svc-memory-bench-edges', id, { ...ends, ...link });
  }
  await bulk.flush();
  return { linksPerSecond: LINKS / ((performance.now() - started) / 1000), degrees };
}

interface BenchLink {
  readonly src: number;
  readonly dst: number;
  readonly confidence: number;
  readonly strength: number;
  readonly valid_at: number;
  readonly created_at: number;
  readonly invalid_at?: number;
  readonly expired_at?: number;
}

function links(): BenchLink[] {
  const random = generator(42);
  const now = Date.now();
  const targets = new Uint32Array(LINKS);
  return Array.from({ length: LINKS }, (_, i) => {
    const src = Math.floor(random() * NODES);
    const copied = i > 0 && random() < COPIED;
    const any = copied ? (targets[Math.floor(random() * i)] ?? 0) : Math.floor(random() * NODES);
    const dst = any === src ? (any + 1) % NODES : any;
    targets[i] = dst;
    const at = now - 1 - Math.floor(random() * YEAR_MS);
    const confidence = Math.ceil(random() * 100) / 100;
    const link = { src, dst, confidence, strength: confidence, valid_at: at, created_at: at };
    return random() < 0.1 ? { ...link, invalid_at: at + 1, expired_at: at + 1 } : link;
  });
}

async function verify(server: TestServer, { degrees }: Loaded): Promise<void> {
  for (const node of [0, 1, NODES - 1]) {
    const path = `/_graph/bench/ego?node=node-${node}&limit=1000&include_nodes=false`;
    const { links, not_shown: rest } = (await server.call('GET', path)).json;
    const found = links.length + rest.reasons.limit + rest.reasons.fan_cap;
    if (found !== degrees[node]) {
      throw new Error(`node ${node} has ${degrees[node]} live links, ego counts ${found}`);
    }
  }
}

/** Milliseconds of each request, sent sequentially on one connection. */
async function time(server: TestServer, paths: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const [i, path] of paths.entries()) {
    const started = performance.now();
    await get(`${server.base}${path}`);
    if (i >= WARM_UP) times.push(performance.now() - started);
  }
  return times;
}

/** Avoids fetch(), whose cost is about a third of such a request. */
function get(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`));
      answer.on('end', resolve).resume();
    })
      .on('error', reject)
      .end();
  });
}

/** Measures overviews after writes, which invalidate everything that was counted before. */
async function overviewsAfterWrites(server: TestServer): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < RECOUNTS; i++) {
    await server.call('POST', '/_graph/bench/link', { src: 'node-1', dst: `new-${i}`, type: 't' });
    const started = performance.now();
    await get(`${server.base}/_graph/bench/overview`);
    times.push(performance.now() - started);
  }
  return times;
}

async function report(server: TestServer, loaded: Loaded): Promise<SuiteResult> {
  const random = generator(7);
  const hubs = [...loaded.degrees.keys()]
    .sort((a, b) => (loaded.degrees[b] ?? 0) - (loaded.degrees[a] ?? 0))
    .slice(0, 50);
  const anyNode = (): number => Math.floor(random() * NODES);
  const paths = (node: (i: number) => number, query: string): string[] =>
    Array.from(
      { length: WARM_UP + ROUNDS },
      (_, i) => `/_graph/bench/ego?node=node-${node(i)}${query}`,
    );
  const questions: readonly (readonly [string, readonly string[]])[] = [
    ['liveness, for comparison', paths(anyNode, '').map(() => '/v1/health')],
    ['ego, 1 hop', paths(anyNode, '')],
    ['ego, 2 hops', paths(anyNode, '&hops=2')],
    ['ego, 2 hops, no nodes', paths(anyNode, '&hops=2&include_nodes=false')],
    ['ego, 2 hops, half a year ago', paths(anyNode, `&hops=2&as_of=${Date.now() - YEAR_MS / 2}`)],
    ['ego, 2 hops, 50 largest hubs', paths((i) => hubs[i % hubs.length] ?? 0, '&hops=2')],
    ['overview', paths(anyNode, '').map(() => '/_graph/bench/overview')],
  ];
  const largest = loaded.degrees[hubs[0] ?? 0] ?? 0;
  const first = performance.now();
  await get(`${server.base}/_graph/bench/overview`);
  const firstMs = performance.now() - first;
  const rows: Row[] = [];
  for (const [name, requested] of questions) rows.push(rowOf(name, await time(server, requested)));
  rows.push(rowOf('overview, each after a link was made', await overviewsAfterWrites(server)));
  return {
    facts: [
      `${LINKS} links, ${NODES} nodes, the largest hub has ${largest} live links; links of three nodes verified`,
    ],
    rows: [
      ...rows,
      { name: 'first overview, which counts every link', unit: 'ms', values: { p50: firstMs } },
      {
        name: 'bulk, durable acknowledgement, 1 client',
        unit: 'links/s',
        values: { rate: loaded.linksPerSecond },
      },
    ],
  };
}

function rowOf(name: string, times: readonly number[]): Row {
  return { name, unit: 'ms', values: { p50: quantile(times, 0.5), p99: quantile(times, 0.99) } };
}
