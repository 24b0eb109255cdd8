// What the system knows of the service's process and of its folder.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Reads a line of /proc/PID/status on Linux: KiB of memory, or a count. */
export function statusOf(pid: number, name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  );
  return Number(line?.[1]);
}

/** Ticks of 10 ms that Linux counts for a process. */
const TICKS_PER_SECOND = 100;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** CPU time since the process began, of ended threads, too; seconds. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) / TICKS_PER_SECOND;
}

/** Bytes of the files that a folder holds, at any depth. */
export function folderBytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}
