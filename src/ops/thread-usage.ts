// Processor time of the threads of this process, as Linux tells it.
import { readdirSync, readFileSync } from 'node:fs';

export interface ThreadTime {
  readonly id: string;
  readonly name: string;
  /** Since the thread began. */
  readonly ms: number;
}

/** Of the kernel's interface, on every machine of today. */
const TICKS_PER_SECOND = 100;
const TASKS = '/proc/self/task';
/** Behind the name, which stands in parentheses and may hold blanks: user and system time. */
const USER_TIME = 11;

/** Nothing where the system does not tell. */
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
      return []; // it has ended
    }
  });
}
