// The structured log: JSON lines on stdout by pino. No document body, key or token is ever handed to it.
import { type Logger, pino } from 'pino';

export type { Logger };

/** `level`: the least severe line that is written. `members`: of the request that the code runs for, in every line. */
export function createLogger(level: string, members: () => object = () => ({})): Logger {
  return pino({
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: members,
  });
}
