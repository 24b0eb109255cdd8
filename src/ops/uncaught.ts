// What nobody has caught: an error event without a listener, a rejection that nobody awaits, a bug in a timer. It concerns one request,
// socket or thread; every other one goes on. What is on disk is the core's, whose own state no exception of JavaScript reaches, and a
// change of the catalog is one swap: neither is left half done. So it is logged with its stack and counted, and the service goes on;
// but not while the data is being opened, when nobody is served yet and what was read so far may not be all.
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import type { Readiness } from './readiness.js';

export interface UncaughtOptions {
  readonly logger: Pick<Logger, 'error' | 'fatal'>;
  readonly metrics: Metrics;
  readonly readiness: Pick<Readiness, 'state'>;
  /** Ends the process. */
  readonly exit: (code: number) => void;
}

/** What is to be done with an uncaught error. `origin`: as Node tells it. */
export function uncaughtHandler(
  options: UncaughtOptions,
): (error: unknown, origin: string) => void {
  const { logger, metrics, readiness, exit } = options;
  let count = 0;
  metrics.count(
    'quarry_uncaught_errors_total',
    'Errors that nobody caught: each is a bug, and in the log with its stack.',
    () => count,
  );
  return (error, origin) => {
    count += 1;
    if (readiness.state !== 'starting') {
      logger.error({ err: error, origin }, 'an error that nobody caught; the service goes on');
      return;
    }
    logger.fatal({ err: error, origin }, 'an error that nobody caught while the data was opened');
    exit(1);
  };
}
