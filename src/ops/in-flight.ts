// What is on its way through the process: how many requests are being worked on, and how many bytes of bodies and of answers
// that their clients have not taken yet are held. What comes on top is refused at once.

import { finallyMaybe, type MaybePromise } from '../base/maybe-promise.js';
import { QuarryError } from '../errors.js';

export interface InFlightOptions {
  /** Read at every use, so that a reload takes effect at once. */
  readonly maxRequests: () => number;
  readonly maxBytes: () => number;
  readonly onRefusal: () => void;
  /** Where the bytes of every thread stand, and which of them are this one's; absent: there is no other thread. */
  readonly ledger?: { readonly bytes: Float64Array; readonly own: number };
}

export class InFlight {
  readonly #options: InFlightOptions;
  readonly #ledger: Float64Array;
  readonly #own: number;
  readonly #account: Ledger = {
    change: (bytes) => {
      this.#ledger[this.#own] = (this.#ledger[this.#own] ?? 0) + bytes;
    },
    // What is alone always passes: another try would find nothing better.
    check: (own, bytes) => {
      const held = this.bytes;
      const others = held - own;
      if (others === 0 || held + bytes <= this.#options.maxBytes()) return;
      throw this.#refusal(
        `${others} bytes of other requests and answers are held, ${own + bytes} more would exceed [limits.in_flight_bytes]`,
      );
    },
    checkAnswer: (own, bytes) => {
      this.checkAnswer(own + bytes, 'documents, buckets or searches');
      const others = this.bytes - own;
      if (own + others + bytes <= this.#options.maxBytes()) return;
      throw this.#noRoom(own + bytes, others);
    },
  };
  #requests = 0;

  constructor(options: InFlightOptions) {
    this.#options = options;
    this.#ledger = options.ledger?.bytes ?? new Float64Array(1);
    this.#own = options.ledger?.own ?? 0;
  }

  get requests(): number {
    return this.#requests;
  }
  /** Of all threads. */
  get bytes(): number {
    return this.#ledger.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Runs `work` as a request; es_rejected_execution_exception when there are too many. */
  request<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    const most = this.#options.maxRequests();
    if (this.#requests >= most) {
      throw this.#refusal(
        `${most} requests are in flight, as many as [limits.max_requests] allows`,
      );
    }
    this.#requests += 1;
    return finallyMaybe(work, () => {
      this.#requests -= 1;
    });
  }

  /** circuit_breaking_exception for an answer that is too large whatever else is held; `what` it is made of. */
  checkAnswer(bytes: number, what: string): void {
    const most = this.#options.maxBytes();
    if (bytes <= most) return;
    this.#options.onRefusal();
    throw new QuarryError(
      'circuit_breaking_exception',
      `the answer would be larger than [limits.in_flight_bytes] of ${most} bytes: ask for fewer ${what} in one request`,
      { extra: { bytes_wanted: bytes, bytes_limit: most, durability: 'PERMANENT' } },
    );
  }

  #noRoom(wanted: number, others: number): QuarryError {
    this.#options.onRefusal();
    const most = this.#options.maxBytes();
    return new QuarryError(
      'circuit_breaking_exception',
      `${others} bytes of other requests and answers are held, an answer of ${wanted} and more would exceed [limits.in_flight_bytes] of ${most}: retry later, or ask for fewer documents, buckets or searches in one request`,
      {
        extra: { bytes_wanted: wanted, bytes_limit: most, durability: 'TRANSIENT' },
        headers: { 'Retry-After': '1' },
      },
    );
  }

  /** What one request holds; to be released when the request has ended, however it did. */
  hold(): HeldBytes {
    return new HeldBytes(this.#account);
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

interface Ledger {
  readonly change: (bytes: number) => void;
  readonly check: (own: number, bytes: number) => void;
  readonly checkAnswer: (own: number, bytes: number) => void;
}

/** Memory that is counted while it is held. */
export interface MemoryReservation {
  /** circuit_breaking_exception where there is no room for so many bytes more. */
  reserve(bytes: number): void;
  release(): void;
}

export class HeldBytes implements MemoryReservation {
  readonly #ledger: Ledger;
  #bytes = 0;
  #released = false;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** es_rejected_execution_exception when there is no room for them. */
  take(bytes: number): void {
    this.#ledger.check(this.#bytes, bytes);
    this.keep(bytes);
  }
  /** Of what is gathered for an answer: circuit_breaking_exception where there is no room for it. */
  reserve(bytes: number): void {
    this.#ledger.checkAnswer(this.#bytes, bytes);
    this.keep(bytes);
  }
  /** Held already, whatever the limit says. */
  keep(bytes: number): void {
    if (this.#released) return;
    this.#bytes += bytes;
    this.#ledger.change(bytes);
  }
  /** Gone again. */
  drop(bytes = this.#bytes): void {
    const gone = Math.min(bytes, this.#bytes);
    this.#bytes -= gone;
    this.#ledger.change(-gone);
  }
  /** Nothing is held from now on. */
  release(): void {
    this.drop();
    this.#released = true;
  }
}
