// A Backend that records its calls and returns what the test provides, and a server over it.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll } from 'vitest';
import type { McpHandler } from '../../src/api/agents/mcp.ts';
import { PreparedRequests } from '../../src/api/search/prepared-requests.ts';
import type { KeyRing } from '../../src/auth/key-ring.ts';
import type {
  AsyncSearches,
  Backend,
  BulkResult,
  FoundDocument,
  IndexDescription,
  IndexTemplates,
  InferenceEndpoints,
  Operations,
  PreparedSearch,
  SearchContextBackend,
  SearchRequest,
  SearchResult,
  SearchTemplates,
  WriteResult,
} from '../../src/backend/index.ts';
import { loadConfig } from '../../src/config/load.ts';
import { CorePrinters } from '../../src/coordinator/node/printers.ts';
import { Graph } from '../../src/graph/graph.ts';
import { createServer } from '../../src/http/server.ts';
import { Memory } from '../../src/memory/memory.ts';
import { loadAddon, NativeErrors } from '../../src/native/addon.ts';
import { type AuditLog, NO_AUDIT } from '../../src/ops/audit.ts';
import { ClusterSettings } from '../../src/ops/cluster-settings.ts';
import { InFlight } from '../../src/ops/in-flight.ts';
import { LiveConfig } from '../../src/ops/live-config.ts';
import { Metrics } from '../../src/ops/metrics.ts';
import { Readiness } from '../../src/ops/readiness.ts';
import { RequestContexts } from '../../src/ops/request-context.ts';
import { SlowSearches } from '../../src/ops/slow-searches.ts';
import { Tracing } from '../../src/ops/tracing.ts';
import type { Snapshots } from '../../src/snapshot/snapshots.ts';

const addon = loadAddon();

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

export const BOOKS: IndexDescription = {
  name: 'books',
  number: 1,
  uuid: 'u-books',
  shards: 2,
  state: 'open',
  hidden: false,
  creationDate: 1_700_000_000_000,
  settings: { index: { number_of_shards: '2', number_of_replicas: '0', uuid: 'u-books' } },
  mappings: {
    properties: {
      title: { type: 'text', fields: { raw: { type: 'keyword' } } },
      place: { properties: { shelf: { type: 'keyword' } } },
    },
  },
  aliases: { library: {}, old: { is_write_index: true } },
};

export const WRITTEN: WriteResult = {
  op: 'index',
  index: 'books',
  id: '1',
  result: 'created',
  status: 201,
  version: 1n,
  seqNo: 9_007_199_254_740_993n,
  primaryTerm: 1,
  shardsTotal: 1,
  forcedRefresh: false,
};

export const FOUND: FoundDocument = {
  index: 'books',
  id: '1',
  found: true,
  version: 3n,
  seqNo: 7n,
  primaryTerm: 1,
  source: encode('{ "z":1.0, "a" : 12345678901234567890, "z2":null }'),
};

export const SEARCHED: SearchResult = {
  tookMs: 3,
  timedOut: false,
  shards: { total: 2, successful: 2, skipped: 0, failed: 0 },
  total: { value: 1, relation: 'eq' },
  maxScore: 1,
  hits: [{ index: 'books', id: '1', score: 1, source: encode('{"price":1.50}') }],
};

export const BULKED: BulkResult = {
  tookMs: 5,
  errors: true,
  items: [
    WRITTEN,
    {
      op: 'create',
      index: 'books',
      id: null,
      status: 409,
      error: { type: 'version_conflict_engine_exception', reason: 'there already' },
    },
  ],
};

const SHARDS = { total: 2, successful: 2, failed: 0 };

/** The default results of all methods. */
function defaults(): Backend {
  return {
    write: async () => WRITTEN,
    bulk: async () => BULKED,
    get: async () => FOUND,
    mget: async (requests) => requests.map(() => FOUND),
    search: async () => SEARCHED,
    prepareSearch: () => {
      throw new Error('replaced by one that calls search');
    },
    count: async () => ({ count: 42, shards: SEARCHED.shards }),
    columns: async () => ({ total: 0, hits: 0, columns: [] }),
    walkLinks: async () => ({ links: [], hops: [], complete: true, degrees: new Map() }),
    countLinks: async () => {
      throw new Error('nothing in this folder counts links');
    },
    createIndex: async (name) => ({ ...BOOKS, name }),
    deleteIndices: async () => ['books'],
    resolve: () => [BOOKS],
    damaged: () => [],
    searchedShards: () => [{ index: 'books', shards: [0, 1], filters: [] }],
    exists: (expression) => expression === 'books',
    putMapping: async () => {},
    putSettings: async () => {},
    updateAliases: async () => [],
    rollover: async ({ to }) => ({ ...BOOKS, name: to }),
    setState: async () => ['books'],
    refresh: async () => SHARDS,
    publish: async () => {},
    writeMark: () => '',
    flush: async () => SHARDS,
    forceMerge: async () => SHARDS,
    clearCache: () => SHARDS,
    stats: async () => ({ docs: 3, deleted: 1, bytes: 4096, segments: 1, detail: {} }),
    nodeStats: () => ({ docs: { count: 3 } }),
    analyze: async () => '{"tokens":[]}',
  };
}

const NO_INFERENCE: InferenceEndpoints = {
  put: async () => ({}),
  update: async () => ({}),
  get: () => [],
  remove: async () => ({ acknowledged: true, indexes: [] }),
  infer: async () => ({ text_embedding: [] }),
  rerank: async () => [],
  checkReranker: () => {},
};

const NOTHING_LASTS: SearchContextBackend = {
  openPointInTime: async () => ({ id: 'p', shards: 1, createdMs: 0, keepAliveMs: 1000 }),
  pointsInTime: () => [],
  closePointInTime: () => 0,
  startScroll: () => Promise.reject(new Error('no scroll was expected')),
  nextBatch: () => Promise.reject(new Error('no scroll was expected')),
  clearScrolls: () => 0,
};

const NO_SEARCH_TEMPLATES: SearchTemplates = {
  put: () => Promise.reject(new Error('not asked for')),
  get: () => undefined,
  all: () => [],
  restore: () => Promise.reject(new Error('not asked for')),
  remove: () => Promise.reject(new Error('not asked for')),
  render: () => '{}',
};

const NO_TEMPLATES: IndexTemplates = {
  put: async () => {},
  restore: async () => {},
  get: () => [],
  remove: async () => {},
  simulate: () => Promise.resolve({}),
  simulateIndex: () => Promise.resolve({}),
};

const NO_OPERATIONS: Operations = {
  begin: () => ({ id: 7 }),
  start: () => ({ id: 1, result: Promise.resolve({ status: 200, body: {} }) }),
  running: () => [],
  task: () => undefined,
  ended: async () => {},
  cancel: () => [],
  rethrottle: () => undefined,
};

export interface Call {
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into arguments of many shapes
  readonly args: any[];
}

export interface FakeServer {
  readonly app: FastifyInstance;
  /** Every call of the backend, oldest first. */
  readonly calls: Call[];
  readonly readiness: Readiness;
  /** The settings that the server reads. */
  readonly live: LiveConfig;
  /** The resources that the server holds for its clients. */
  readonly inFlight: InFlight;
  /** Parsed log lines. */
  readonly log: Record<string, unknown>[];
  close(): Promise<void>;
}

interface Options {
  readonly starting?: boolean;
  readonly keys?: KeyRing;
  readonly audit?: AuditLog;
  readonly mcp?: McpHandler;
}

interface BuiltServer extends FakeServer {
  /** Replaces the results of the backend and forgets the calls and the log. */
  answerWith(answers: Partial<Backend>): void;
}

/**
 * The server of those who need no settings of their own. Its table of routes takes a third of a
 * second to build, so the tests of a file share it.
 */
let shared: BuiltServer | undefined;
afterAll(() => shared?.close());

/**
 * `answers`: methods of the backend that replace the defaults; `flags`: configuration; `starting`:
 * the log is still being replayed. Tests that change the state of the server pass an option.
 */
export async function fakeServer(
  answers: Partial<Backend> = {},
  flags: Readonly<Record<string, string>> = {},
  options: Options = {},
): Promise<FakeServer> {
  if (Object.keys({ ...flags, ...options }).length > 0) {
    const own = buildServer(flags, options);
    own.answerWith(answers);
    return own;
  }
  shared ??= buildServer({}, {});
  const server = shared;
  server.answerWith(answers);
  return {
    ...server,
    async close() {
      if (!server.app.server.listening) return;
      shared = undefined;
      await server.close();
    },
  };
}

function buildServer(flags: Readonly<Record<string, string>>, options: Options): BuiltServer {
  const calls: Call[] = [];
  const current = defaults();
  const backend = Object.fromEntries(
    Object.keys(current).map((method) => [
      method,
      (...args: never[]) => {
        calls.push({ method, args });
        return (current[method as keyof Backend] as (...all: never[]) => unknown)(...args);
      },
    ]),
  ) as unknown as Backend;
  Object.assign(backend, {
    prepareSearch: ({ waiter: _waiter, ...request }: SearchRequest): PreparedSearch => ({
      isCurrent: () => false,
      run: (waiter) => backend.search({ ...request, waiter }),
    }),
  });
  const readiness = new Readiness(() => 0);
  if (options.starting !== true) readiness.ready();
  const log: Record<string, unknown>[] = [];
  const metrics = new Metrics();
  const live = new LiveConfig(loadConfig({ flags, environment: {} }).config);
  const inFlight = new InFlight({
    maxRequests: () => live.get('limits.max_requests'),
    maxBytes: () => live.get('limits.in_flight_bytes'),
    onRefusal: () => {},
  });
  const hash128 = (bytes: Uint8Array): Uint8Array => bytes.slice(0, 16);
  const graph = new Graph({ backend, hash128, nowMs: Date.now });
  const requests = new RequestContexts();
  const { app } = createServer({
    requests,
    tracing: new Tracing(requests),
    backend,
    inference: NO_INFERENCE,
    searchContexts: NOTHING_LASTS,
    asyncSearches: {} as AsyncSearches,
    activity: {
      pools: () => [],
      collections: () => ({ young: { count: 0, ms: 0 }, old: { count: 0, ms: 0 } }),
      rejected: async () => new Map(),
      breakers: async () => ({}),
      close: () => {},
    },
    cluster: new ClusterSettings(
      join(tmpdir(), `quarry-no-settings-${process.pid}`, 'none', 'cluster-settings.json'),
      live,
    ),
    templates: NO_TEMPLATES,
    searchTemplates: NO_SEARCH_TEMPLATES,
    prepared: new PreparedRequests(),
    operations: NO_OPERATIONS,
    printers: new CorePrinters({ addon, errors: new NativeErrors(addon) }),
    graph,
    memory: new Memory({
      backend,
      graph,
      hash128,
      embed: (_text, dims) => new Float32Array(dims),
      newId: () => 'id',
      nowMs: Date.now,
      defaults: { analyzer: 'english', link_sessions: true, detect: false },
    }),
    snapshots: {} as Snapshots,
    readiness,
    metrics,
    logger: pino(
      { level: 'warn' },
      new Writable({
        write(chunk, _encoding, done) {
          log.push(JSON.parse(String(chunk)));
          done();
        },
      }),
    ),
    live,
    keys: options.keys,
    audit: options.audit ?? NO_AUDIT,
    inFlight,
    guard: { check: () => {} },
    tls: undefined,
    mcp: options.mcp,
    slowSearches: new SlowSearches(),
    describedConfig: () => ({ file: null, settings: {} }),
    findings: () => [],
    version: '0.0.1',
    node: { name: 'node-1', clusterUuid: 'cluster-uuid', nodeId: 'abcdefgh' },
    nowMs: () => 1_700_000_000_000,
    now: () => 0,
  });
  return {
    app,
    calls,
    readiness,
    live,
    inFlight,
    log,
    answerWith(answers) {
      Object.assign(current, defaults(), answers);
      calls.length = 0;
      log.length = 0;
    },
    async close() {
      await app.close();
      metrics.close();
    },
  };
}

/** A JSON request body with its header. */
export function json(body: unknown): { payload: string; headers: Record<string, string> } {
  return { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}
