// Limits the time that a reader may take for a file. It is processor time, so that a busy machine
// does not cause failures.
import { readFileSync } from 'node:fs';

export interface TimeLimits {
  /** Time for a file of any size, and the number of bytes that add one second. */
  readonly fileMs: number;
  readonly bytesPerSecond: number;
  /**
   * Maximum wall-clock time between two signs of life: a thread that waits uses no processor time.
   */
  readonly silentMs: number;
}

/** Unit of the times in /proc/<thread>/stat: USER_HZ is 100 on every Linux that Node runs on. */
const MS_PER_TICK = 10;
/** Limit for a new worker to load its modules, or for a reader to load its library. */
const LOAD_MS = 60_000;

export class ReadingTime {
  readonly #limits: TimeLimits;
  /**
   * Path of the thread below /proc; undefined where it is not available, and wall-clock time is
   * used instead.
   */
  #thread: string | undefined;
  /** Remaining time for the file. */
  #leftMs = 0;
  #isLoading = true;
  #usedBefore = 0;
  #lastSign = 0;

  constructor(limits: TimeLimits) {
    this.#limits = limits;
  }

  /** The following work is for a file of `bytes` bytes. */
  begin(bytes: number): void {
    const { fileMs, bytesPerSecond } = this.#limits;
    this.#leftMs = fileMs + (1000 * bytes) / bytesPerSecond;
  }

  /** A new worker starts, or a reader loads its library: this time does not count for the file. */
  load(): void {
    this.#isLoading = true;
    this.#lastSign = performance.now();
  }

  /** Sets the thread of the worker. */
  runsIn(thread: string | undefined): void {
    this.#thread = thread;
  }

  /** The worker starts or continues to work. */
  work(): void {
    this.#isLoading = false;
    this.#lastSign = performance.now();
    this.#usedBefore = this.#used();
  }

  /** The worker gave a sign of life. */
  sign(): void {
    if (!this.#isLoading) this.#leftMs -= this.#used() - this.#usedBefore;
    this.work();
  }

  /** Why the worker has to be terminated; undefined while it may continue. */
  problem(): string | undefined {
    const silent = performance.now() - this.#lastSign;
    if (this.#isLoading) {
      return silent > LOAD_MS ? `its reader was not loaded within ${LOAD_MS / 1000} s` : undefined;
    }
    if (this.#used() - this.#usedBefore > this.#leftMs) {
      return 'it takes longer to read than a file of its size may, the rest of it is left out';
    }
    const { silentMs } = this.#limits;
    return silent > silentMs
      ? `its reader gave no sign of life for ${silentMs / 1000} s and was ended`
      : undefined;
  }

  /** Processor time used so far, in ms. */
  #used(): number {
    if (this.#thread === undefined) return performance.now();
    try {
      // The name of a thread may contain blanks and brackets, so that fields are counted after the
      // last bracket. Fields 14 and 15 are user and system time.
      const stat = readFileSync(`${this.#thread}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return MS_PER_TICK * (Number(fields[11]) + Number(fields[12]));
    } catch {
      // The thread has ended, which is reported by its own event.
      return this.#usedBefore;
    }
  }
}
