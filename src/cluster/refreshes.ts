// Refreshes of indexes, joined: requests that want one at the same time share it. One that began
// before a request is not enough for it, because it may have missed what the request must see.
import type { Deadlines } from './deadlines.js';

export class Refreshes {
  readonly #deadlines: Deadlines;
  readonly #refresh: (index: string) => Promise<void>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, Promise<void>>();
  #count = 0;

  constructor(deadlines: Deadlines, refresh: (index: string) => Promise<void>) {
    this.#deadlines = deadlines;
    this.#refresh = refresh;
  }

  /** Refreshes that were sent. */
  get count(): number {
    return this.#count;
  }

  /** Resolves when searches see everything that was written before the call. */
  of(index: string): Promise<void> {
    return this.#deadlines.wait(this.#next(index));
  }

  #next(index: string): Promise<void> {
    const running = this.#running.get(index);
    if (running === undefined) return this.#start(index);
    const waiting = this.#waiting.get(index);
    if (waiting !== undefined) return waiting;
    const next = running
      .catch(() => {})
      .then(() => {
        this.#waiting.delete(index);
        return this.#start(index);
      });
    this.#waiting.set(index, next);
    return next;
  }

  #start(index: string): Promise<void> {
    this.#count += 1;
    const refresh = this.#deadlines.apart(() => this.#refresh(index));
    const running = refresh.finally(() => {
      if (this.#running.get(index) === running) this.#running.delete(index);
    });
    this.#running.set(index, running);
    return running;
  }
}
