// The structured log: JSON lines on stdout, written by pino. Callers must never pass document
// bodies, keys or tokens.
import { type Logger, pino } from 'pino';

export type { Logger };

/**
 * `level` is the minimum severity. `members` returns the members of the current request, which are
 * added to every line.
 */
export function createLogger(level: string, members: () => object = () => ({})): Logger {
  const out = pino.destination({ dest: 1, sync: true });
  // If the reader of the log is gone or the disk is full, lines are lost and the service continues.
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
