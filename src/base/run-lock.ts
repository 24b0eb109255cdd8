// Allows one run of a command with a journal at a time: concurrent runs would overwrite each other's
// lines.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * `what` continues the phrase "another". Returns the function that releases the lock. Throws while another live process holds it; the lock
 * of a process that was killed is taken over.
 */
export function lockRun(path: string, what: string): () => void {
  mkdirSync(dirname(path), { recursive: true });
  for (;;) {
    try {
      const file = openSync(path, 'wx', 0o600);
      writeSync(file, String(process.pid));
      closeSync(file);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = holderOf(path);
    if (holder !== undefined && holder !== process.pid && isAlive(holder)) {
      throw new Error(
        `another ${what} is at work, process ${holder}: wait for it, or end it (its lock is ${path})`,
      );
    }
    rmSync(path, { force: true });
  }
}

function holderOf(path: string): number | undefined {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is alive as well.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
