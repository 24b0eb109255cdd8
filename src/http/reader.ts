// Composition root of a reader: a thread that answers short searches of connections that ask for nothing else, over the engine of
// the process. It refuses nothing: what it cannot answer with a result goes back to the main thread, connection and all.
import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { ApiDeps } from '../api/kit/routes.js';
import { PreparedRequests } from '../api/search/prepared-requests.js';
import { startKeys } from '../auth/start.js';
import type { Backend } from '../backend/index.js';
import { CorePrinters } from '../coordinator/node/printers.js';
import { ReaderBackend } from '../coordinator/search/reader-backend.js';
import { SearchWatch } from '../coordinator/search/search-watch.js';
import { WarmIndexes } from '../coordinator/shards/warm-indexes.js';
import { withoutGraphClauses } from '../graph/graph-clause.js';
import { loadAddon, NativeErrors } from '../native/addon.js';
import { NO_AUDIT } from '../ops/audit.js';
import { elsewhere } from '../ops/elsewhere.js';
import { LiveConfig } from '../ops/live-config.js';
import { createLogger } from '../ops/logger.js';
import { Metrics } from '../ops/metrics.js';
import { startPressure } from '../ops/pressure.js';
import { Readiness } from '../ops/readiness.js';
import { RequestContexts } from '../ops/request-context.js';
import { slowLogOf } from '../ops/slow-log.js';
import { startTracing } from '../ops/tracing.js';
import type { ReaderSettings, StateChange } from './messages.js';
import { PlainConnections } from './plain-connections.js';
import { PlainServer } from './plain-server.js';
import { ReaderPort } from './reader-port.js';
import { SharedState } from './shared-state.js';

async function startReader(main: MessagePort, settings: ReaderSettings): Promise<void> {
  const { config, thread } = settings;
  const shared = SharedState.of(settings.shared);
  const live = new LiveConfig(config);
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
  const slowLog = slowLogOf(logger, metrics, live);
  const errors = new NativeErrors(addon);
  const backend = new ReaderBackend({
    addon,
    errors,
    live,
    guard,
    metrics,
    watch: new SearchWatch({ metrics, tracing, slowLog }),
    resolveClauses: (request) => withoutGraphClauses(elsewhere('the graph'), request),
    warm: new WarmIndexes(Date.now, settings.warm),
    reserve: () => inFlight.hold(),
  });
  const deps: ApiDeps = {
    backend: elsewhere<Backend>('the backend', {
      search: (request) => backend.search(request),
      prepareSearch: (request) => backend.prepareSearch(request),
      count: (request) => backend.count(request),
    }),
    inference: elsewhere('inference'),
    searchContexts: elsewhere('lasting searches'),
    cluster: elsewhere('cluster settings'),
    activity: elsewhere('what the node does'),
    templates: elsewhere('templates'),
    searchTemplates: elsewhere('search templates'),
    operations: elsewhere('operations'),
    printers: new CorePrinters({ addon, errors }),
    graph: elsewhere('the graph'),
    memory: elsewhere('memory'),
    snapshots: elsewhere('snapshots'),
    readiness,
    metrics,
    requests,
    tracing,
    logger,
    live,
    prepared: new PreparedRequests(),
    keys: await startKeys({ config, audit: NO_AUDIT, logger, nowMs: Date.now }),
    audit: NO_AUDIT,
    inFlight,
    guard,
    tls: undefined,
    mcp: undefined,
    version: settings.version,
    node: settings.node,
    nowMs: Date.now,
    now: () => performance.now(),
  };
  const plain = new PlainServer(deps, { refuses: false });
  const connections = new PlainConnections({
    duplicate: (fd) => addon.duplicateDescriptor(fd),
    sendNow: (...args) => addon.sendNow(...args),
    accepts: () => {
      port.catchUp();
      return live.get('limits.requests_per_second') === 0;
    },
    answer: (request, client, done) => plain.answer(request, client, done),
    stalledMs: () => live.get('server.request_timeout_ms'),
    leave: (fd, patience, bytes, isSearch) =>
      port.send({ kind: 'connection', fd, patience, bytes, isSearch }),
    closed: () => port.send({ kind: 'closed' }),
  });
  const port = new ReaderPort(
    {
      port: main,
      shared,
      onState: (change) => follow(backend, live, change),
      onConnection: (fd, patience) => connections.take(fd, patience),
      onCrowded: () => connections.closeIdle(),
      onLeave: () => void connections.leave().then(() => port.send({ kind: 'left' })),
      values: () => metrics.values(),
    },
    settings.asOf,
  );
  backend.load(settings.indexes);
  readiness.ready();
  port.send({ kind: 'ready' });
}

function follow(backend: ReaderBackend, live: LiveConfig, change: StateChange): void {
  if (change.kind === 'indexes') backend.follow(change);
  else live.replace(change.config);
}

if (!isMainThread && parentPort !== null) {
  await startReader(parentPort, workerData as ReaderSettings);
}
