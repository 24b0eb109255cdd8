// Runs asynchronous work sequentially for each key, for work that reads before it writes.

/** A turn that other processes may take, too, where it is not known how far this one came. */
export interface Turn {
  /**
   * The id for a document that the work creates, and the only thing that it writes. If the outcome
   * is not known, the next turn gets the same id, so that at most one of the two documents is there.
   */
  takeId(): string;
  /** Whether the id is one of an earlier turn, whose document may be there. */
  readonly isInherited: boolean;
  /** The document of the earlier turn is there, and the work goes on with an id of its own. */
  dropId(): void;
}

export interface Turns {
  /**
   * Runs `work` after all previous work of the same key; other keys are independent. It gets its
   * turn if other processes share them.
   */
  take<T>(key: string, work: (turn?: Turn) => Promise<T>): Promise<T>;
}

export class KeyedQueue implements Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const run = (): Promise<T> => work();
    const mine = before.then(run, run);
    this.#last.set(key, mine);
    const done = (): void => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    };
    mine.then(done, done);
    return mine;
  }
}
