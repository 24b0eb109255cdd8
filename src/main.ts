// Composition root: builds each part once, hands it its dependencies, listens, recovers, and stops in reverse order.

import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterMode } from './api/cluster-mode.js';
import type { ApiDeps } from './api/kit/routes.js';
import { PreparedRequests } from './api/search/prepared-requests.js';
import { startKeys } from './auth/start.js';
import type { SearchRequest } from './backend/index.js';
import { programVersion } from './base/package.js';
import { isStateIndex } from './base/state-indexes.js';
import type { ClusterBackend } from './cluster/cluster-backend.js';
import type { ClusterReport } from './cluster/report.js';
import { openFolderWarning } from './config/data-folder.js';
import { describeConfig } from './config/describe.js';
import type { LoadedConfig } from './config/load.js';
import { type Config, specOf } from './config/schema.js';
import { LocalBackend } from './coordinator/node/local-backend.js';
import { CorePrinters } from './coordinator/node/printers.js';
import { SearchWatch } from './coordinator/search/search-watch.js';
import { EngineUse } from './coordinator/shards/engine-use.js';
import { startPools } from './coordinator/shards/pools.js';
import { watchPools } from './coordinator/shards/watched-pools.js';
import { serviceFindings } from './doctor/service.js';
import { Graph } from './graph/graph.js';
import { isGraphIndex } from './graph/names.js';
import { createServer } from './http/server.js';
import { SharedState } from './http/threads/shared-state.js';
import { httpWorkersOf, startHttp } from './http/threads/start.js';
import { startMcp } from './mcp/start.js';
import { metadataNames } from './memory/context/said.js';
import { Memory } from './memory/memory.js';
import { bodyOfNew } from './memory/memory-index.js';
import { isMemoryIndex } from './memory/names.js';
import { type Addon, loadAddon, NativeErrors } from './native/addon.js';
import { startAudit } from './ops/audit.js';
import { ClusterSettings } from './ops/cluster-settings.js';
import { LiveConfig } from './ops/live-config.js';
import { createLogger, type Logger } from './ops/logger.js';
import { Metrics } from './ops/metrics.js';
import { startActivity } from './ops/node-activity.js';
import { nodeNames } from './ops/node-names.js';
import type { OtlpOptions } from './ops/otlp.js';
import { startPressure } from './ops/pressure.js';
import { tuneCollector } from './ops/process-memory.js';
import { observeReadiness, Readiness } from './ops/readiness.js';
import { reloadConfig } from './ops/reload.js';
import { RequestContexts } from './ops/request-context.js';
import { slowLogOf } from './ops/slow-log.js';
import { SlowSearches } from './ops/slow-searches.js';
import { loadTls } from './ops/tls.js';
import { startTracing } from './ops/tracing.js';
import { uncaughtHandler } from './ops/uncaught.js';
import type { FollowerOptions, LogFollower } from './snapshot/log/follower.js';
import type { RestoredLog, RestoreShippedOptions } from './snapshot/log/restored-log.js';
import { takeRestored } from './snapshot/log/restored-mark.js';
import { shippingOf } from './snapshot/log/shipping.js';
import type { Snapshots } from './snapshot/snapshots.js';
import { startSnapshots } from './snapshot/start.js';

export interface ServiceOptions {
  readonly loaded: LoadedConfig;
  /** Reads the configuration again; throws what is wrong with it. */
  readonly reload: () => LoadedConfig;
  /** Logged at every start. */
  readonly warnings: readonly string[];
}

export interface Service {
  /** Where it listens, for example http://127.0.0.1:9200. */
  readonly address: string;
  readonly logger: Logger;
  /** Resolves when the log is replayed and data routes answer; rejects when that cannot be. */
  readonly ready: Promise<void>;
  reload(): void;
  /** Finishes what is in flight, writes a last checkpoint and frees everything. Safe to call twice. */
  stop(): Promise<void>;
}

/** In-flight requests may take this long after a stop was asked for; the whole stop has to fit into 15 s. */
const DRAIN_MS = 8000;
/** Those that wait for an embeddings service or a cluster are answered a little earlier. */
const PATIENCE_MS = 7000;
/** Connections that the system took before the listener closes still get an answer, be it the probe's 503. */
const LAST_CONNECTIONS_MS = 250;

const require = createRequire(import.meta.url);

/** Listens first, so that probes get answers, then opens and recovers the data. */
export async function startService(options: ServiceOptions): Promise<Service> {
  tuneCollector();
  const { config, origins, file } = options.loaded;
  const tls = loadTls(config['tls.cert'], config['tls.key'], Date.now());
  const live = new LiveConfig(config, origins);
  const requests = new RequestContexts();
  const logger = createLogger(config['logging.level'], () => requests.logMembers());
  const metrics = new Metrics();
  const tracing = await startTracing(requests, tracesOf(config));
  const readiness = new Readiness(() => performance.now());
  const onUncaught = uncaughtHandler({
    logger,
    metrics,
    readiness,
    exit: (code) => process.exit(code),
  });
  process.on('uncaughtException', onUncaught);
  const addon = loadAddon();
  const errors = new NativeErrors(addon);
  const clusterParts = config['cluster.enabled'] ? await import('./cluster/start.js') : undefined;
  // Threads that read requests search the engine of this process.
  const httpWorkers =
    clusterParts === undefined ? httpWorkersOf(config, availableParallelism()) : 0;
  const shared = SharedState.create(1 + httpWorkers);
  const threads = startPools(
    require.resolve('#worker'),
    {
      search: config['pools.search_threads'],
      write: config['pools.write_threads'],
      background: config['pools.background_threads'],
    },
    (failure) => errors.toError(failure.errorType, failure.message, failure.causedBy),
    (pool, error) =>
      logger.error({ err: error, pool }, 'a thread of a pool failed; it is replaced'),
  );
  const { guard, inFlight } = startPressure({
    live,
    metrics,
    relieve: () => backend.relieveMemory(),
    ledger: { bytes: shared.heldBytes, own: 0 },
  });
  const pools = watchPools(threads, metrics, tracing);
  const slowSearches = new SlowSearches();
  const slowLog = slowLogOf({ logger, metrics, live, requests }, (search) =>
    slowSearches.add(search),
  );
  const cluster = new ClusterSettings(join(config['data_dir'], 'cluster-settings.json'), live);
  const engineUse = new EngineUse(Date.now);
  const ofBoth = {
    addon,
    errors,
    live,
    guard,
    hold: () => inFlight.hold(),
    metrics,
    bodyOfNew: (name: string) => bodyOfNew(name, config['memory.analyzer']),
    rules: cluster,
    resolveClauses: (request: SearchRequest) => graph.resolveClauses(request),
  };
  const remote = clusterParts?.createCluster(config, {
    ...ofBoth,
    isOwnIndex: (name) => isMemoryIndex(name) || isGraphIndex(name) || isStateIndex(name),
    onWaiting: (err) => logger.warn({ err }, 'the cluster cannot be reached, waiting for it'),
  });
  const clustered = remote?.backend;
  const backend: LocalBackend | ClusterBackend =
    clustered ??
    new LocalBackend({
      ...ofBoth,
      pools,
      readiness,
      logger,
      watch: new SearchWatch({ metrics, tracing, slowLog }),
      engineUse,
      damagedElsewhere: () => snapshots.damaged(),
    });
  const hash128 = (bytes: Uint8Array): Uint8Array => new Uint8Array(addon.hash128(bytes));
  const graph: Graph = new Graph({
    backend,
    hash128,
    nowMs: () => shared.pass(Date.now()),
    onAhead: () => shared.setAhead(),
  });
  const memory = new Memory({
    backend,
    graph,
    hash128,
    embed: (text, dims, embedder) => addon.embed([text], dims, undefined, embedder),
    newId: randomUUID,
    nowMs: Date.now,
    defaults: {
      analyzer: config['memory.analyzer'],
      link_sessions: config['memory.link_sessions'],
      detect: config['memory.detect'],
    },
    rerank: {
      rank: (id, request) => backend.inference.rerank(id, request),
      check: (id) => backend.inference.checkReranker(id),
    },
    names: metadataNames(config),
    expiry: {
      pauseMs: () => live.get('memory.expiry_pause_ms'),
      onError: (error) => logger.error({ err: error }, 'expired memories stay, the sweep failed'),
    },
    recallCounts: {
      isOn: () => live.get('memory.count_recalls'),
      onError: (error) => logger.error({ err: error }, 'counts of recalls could not be written'),
    },
    ...(remote && {
      isShared: true,
      turns: remote.turns,
      sweepAlone: (sweep: () => Promise<number>) => remote.backend.leases.tryRun('expiry', sweep),
    }),
    onUnsettled: (err) =>
      logger.error({ err }, 'what an earlier process began to store stays in [.svc-intents]'),
  });
  const node = nodeNames(config['data_dir']);
  const activity = startActivity({
    pools: () => pools.activity(),
    metrics,
    memory: () => ({ limit: guard.limit, used: guard.used }),
    inFlight: () => ({ limit: live.get('limits.in_flight_bytes'), used: inFlight.bytes }),
  });
  const audit = await startAudit(config['audit.file'], logger);
  const keys = await startKeys({ config, audit, logger, nowMs: Date.now });
  const snapshots: Snapshots = startSnapshots({
    backend,
    inference: backend.inference,
    templates: backend.templates,
    searchTemplates: backend.searchTemplates,
    copies: backend.copies,
    live,
    version: programVersion(),
    nodeId: node.nodeId,
    logger,
    metrics,
    onRestored: () => memory.restored(),
  });
  const shipping = shippingOf({
    live,
    logger,
    metrics,
    durable: () => (backend instanceof LocalBackend ? backend.logDurable() : Promise.resolve(0n)),
  });
  observeReadiness(metrics, readiness);
  const mcp = startMcp({ config, logger, version: programVersion() });
  const deps: ApiDeps = {
    backend,
    inference: backend.inference,
    searchContexts: backend.searchContexts,
    asyncSearches: backend.asyncSearches,
    cluster,
    activity,
    templates: backend.templates,
    searchTemplates: backend.searchTemplates,
    operations: backend.operations,
    printers: new CorePrinters({ addon, errors, pool: pools.search }),
    graph,
    memory,
    snapshots,
    readiness,
    clusterMode: clustered && modeOf(clustered),
    metrics,
    requests,
    tracing,
    logger,
    live,
    prepared: new PreparedRequests(),
    keys,
    audit,
    inFlight,
    guard,
    tls: tls?.options,
    mcp,
    slowSearches,
    describedConfig: () => ({
      file: file ?? null,
      settings: describeConfig(live.current, live.origins ?? origins, (key) =>
        live.isOverridden(key),
      ),
    }),
    findings: () =>
      serviceFindings({
        config: live.current,
        origins: live.origins ?? origins,
        version: programVersion(),
        addonVersion: addon.abiVersion,
        damaged: backend.damaged(),
        memory: { used: guard.used, limit: guard.limit },
        keys: keys?.size,
        shipping: shipping?.status(),
        nowMs: Date.now(),
      }),
    version: programVersion(),
    node,
    nowMs: Date.now,
    now: () => performance.now(),
  };
  const server = createServer(deps);
  const http = startHttp({
    deps,
    server,
    file: require.resolve('#http-worker'),
    threads: httpWorkers,
    shared,
    duplicate: (fd) => addon.duplicateDescriptor(fd),
    sendNow: (...args) => addon.sendNow(...args),
    followed: backend.followed,
    engineUse: engineUse.buffer,
  });
  const folder = clustered === undefined ? openFolderWarning(config['data_dir']) : undefined;
  const warnings = [...options.warnings, tls?.warning, folder];
  for (const warning of warnings) if (warning !== undefined) logger.warn(warning);
  let address: string;
  try {
    address = await http.listen();
  } catch (error) {
    await pools.close();
    throw error;
  }
  const ready = Promise.resolve(shipping?.hold()).then(async () => {
    await backend.start();
    shipping?.start();
    const workersReady = http.startWorkers();
    if (clustered === undefined) {
      const damage = await cluster.load();
      if (damage !== undefined) logger.error(damage);
      await snapshots.load();
    } else logger.info(`in front of ${clustered.engine.kind} ${clustered.engine.version}`);
    for (const { kind, name, reason } of backend.damaged()) logger.error({ kind, name }, reason);
    await memory.start();
    await workersReady;
    const restored = await takeRestored(config['data_dir']);
    if (restored !== undefined) logger.warn(restored);
    readiness.ready();
    snapshots.policies.follow();
    const page = config['console.enabled'] ? { console: `${address}/v1/console` } : {};
    logger.info(page, `ready on ${address}`);
  });
  ready.catch((error: unknown) => logger.fatal({ err: error }, 'the data cannot be opened'));

  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    readiness.draining();
    await pause(Math.max(live.get('shutdown.grace_ms'), LAST_CONNECTIONS_MS));
    const waiting = setTimeout(() => backend.stopWaiting(), PATIENCE_MS);
    // Rolls back running snapshots and restores, so that requests that wait for one end now.
    const givenUp = snapshots.close();
    await mcp?.close();
    await http.drain(DRAIN_MS);
    await server.app.close();
    await http.close();
    await givenUp;
    await snapshots.close();
    clearTimeout(waiting);
    await memory.close();
    await graph.close();
    await shipping?.close();
    await backend.close();
    await tracing.close();
    activity.close();
    metrics.close();
    await audit.close();
    logger.info('stopped');
    process.off('uncaughtException', onUncaught);
  };
  return {
    address,
    logger,
    ready,
    reload(): void {
      reloadConfig({
        live,
        load: options.reload,
        isReloadable: (key) => specOf(key).reloadable,
        isSecret: (key) => specOf(key).secret === true,
        logger,
      });
      void keys?.reload();
      void audit.reopen();
    },
    stop(): Promise<void> {
      stopping ??= stop();
      return stopping;
    },
  };
}

function modeOf(backend: ClusterBackend): ClusterMode {
  return {
    current: () => backend.names.current(),
    within: (ms, names) => backend.names.within(ms, names),
    statesCurrent: () => backend.statesCurrent(),
    health: () => backend.health(),
    ask: (path, accept) => backend.ask(path, accept),
    inTime: (work) => backend.deadlines.during(work),
    pathOf: (indexes) => backend.pathOf(indexes),
  };
}

/** Of the native core; throws when it cannot be loaded. */
export function addonVersion(): number {
  return loadAddon().abiVersion;
}

/** For `quarry doctor`, of a configuration with cluster.enabled. */
export async function reportCluster(config: Config): Promise<ClusterReport> {
  return (await import('./cluster/start.js')).reportCluster(config);
}

/** For `quarry restore --to-time`. */
export async function restoreShippedLog(options: RestoreShippedOptions): Promise<RestoredLog> {
  return (await import('./snapshot/log/restored-log.js')).restoreFromPlace(options);
}

/** For `quarry standby`. */
export async function followShippedLog(options: FollowerOptions): Promise<LogFollower> {
  return (await import('./snapshot/log/follower.js')).LogFollower.open(options);
}

/** For `quarry check`: see Addon.check. A QuarryError says why a folder is not checked at all. */
export function checkDataFolder(...args: Parameters<Addon['check']>): string {
  const addon = loadAddon();
  try {
    return addon.check(...args);
  } catch (thrown) {
    throw new NativeErrors(addon).fromThrown(thrown);
  }
}

function tracesOf(config: Config): OtlpOptions | undefined {
  if (!config['tracing.enabled']) return undefined;
  return {
    endpoint: config['tracing.endpoint'],
    samplePercent: config['tracing.sample_percent'],
    version: programVersion(),
  };
}
