// The cost of one request for the threads of a server: CPU time of the main thread and of the
// busiest other thread, and the main thread's longest time slice.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface ThreadWork {
  readonly mainMs: number;
  /** CPU time of the busiest thread except the main thread. */
  readonly poolMs: number;
  readonly longestBlockMs: number;
}

/** Length of a clock tick in /proc. */
const TICK_MS = 10;

/** The environment that the server must be started with. */
export function monitored(folder: string): Record<string, string> {
  const monitor = fileURLToPath(new URL('block-monitor.js', import.meta.url));
  return { NODE_OPTIONS: `--import ${monitor}`, BENCH_BLOCK_FILE: join(folder, 'longest-block') };
}

export class ThreadMeter {
  readonly #pid: number;
  readonly #file: string;
  #before: ReadonlyMap<string, number> = new Map();

  /** `folder`: the argument of monitored(). */
  constructor(pid: number, folder: string) {
    this.#pid = pid;
    this.#file = join(folder, 'longest-block');
  }

  async begin(): Promise<void> {
    await this.#readLongestBlock();
    this.#before = this.#times();
  }

  async end(): Promise<ThreadWork> {
    const after = this.#times();
    const longestBlockMs = await this.#readLongestBlock();
    const spent = [...after].map(([thread, time]) => ({
      isMain: thread === String(this.#pid),
      ms: time - (this.#before.get(thread) ?? 0),
    }));
    return {
      mainMs: spent.find(({ isMain }) => isMain)?.ms ?? 0,
      poolMs: Math.max(0, ...spent.filter(({ isMain }) => !isMain).map(({ ms }) => ms)),
      longestBlockMs,
    };
  }

  async #readLongestBlock(): Promise<number> {
    rmSync(this.#file, { force: true });
    process.kill(this.#pid, 'SIGUSR2');
    for (let wait = 0; wait < 6000; wait++) {
      const text = existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : '';
      if (text !== '') return Number(text);
      await sleep(10);
    }
    return Number.POSITIVE_INFINITY;
  }

  #times(): ReadonlyMap<string, number> {
    const times = new Map<string, number>();
    for (const thread of readdirSync(`/proc/${this.#pid}/task`)) {
      try {
        const stat = readFileSync(`/proc/${this.#pid}/task/${thread}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        times.set(thread, (Number(fields[11]) + Number(fields[12])) * TICK_MS);
      } catch {
        // The thread has ended.
      }
    }
    return times;
  }
}
