// Handles uncaught errors: an error event without a listener, an unhandled rejection, a bug in a
// timer. Such an error concerns one request, socket or thread. It cannot leave data half-written:
// the core's state is out of reach of JavaScript exceptions, and a catalog change is a single swap.
// The error is therefore logged with its stack and counted, and the service continues, except while
// the data is being opened: nothing is served yet, and the data read so far may be incomplete.
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

/** Returns the handler of uncaught errors. `origin` is the value that Node passes. */
export function uncaughtHandler(
  options: UncaughtOptions,
): (error: unknown, origin: string) => void {
  const { logger, metrics, readiness, exit } = options;
  let count = 0;
  metrics.count(
    'quarry_uncaught_errors_total',
    'Uncaught errors: each is a bug, and is logged with its stack.',
    () => count,
  );
  return (error, origin) => {
    count += 1;
    if (readiness.state !== 'starting') {
      logger.error({ err: error, origin }, 'uncaught error; the service continues');
      return;
    }
    logger.fatal({ err: error, origin }, 'uncaught error while the data was being opened');
    exit(1);
  };
}
