// The HTTP threads of a running service: how many there are, what they follow, and how they end.
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiDeps } from '../../api/kit/routes.js';
import { descriptorLimit } from '../../base/descriptors.js';
import type { Config } from '../../config/schema.js';
import type { MetricValues } from '../../ops/metrics.js';
import type { HttpServer } from '../server.js';
import { connectionsFor, ThreadConnections } from '../transports/connections.js';
import { RawConnections } from '../transports/raw-connections.js';
import type { SendNow } from '../transports/raw-stream.js';
import { FrontDoor, type HttpThread } from './front-door.js';
import { HttpWorkers, type HttpWorkersOptions } from './http-workers.js';
import type { StateChange } from './messages.js';

/** Maximum number of HTTP threads unless more are configured. */
const MOST_HTTP_THREADS = 4;

type IndexChange = Omit<Extract<StateChange, { readonly kind: 'indexes' }>, 'kind'>;

/** The engine that workers search. */
export interface IndexFeed {
  readonly watch: (reported: (change: IndexChange) => void) => void;
  /** Resolves when the changes that are under way were reported. */
  readonly settled: () => Promise<void>;
  readonly indexes: () => readonly number[];
}

/** The number of HTTP threads besides the main thread. */
export function httpWorkersOf(config: Config, cores: number): number {
  return (config['pools.http_threads'] || Math.min(MOST_HTTP_THREADS, cores)) - 1;
}

export interface StartHttpOptions
  extends Pick<HttpWorkersOptions, 'file' | 'threads' | 'shared' | 'duplicate'> {
  readonly deps: ApiDeps;
  readonly server: HttpServer;
  readonly sendNow: SendNow;
  readonly followed: IndexFeed;
  /** Of EngineUse. */
  readonly engineUse: SharedArrayBuffer;
}

export interface HttpThreads {
  /** Resolves to the URL at which the service listens. */
  listen(): Promise<string>;
  /** The data can be searched: starts the workers, and resolves when they take connections. */
  startWorkers(): Promise<void>;
  /** Accepts no more, and resolves when every accepted request is answered, or after `ms`. */
  drain(ms: number): Promise<void>;
  close(): Promise<void>;
}

export function startHttp(options: StartHttpOptions): HttpThreads {
  const { deps, server, followed } = options;
  const { live, logger, metrics, node, version, tls, audit, slowSearches } = deps;
  const workers = new HttpWorkers({
    ...options,
    settings: { node, version, tls, engineUse: options.engineUse },
    config: () => live.current,
    indexes: followed.indexes,
    settled: followed.settled,
    handle: server.handle,
    audit,
    slowSearches,
    onError: (error) => logger.error({ err: error }, 'an HTTP worker ended with its connections'),
  });
  followed.watch((change) => workers.tell({ kind: 'indexes', ...change }));
  live.watch(() => workers.tell({ kind: 'config', config: live.current }));
  metrics.addThreads(async () => (await workers.values()) as readonly MetricValues[]);
  const raw = rawConnections(options);
  const connections = new ThreadConnections({ server: server.app.server, raw });
  const main: HttpThread = {
    get size() {
      return connections.size;
    },
    take(socket) {
      connections.take(socket);
      return true;
    },
    closeIdle: () => connections.closeIdle(),
    drain() {
      server.drain();
      return connections.drain();
    },
  };
  const door = new FrontDoor({
    main,
    workers: () => workers.ready,
    most: connectionsFor(descriptorLimit()),
    onRefusal: (address) => server.pipeline.log.refusedConnection(address),
    onError: (error) => logger.error({ err: error }, 'a connection could not be accepted'),
  });
  const ofWorkers = 'Connections of HTTP threads other than the main thread.';
  metrics.observe('quarry_reader_connections', ofWorkers, () => workers.connections);
  const ofRaw = 'Connections of the main thread whose requests are read without an HTTP server.';
  metrics.observe('quarry_plain_connections', ofRaw, () => raw?.size ?? 0);
  metrics.observe(
    'quarry_reader_threads',
    'HTTP threads besides the main thread.',
    () => workers.threads,
  );
  return {
    async listen() {
      await server.app.ready();
      const { address, port, family } = await door.listen(
        live.get('server.host'),
        live.get('server.port'),
      );
      const host = family === 'IPv6' ? `[${address}]` : address;
      return `${tls === undefined ? 'http' : 'https'}://${host}:${port}`;
    },
    startWorkers: () => workers.start(),
    async drain(ms) {
      door.close();
      const all = Promise.all([main, ...workers.ready].map((thread) => thread.drain()));
      await Promise.race([all, pause(ms, undefined, { ref: false })]);
      connections.cut();
    },
    close: () => workers.close(),
  };
}

/** Connections begin without an HTTP server, except with TLS. */
function rawConnections({ deps, server, sendNow }: StartHttpOptions): RawConnections | undefined {
  if (deps.tls !== undefined) return undefined;
  return new RawConnections({
    sendNow,
    stalledMs: deps.live.get('server.request_timeout_ms'),
    isClosing: server.isClosing,
    handle: server.handle,
    server: (socket) => server.app.server.emit('connection', socket),
    cutOff: (socket) => server.refusing.cutOff(socket),
    late: (socket) => server.refusing.late(socket),
  });
}
