// Turns to ask one service: so many requests at once, searches before writes, and no faster than its owner allows.

export interface LaneOptions {
  readonly maxConcurrent: () => number;
  /** Milliseconds of a clock that nobody sets: for what lasts so long. */
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
  /** When the next request may start, for services with a rate. */
  #nextMs = 0;
  /** No request starts before: the service asked for it. */
  #heldMs = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Nothing starts for `ms` from now. */
  hold(ms: number): void {
    this.#heldMs = Math.max(this.#heldMs, this.#options.now() + ms);
  }

  /** Runs `work` when its turn has come; rejects with the signal's reason when that comes first. */
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

  /** Requests of a service with a rate start at even distances. */
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
