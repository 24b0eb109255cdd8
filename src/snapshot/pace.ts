// Holds a copy to a number of bytes in a second, so that searches keep the disk.

export interface PaceOptions {
  /** Bytes in a second, as of now; 0: without a limit. */
  readonly bytesPerSecond: () => number;
  /** Milliseconds. */
  readonly now: () => number;
  /** Resolves at once when the signal says so. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** What may be copied at once after a rest. */
const BURST_MS = 100;

export class Pace {
  readonly #options: PaceOptions;
  /** When everything that was taken so far will have been due. */
  #due = Number.NEGATIVE_INFINITY;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** Waits until `bytes` more may be copied, or nobody wants them any more. */
  async take(bytes: number, signal: AbortSignal): Promise<void> {
    const { bytesPerSecond, now, pause } = this.#options;
    const limit = bytesPerSecond();
    if (limit <= 0) return;
    const at = now();
    this.#due = Math.max(this.#due, at - BURST_MS) + (bytes / limit) * 1000;
    if (this.#due > at) await pause(this.#due - at, signal);
  }
}
