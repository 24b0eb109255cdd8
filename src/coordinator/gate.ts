// Admission: how many requests of a kind may be in flight at once. What comes on top is refused at once with 429,
// so that a full queue is seen by the client and not by its timeout.
import { QuarryError } from '../errors.js';

export interface GateOptions {
  /** Named in the refusal. */
  readonly what: string;
  readonly setting: string;
  /** Read at every entry, so that a reload takes effect at once. */
  readonly limit: () => number;
  readonly onRefusal: () => void;
}

export class Gate {
  readonly #options: GateOptions;
  #inside = 0;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  get inside(): number {
    return this.#inside;
  }

  /** Runs `work` inside; es_rejected_execution_exception when the gate is full. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    const limit = this.#options.limit();
    if (this.#inside >= limit) {
      this.#options.onRefusal();
      const { what, setting } = this.#options;
      throw new QuarryError(
        'es_rejected_execution_exception',
        `rejected execution: ${limit} ${what} are in flight, as many as [${setting}] allows; retry later`,
        { headers: { 'Retry-After': '1' } },
      );
    }
    this.#inside += 1;
    try {
      return await work();
    } finally {
      this.#inside -= 1;
    }
  }
}
