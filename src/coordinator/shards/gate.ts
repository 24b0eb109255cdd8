// Admission: limits how many requests of a kind, and how many bytes of them, are in flight. Further
// requests are refused at once with 429, so that clients see overload as an error, not as a
// timeout.

import { finallyMaybe, type MaybePromise } from '../../base/maybe-promise.js';
import { QuarryError } from '../../errors.js';

export interface GateOptions {
  /** The kind of requests, as errors name it. */
  readonly what: string;
  readonly setting: string;
  /** Read at every entry, so that a reload takes effect at once. */
  readonly limit: () => number;
  /** The same for bytes; absent: bytes are not limited. */
  readonly bytes?: { readonly setting: string; readonly limit: () => number };
  /** Throws if there is no memory for work of this kind; absent: memory is not checked. */
  readonly guard?: () => void;
  readonly onRefusal: () => void;
  /** Called with the number of requests inside the gate whenever it has changed. */
  readonly onChange?: (inside: number) => void;
}

export class Gate {
  readonly #options: GateOptions;
  #inside = 0;
  #bytes = 0;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  get inside(): number {
    return this.#inside;
  }

  /** Runs `work` inside the gate; throws es_rejected_execution_exception if the gate is full. */
  pass<T>(work: () => MaybePromise<T>, bytes = 0): MaybePromise<T> {
    this.#admit(bytes);
    this.#moved(1, bytes);
    return finallyMaybe(work, () => this.#moved(-1, -bytes));
  }

  /** Throws as pass() does, for synchronous work, which does not count as being in flight. */
  check(): void {
    this.#admit(0);
  }

  #moved(requests: number, bytes: number): void {
    this.#inside += requests;
    this.#bytes += bytes;
    this.#options.onChange?.(this.#inside);
  }

  #admit(bytes: number): void {
    const { what, setting, limit, bytes: weight, guard } = this.#options;
    guard?.();
    const most = limit();
    if (this.#inside >= most) {
      throw this.#refusal(`${most} ${what} are in flight, as many as [${setting}] allows`);
    }
    // A request that is alone always passes, however large: a retry would not find more room.
    if (weight === undefined || this.#inside === 0 || this.#bytes + bytes <= weight.limit()) return;
    throw this.#refusal(
      `${this.#bytes} bytes of ${what} are in flight, ${bytes} more would exceed [${weight.setting}]`,
    );
  }

  #refusal(why: string): QuarryError {
    this.#options.onRefusal();
    return new QuarryError(
      'es_rejected_execution_exception',
      `rejected execution: ${why}; retry later`,
      { headers: { 'Retry-After': '1' } },
    );
  }
}
