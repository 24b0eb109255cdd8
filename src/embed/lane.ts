// Schedules requests to one service: limits their number and rate, and lets searches precede
// writes.

export interface LaneOptions {
  readonly maxConcurrent: () => number;
  /** Monotonic clock in milliseconds, for durations. */
  readonly now: () => number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

const MINUTE_MS = 60_000;

interface Waiter {
  readonly go: () => void;
}

export class Lane {
  readonly #options: LaneOptions;
  readonly #urgent: Waiter[] = [];
  readonly #patient: Waiter[] = [];
  #running = 0;
  /** Earliest start of the next request, for services with a rate limit. */
  #nextMs = 0;
  /** No request starts before this time, as requested by the service. */
  #heldMs = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Delays all requests by `ms` from now. */
  hold(ms: number): void {
    this.#heldMs = Math.max(this.#heldMs, this.#options.now() + ms);
  }

  /** Runs `work` when a slot is free; rejects with the signal's reason if it is aborted first. */
  async run<T>(
    work: () => Promise<T>,
    turn: { readonly urgent: boolean; readonly perMinute: number | undefined },
    signal: AbortSignal,
  ): Promise<T> {
    await this.#turn(turn.urgent, signal);
    try {
      await this.#slot(turn.perMinute, signal);
      return await work();
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  async #turn(urgent: boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running < this.#options.maxConcurrent()) {
      this.#running += 1;
      return;
    }
    const queue = urgent ? this.#urgent : this.#patient;
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        queue.splice(queue.indexOf(waiter), 1);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        go: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.push(waiter);
    });
  }

  #next(): void {
    while (this.#running < this.#options.maxConcurrent()) {
      const waiter = this.#urgent.shift() ?? this.#patient.shift();
      if (waiter === undefined) return;
      this.#running += 1;
      waiter.go();
    }
  }

  /** Spaces the requests evenly if the service has a rate limit. */
  async #slot(perMinute: number | undefined, signal: AbortSignal): Promise<void> {
    const now = this.#options.now();
    let start = Math.max(now, this.#heldMs);
    if (perMinute !== undefined) {
      start = Math.max(start, this.#nextMs);
      this.#nextMs = start + MINUTE_MS / perMinute;
    }
    if (start > now) await this.#options.pause(start - now, signal);
  }
}
