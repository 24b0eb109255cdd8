// A queue of one: what is handed in runs one after the other, in order.

export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => {});
    return next;
  }
}
