// Limits the requests in flight and the bytes of request bodies and of unsent answers that the
// process holds. Requests beyond a limit are rejected immediately.

import { finallyMaybe, type MaybePromise } from '../base/maybe-promise.js';
import { QuarryError } from '../errors.js';

export interface InFlightOptions {
  /** Called at every use, so that a reload takes effect immediately. */
  readonly maxRequests: () => number;
  readonly maxBytes: () => number;
  readonly onRefusal: () => void;
  /**
   * Held bytes by thread in shared memory, and the index of this thread; absent if there is only
   * one thread.
   */
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
    // A request that is alone always passes, because a retry would not find more room.
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
  /** Held bytes of all threads. */
  get bytes(): number {
    return this.#ledger.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Runs `work` as a request; throws es_rejected_execution_exception if too many are in flight. */
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

  /**
   * Throws circuit_breaking_exception for an answer that exceeds the limit on its own. `what` names
   * in the message what to request less of.
   */
  checkAnswer(bytes: number, what: string): void {
    const most = this.#options.maxBytes();
    if (bytes <= most) return;
    this.#options.onRefusal();
    throw new AnswerTooLarge(
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

  /** The account of one request; must be released when the request ends. */
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

/** The answer of one request exceeds the limit on its own, so that a retry would fail as well. */
export class AnswerTooLarge extends QuarryError {}

interface Ledger {
  readonly change: (bytes: number) => void;
  readonly check: (own: number, bytes: number) => void;
  readonly checkAnswer: (own: number, bytes: number) => void;
}

/** Memory that is accounted for while it is held. */
export interface MemoryReservation {
  /** Throws circuit_breaking_exception if there is no room for `bytes` more. */
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

  /**
   * Accounts for bytes of a request; throws es_rejected_execution_exception if there is no room.
   */
  take(bytes: number): void {
    this.#ledger.check(this.#bytes, bytes);
    this.keep(bytes);
  }
  /** Accounts for bytes of an answer; throws circuit_breaking_exception if there is no room. */
  reserve(bytes: number): void {
    this.#ledger.checkAnswer(this.#bytes, bytes);
    this.keep(bytes);
  }
  /** Accounts for bytes that are already held, regardless of the limit. */
  keep(bytes: number): void {
    if (this.#released) return;
    this.#bytes += bytes;
    this.#ledger.change(bytes);
  }
  /** Gives back bytes; all of them by default. */
  drop(bytes = this.#bytes): void {
    const gone = Math.min(bytes, this.#bytes);
    this.#bytes -= gone;
    this.#ledger.change(-gone);
  }
  /** Gives back all bytes and ignores further ones. */
  release(): void {
    this.drop();
    this.#released = true;
  }
}
