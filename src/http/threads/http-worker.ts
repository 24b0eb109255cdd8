// Composition root of an HTTP worker: a thread with connections of its own over the engine of the
// process. It answers searches, counts, reads of documents and recalls that need no other thread; the
// main thread answers every other request of its connections.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { recallRoutes } from '../../api/agents/memory.js';
import { documentReadRoutes } from '../../api/documents/document-reads.js';
import type { ApiDeps, MemoryService, Route } from '../../api/kit/routes.js';
import { PreparedRequests } from '../../api/search/prepared-requests.js';
import { searchRoutes } from '../../api/search/search.js';
import { startKeys } from '../../auth/start.js';
import type { Backend } from '../../backend/index.js';
import { CorePrinters } from '../../coordinator/node/printers.js';
import { ReadOnlyBackend } from '../../coordinator/search/read-only-backend.js';
import { SearchWatch } from '../../coordinator/search/search-watch.js';
import { applyClauseLimit } from '../../coordinator/shards/clause-limit.js';
import { EngineUse } from '../../coordinator/shards/engine-use.js';
import { withoutGraphClauses } from '../../graph/graph-clause.js';
import { metadataNames } from '../../memory/context/said.js';
import { loadAddon, NativeErrors } from '../../native/addon.js';
import { type AuditLog, NO_AUDIT } from '../../ops/audit.js';
import { LiveConfig } from '../../ops/live-config.js';
import { createLogger } from '../../ops/logger.js';
import { Metrics } from '../../ops/metrics.js';
import { startPressure } from '../../ops/pressure.js';
import { Readiness } from '../../ops/readiness.js';
import { RequestContexts } from '../../ops/request-context.js';
import { slowLogOf } from '../../ops/slow-log.js';
import { startTracing } from '../../ops/tracing.js';
import type { Exchange } from '../pipeline/exchange.js';
import { Pipeline } from '../pipeline/pipeline.js';
import { targetTable } from '../pipeline/targets.js';
import { ThreadConnections } from '../transports/connections.js';
import { socketOf } from '../transports/descriptor.js';
import { answerInTurn } from '../transports/in-turn.js';
import { NodeExchange } from '../transports/node-exchange.js';
import { serverLimits } from '../transports/node-server.js';
import { RawConnections } from '../transports/raw-connections.js';
import { ReadAddresses } from '../transports/read-addresses.js';
import { refuseBeforeRoutes } from '../transports/rejected-connections.js';
import { Forwarder } from './forwarder.js';
import type { StateChange, WorkerSettings } from './messages.js';
import { SharedState } from './shared-state.js';
import { WorkerPort } from './worker-port.js';
import { workerRecalls } from './worker-recalls.js';

/**
 * Maximum length of a body that is read here: the search of a longer one would be handed to the pool,
 * whose tasks are the main thread's, and be read again there.
 */
const LONGEST_BODY = 100_000;

async function startWorker(main: MessagePort, settings: WorkerSettings): Promise<void> {
  const { config, thread, tls } = settings;
  const shared = SharedState.of(settings.shared);
  const live = new LiveConfig(config);
  applyClauseLimit(live);
  const requests = new RequestContexts();
  const logger = createLogger(config['logging.level'], () => requests.logMembers());
  const metrics = new Metrics({ process: false });
  const tracing = await startTracing(requests, undefined);
  const readiness = new Readiness(() => performance.now());
  const addon = loadAddon();
  const { guard, inFlight } = startPressure({
    live,
    metrics,
    // The main thread frees what belongs to all.
    relieve: () => {},
    ledger: { bytes: shared.heldBytes, own: thread },
  });
  const slowLog = slowLogOf({ logger, metrics, live, requests }, (search) =>
    port.send({ kind: 'slowSearch', search }),
  );
  const errors = new NativeErrors(addon);
  const backend = new ReadOnlyBackend({
    addon,
    errors,
    live,
    guard,
    metrics,
    watch: new SearchWatch({ metrics, tracing, slowLog }),
    resolveClauses: (request) => withoutGraphClauses(partOf({}), request),
    engineUse: new EngineUse(Date.now, settings.engineUse),
    reserve: () => inFlight.hold(),
  });
  const audit =
    config['audit.file'] === ''
      ? NO_AUDIT
      : auditOf((entry) => port.send({ kind: 'audit', entry }));
  const reads = partOf<Backend>({
    search: (request) => backend.search(request),
    prepareSearch: (request) => backend.prepareSearch(request),
    count: (request) => backend.count(request),
    get: (request) => backend.get(request),
    columns: (request) => backend.columns(request),
    exists: (expression, options) => backend.exists(expression, options),
    resolve: (expression, options) => backend.resolve(expression, options),
    publish: (expression) => backend.publish(expression),
    writeMark: (index) => backend.writeMark(index),
    analyze: (index, body) => backend.analyze(index, body),
  });
  const deps = partOf<ApiDeps>({
    backend: reads,
    memory: partOf<MemoryService>(
      workerRecalls({
        backend: reads,
        names: metadataNames(config),
        live,
        shared,
      }),
    ),
    printers: new CorePrinters({ addon, errors }),
    readiness,
    metrics,
    requests,
    tracing,
    logger,
    live,
    prepared: new PreparedRequests(),
    keys: await startKeys({ config, audit, logger, nowMs: Date.now }),
    audit,
    inFlight,
    guard,
    node: settings.node,
    nowMs: Date.now,
    now: () => performance.now(),
  });
  const forwarder = new Forwarder((message) => port.send(message));
  const pipeline = new Pipeline(deps, {
    routesOf: readRoutes,
    inner: () => Promise.reject(new Error('reads make no inner requests')),
    handOver: (exchange, body) => forwarder.forward(exchange, body),
  });
  const addresses = new ReadAddresses(targetTable(readRoutes(deps)));
  // Spans and the rates of callers are the main thread's.
  const answersHere = (): boolean =>
    !config['tracing.enabled'] && live.get('limits.requests_per_second') === 0;
  const handle = (exchange: Exchange): void => {
    try {
      exchange.validate();
    } catch (error) {
      pipeline.refuse(exchange, error);
      return;
    }
    port.catchUp();
    const { method, url, headers } = exchange;
    const isPlain =
      headers['content-encoding'] === undefined &&
      Number(headers['content-length'] ?? 0) <= LONGEST_BODY &&
      answersHere();
    const routed = isPlain ? addresses.of(method, url) : undefined;
    if (routed === undefined) forwarder.forward(exchange);
    else pipeline.handle(exchange, routed);
  };
  const stalledMs = live.get('server.request_timeout_ms');
  const isClosing = (): boolean => connections.isDraining;
  const server = httpServer(settings, (request, response) =>
    handle(new NodeExchange(request, response, { stalledMs, isClosing })),
  );
  answerInTurn(server);
  const refusing = refuseBeforeRoutes(server, pipeline.log);
  server.on('clientError', (error, socket) => refusing.connection(error, socket as Socket));
  const raw =
    tls === undefined
      ? new RawConnections({
          sendNow: (...args) => addon.sendNow(...args),
          handle,
          stalledMs,
          isClosing,
          server: (socket) => server.emit('connection', socket),
          cutOff: (socket) => refusing.cutOff(socket),
          late: (socket) => refusing.late(socket),
        })
      : undefined;
  const connections = new ThreadConnections({
    server,
    raw,
    closed: () => port.send({ kind: 'closed' }),
  });
  const port = new WorkerPort(
    {
      port: main,
      shared,
      onState: (change) => follow(backend, live, change),
      onConnection: (fd) => connections.take(socketOf(fd)),
      onForwarded: (message) => forwarder.receive(message),
      onCrowded: () => connections.closeIdle(),
      onDrain: () => void connections.drain().then(() => port.send({ kind: 'drained' })),
      values: () => metrics.values(),
    },
    settings.asOf,
  );
  backend.load(settings.indexes);
  readiness.ready();
  port.send({ kind: 'ready' });
}

/** What a worker may answer itself. */
function readRoutes(deps: ApiDeps): readonly Route[] {
  return [...searchRoutes(deps), ...documentReadRoutes(deps), ...recallRoutes(deps)];
}

/**
 * A service of which this thread has only some members. A handler that uses another one fails, and a
 * request whose handler fails is forwarded.
 */
function partOf<T>(members: Partial<T>): T {
  return members as T;
}

function httpServer(
  { config, tls }: WorkerSettings,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const timeout = config['server.request_timeout_ms'];
  const limits = serverLimits(timeout);
  // It never listens, which alone could fail.
  if (tls === undefined) return createServer(limits, handle);
  return createTlsServer({ ...limits, ...tls, handshakeTimeout: timeout }, handle);
}

function auditOf(write: AuditLog['write']): AuditLog {
  return { write, reopen: async () => {}, close: async () => {} };
}

function follow(backend: ReadOnlyBackend, live: LiveConfig, change: StateChange): void {
  if (change.kind === 'indexes') backend.follow(change);
  else live.replace(change.config);
}

if (!isMainThread && parentPort !== null) {
  await startWorker(parentPort, workerData as WorkerSettings);
}
