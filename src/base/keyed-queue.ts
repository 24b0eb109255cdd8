// Runs asynchronous work sequentially for each key, for work that reads before it writes.

export interface Turns {
  /** Runs `work` after all previous work of the same key; other keys are independent. */
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export class KeyedQueue implements Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(key, mine);
    const done = (): void => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    };
    mine.then(done, done);
    return mine;
  }
}
