// The readers of a running service: whether there are any, what they follow, and what the metrics say of them.
import type { Config } from '../config/schema.js';
import type { LiveConfig } from '../ops/live-config.js';
import type { Logger } from '../ops/logger.js';
import type { Metrics, MetricValues } from '../ops/metrics.js';
import type { Readiness } from '../ops/readiness.js';
import type { StateChange } from './messages.js';
import { ReaderThreads, type ReaderThreadsOptions } from './reader-threads.js';

/** Threads that answer requests, unless more are asked for. */
const MOST_HTTP_THREADS = 4;

type IndexChange = Omit<Extract<StateChange, { readonly kind: 'indexes' }>, 'kind'>;

/** Of the engine that they read from. */
export interface IndexFeed {
  readonly watch: (reported: (change: IndexChange) => void) => void;
  /** When the changes that are on their way now were told of. */
  readonly settled: () => Promise<void>;
  readonly indexes: () => readonly number[];
}

export interface StartReadersOptions
  extends Pick<
    ReaderThreadsOptions,
    'file' | 'threads' | 'plain' | 'shared' | 'server' | 'duplicate' | 'settings' | 'busy'
  > {
  readonly followed: IndexFeed;
  readonly live: LiveConfig;
  readonly readiness: Readiness;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * How many there may be; undefined: every request is the HTTP server's. What is told of every request needs its hooks, and
 * connections that are ciphered are its own.
 */
export function readersOf(config: Config, cores: number): number | undefined {
  const tells = config['tracing.enabled'] || config['audit.file'] !== '';
  if (tells || config['tls.cert'] !== '') return undefined;
  return (config['pools.http_threads'] || Math.min(MOST_HTTP_THREADS, cores)) - 1;
}

export function startReaders(options: StartReadersOptions): ReaderThreads {
  const { followed, live, readiness, logger, metrics } = options;
  const readers = new ReaderThreads({
    ...options,
    config: () => live.current,
    indexes: followed.indexes,
    settled: followed.settled,
    allowed: () => readiness.state === 'ready' && live.get('limits.requests_per_second') === 0,
    onError: (error) => logger.error({ err: error }, 'a reader ended, its connections with it'),
  });
  followed.watch((change) => readers.tell({ kind: 'indexes', ...change }));
  live.watch(() => readers.tell({ kind: 'config', config: live.current }));
  metrics.addThreads(async () => (await readers.values()) as readonly MetricValues[]);
  const connections = 'Connections whose searches a thread of their own answers.';
  metrics.observe('quarry_reader_connections', connections, () => readers.connections);
  const plain =
    'Connections whose searches are answered without the HTTP server, on whatever thread.';
  metrics.observe('quarry_plain_connections', plain, () => readers.plainConnections);
  const threads = 'Threads that answer such connections.';
  metrics.observe('quarry_reader_threads', threads, () => readers.threads);
  return readers;
}
