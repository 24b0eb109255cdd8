// Answers on their way out: those of one turn of the event loop are sent one right after the other. A
// write to a client that sleeps wakes it, which takes longer than many a search; while it reads the first
// answer it does not sleep, and its next requests arrive at once.

/** How long an answer waits for others at most. */
const MOST_MS = 0.5;

export class Outbox {
  #waiting: (() => void)[] = [];
  /** When the oldest came. */
  #since = 0;
  readonly #now: () => number;
  readonly #afterTurn: (work: () => void) => void;

  /** `now`: milliseconds. `afterTurn` calls back when what is there to be read was read. */
  constructor(
    now: () => number = () => performance.now(),
    afterTurn: (work: () => void) => void = setImmediate,
  ) {
    this.#now = now;
    this.#afterTurn = afterTurn;
  }

  /** `send` must not throw. */
  add(send: () => void): void {
    if (this.#waiting.push(send) > 1) {
      this.hurry();
      return;
    }
    this.#since = this.#now();
    this.#afterTurn(() => this.#sendAll());
  }

  /** Something is about to begin that may take long. */
  hurry(): void {
    if (this.#waiting.length > 0 && this.#now() - this.#since > MOST_MS) this.#sendAll();
  }

  /** Something long is about to go on. */
  flush(): void {
    if (this.#waiting.length > 0) this.#sendAll();
  }

  #sendAll(): void {
    const all = this.#waiting;
    this.#waiting = [];
    for (const send of all) send();
  }
}
