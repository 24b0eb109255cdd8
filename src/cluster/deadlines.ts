// How long a request may wait for the cluster: with all its calls, attempts and turns as long as one
// call may take. The end is passed along asynchronous calls implicitly.
import { AsyncLocalStorage } from 'node:async_hooks';
import { QuarryError } from '../errors.js';

interface Waiting {
  /** Monotonic time. */
  readonly end: number;
  /** What goes on behind the answer has time of its own. */
  isAnswered: boolean;
}

export class Deadlines {
  readonly #timeoutMs: number;
  readonly #now: () => number;
  readonly #requests = new AsyncLocalStorage<Waiting>();

  /** `now` is a monotonic clock in milliseconds. */
  constructor(timeoutMs: number, now: () => number = () => performance.now()) {
    this.#timeoutMs = timeoutMs;
    this.#now = now;
  }

  /** Runs the work of a request. What is run inside of another one ends with that. */
  during<T>(work: () => T): T {
    return this.#current === undefined ? this.apart(work) : work();
  }

  /** Runs what may end later than the request that it is done for, in time of its own. */
  apart<T>(work: () => T): T {
    const waiting = { end: this.#now() + this.#timeoutMs, isAnswered: false };
    const done = (): void => {
      waiting.isAnswered = true;
    };
    const result = this.#requests.run(waiting, work);
    if (result instanceof Promise) result.then(done, done);
    else done();
    return result;
  }

  /** Milliseconds that are left; outside of requests those of one call. */
  left(): number {
    const current = this.#current;
    return current === undefined ? this.#timeoutMs : current.end - this.#now();
  }

  /** The result of work that several requests wait for; rejects at the end of this one. */
  async wait<T>(result: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.over()), Math.max(0, this.left()));
    });
    try {
      return await Promise.race([result, end]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The error of a request that has no time left. */
  over(): QuarryError {
    return new QuarryError(
      'node_not_ready_exception',
      `the cluster has not answered within [cluster.timeout_ms] of ${this.#timeoutMs} ms, send the request again`,
      { headers: { 'Retry-After': '1' } },
    );
  }

  get #current(): Waiting | undefined {
    const waiting = this.#requests.getStore();
    return waiting?.isAnswered === true ? undefined : waiting;
  }
}
