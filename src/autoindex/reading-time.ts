// The time that a reader may take for a file: of the processor, so that a busy machine takes nothing away from a file.
import { readFileSync } from 'node:fs';

export interface TimeLimits {
  /** For a file of any size, and how many bytes have a second more. */
  readonly fileMs: number;
  readonly bytesPerSecond: number;
  /** On the clock, from one sign of life to the next: a thread that waits takes no processor time. */
  readonly silentMs: number;
}

/** Units of the times in /proc/<thread>/stat: USER_HZ is 100 on every Linux that Node runs on. */
const MS_PER_TICK = 10;
/** Until a new worker has loaded its modules, or a reader its library. */
const LOAD_MS = 60_000;

export class ReadingTime {
  readonly #limits: TimeLimits;
  /** Of the thread below /proc; undefined where there is none, and the clock is asked instead. */
  #thread: string | undefined;
  /** What is left for the file. */
  #leftMs = 0;
  #isLoading = true;
  #usedBefore = 0;
  #lastSign = 0;

  constructor(limits: TimeLimits) {
    this.#limits = limits;
  }

  /** What is read from now on is of a file of so many bytes. */
  begin(bytes: number): void {
    const { fileMs, bytesPerSecond } = this.#limits;
    this.#leftMs = fileMs + (1000 * bytes) / bytesPerSecond;
  }

  /** A new worker, whose thread is not known yet, or a reader loads what it needs: this is nobody's time. */
  load(): void {
    this.#isLoading = true;
    this.#lastSign = performance.now();
  }

  /** The worker runs in this thread. */
  runsIn(thread: string | undefined): void {
    this.#thread = thread;
  }

  /** The worker begins to work, or goes on. */
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

  /** Why the worker has to be ended; undefined while it may go on. */
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

  /** Of the processor so far, in ms. */
  #used(): number {
    if (this.#thread === undefined) return performance.now();
    try {
      // The name of a thread may hold blanks and brackets: fields are counted behind it. 14 and 15 are user and system.
      const stat = readFileSync(`${this.#thread}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return MS_PER_TICK * (Number(fields[11]) + Number(fields[12]));
    } catch {
      // The thread has ended, which is told by its own event.
      return this.#usedBefore;
    }
  }
}
