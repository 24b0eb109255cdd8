// Limits the bytes per second of a copy, so that it leaves disk bandwidth to searches.

export interface PaceOptions {
  /** The current limit in bytes per second; 0 for no limit. */
  readonly bytesPerSecond: () => number;
  /** Clock in milliseconds. */
  readonly now: () => number;
  /** Resolves immediately when the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Duration whose bytes may be copied at once after a pause. */
const BURST_MS = 100;

export class Pace {
  readonly #options: PaceOptions;
  /** Time at which all bytes taken so far are within the limit. */
  #due = Number.NEGATIVE_INFINITY;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** Waits until `bytes` more may be copied, or the signal is aborted. */
  async take(bytes: number, signal: AbortSignal): Promise<void> {
    const { bytesPerSecond, now, pause } = this.#options;
    const limit = bytesPerSecond();
    if (limit <= 0) return;
    const at = now();
    this.#due = Math.max(this.#due, at - BURST_MS) + (bytes / limit) * 1000;
    if (this.#due > at) await pause(this.#due - at, signal);
  }
}
