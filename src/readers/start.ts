// The readers of a running service, and what the metrics say of them.
import type { Metrics, MetricValues } from '../ops/metrics.js';
import { ReaderThreads, type ReaderThreadsOptions } from './reader-threads.js';

export function startReaders(
  options: ReaderThreadsOptions & { readonly metrics: Metrics },
): ReaderThreads {
  const { metrics } = options;
  const readers = new ReaderThreads(options);
  metrics.addThreads(async () => (await readers.values()) as readonly MetricValues[]);
  const connections = 'Connections whose searches a thread of their own answers.';
  metrics.observe('quarry_reader_connections', connections, () => readers.connections);
  metrics.observe(
    'quarry_reader_threads',
    'Threads that answer such connections.',
    () => readers.threads,
  );
  return readers;
}
