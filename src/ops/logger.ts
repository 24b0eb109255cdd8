// The structured log: JSON lines on stdout by pino. No document body, key or token is ever handed to it.
import { type Logger, pino } from 'pino';

export type { Logger };

/** `level`: the least severe line that is written. `members`: of the request that the code runs for, in every line. */
export function createLogger(level: string, members: () => object = () => ({})): Logger {
  const out = pino.destination({ dest: 1, sync: true });
  // A log that nobody reads any more, or that is on a full disk, loses lines; the service goes on.
  out.on('error', () => {});
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: members,
    },
    out,
  );
}
