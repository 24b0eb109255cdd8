// Limits concurrent merges: those of the policy and those of requests together never exceed the
// setting.

export class MergeTurns {
  readonly #most: () => number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** `most` is read whenever a merge begins or ends. */
  constructor(most: () => number) {
    this.#most = most;
  }

  /** Runs `work` when the limit allows it, in the order of the calls. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most() || this.#waiting.length > 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#admit();
    }
  }

  /** Counts the admitted merge immediately, so that no other call can take its place. */
  #admit(): void {
    while (this.#running < this.#most()) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#running += 1;
      next();
    }
  }
}
