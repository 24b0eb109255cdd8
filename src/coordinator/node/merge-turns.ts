// Merges in turn: those of the policy and those that somebody asked for are together never more than the setting allows.

export class MergeTurns {
  readonly #most: () => number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** `most`: read whenever a merge begins or ends. */
  constructor(most: () => number) {
    this.#most = most;
  }

  /** Runs `work` when there is a turn for it; who came first goes first. */
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

  /** The turn is taken here, so that nobody comes between. */
  #admit(): void {
    while (this.#running < this.#most()) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#running += 1;
      next();
    }
  }
}
