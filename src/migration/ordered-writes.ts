// Runs a few writes at once and settles them in the order in which they were added, so that a
// position that is recorded means that everything before it is stored.

export class OrderedWrites {
  readonly #atOnce: number;
  readonly #running: Promise<void>[] = [];
  #last: Promise<void> = Promise.resolve();
  #failed = false;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /**
   * Starts `write`; `settle` is called when it and all before it have succeeded. Resolves when there
   * is room for another one, and rejects with the first failure.
   */
  async add(write: () => Promise<void>, settle: () => void): Promise<void> {
    const before = this.#last;
    const run = write().then(async () => {
      await before;
      settle();
    });
    run.catch(() => {
      this.#failed = true;
    });
    this.#last = run;
    this.#running.push(run);
    if (this.#running.length >= this.#atOnce) await this.#running.shift();
    if (this.#failed) await this.end();
  }

  /** Resolves when all are settled. */
  async end(): Promise<void> {
    const outcomes = await Promise.allSettled(this.#running.splice(0));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}
