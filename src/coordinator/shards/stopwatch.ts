// What a piece of work costs the thread that does it. On a machine with much to do the wall clock mostly tells of others.

export interface Stopwatch {
  start(): void;
  /** Milliseconds since start(). */
  ms(): number;
}

/** Processor time of this thread; the time on the wall where it waited for the disk. */
export class ThreadWatch implements Stopwatch {
  readonly #now: () => number;
  readonly #read: (into: Float64Array) => void;
  readonly #before = new Float64Array(2);
  readonly #after = new Float64Array(2);
  #started = 0;

  /** `read`: Addon.threadUsage(). */
  constructor(now: () => number, read: (into: Float64Array) => void) {
    this.#now = now;
    this.#read = read;
  }
  start(): void {
    this.#started = this.#now();
    this.#read(this.#before);
  }
  ms(): number {
    const [cpuBefore = 0, waitsBefore = 0] = this.#before;
    this.#read(this.#after);
    const [cpu = 0, waits = 0] = this.#after;
    return waits > waitsBefore ? this.#now() - this.#started : cpu - cpuBefore;
  }
}
