// Processor time of the threads of this process, as reported by Linux.
import { readdirSync, readFileSync } from 'node:fs';

export interface ThreadTime {
  readonly id: string;
  readonly name: string;
  /** Processor time in milliseconds since the thread started. */
  readonly ms: number;
}

/** USER_HZ of the kernel interface, 100 on all current machines. */
const TICKS_PER_SECOND = 100;
const TASKS = '/proc/self/task';
/**
 * Index of utime among the fields after the thread name, which is in parentheses and may contain
 * blanks; stime follows it.
 */
const USER_TIME = 11;

/** Empty if the system does not report thread times. */
export function threadTimes(): readonly ThreadTime[] {
  let ids: readonly string[];
  try {
    ids = readdirSync(TASKS);
  } catch {
    return [];
  }
  return ids.flatMap((id) => {
    try {
      const stat = readFileSync(`${TASKS}/${id}/stat`, 'latin1');
      const end = stat.lastIndexOf(')');
      const fields = stat.slice(end + 2).split(' ');
      const ticks = Number(fields[USER_TIME]) + Number(fields[USER_TIME + 1]);
      const name = stat.slice(stat.indexOf('(') + 1, end);
      return [{ id, name, ms: (1000 * ticks) / TICKS_PER_SECOND }];
    } catch {
      return []; // the thread has ended
    }
  });
}
