// Short searches that found all threads busy: when one gets free it takes its share of all that wait as one task. Handing over a
// task costs more than many a search, and what waits is not served later for going together.
import type { Outcome, SearchTask } from '../../worker/tasks.js';

/** A share is no larger: whoever comes next would wait for all of it. */
const MOST = 8;

type SearchOutcome = Outcome<ArrayBuffer>;

interface Waiting {
  readonly task: SearchTask;
  readonly resolve: (outcome: SearchOutcome) => void;
  readonly reject: (error: unknown) => void;
}

export class LightSearches {
  #waiting: Waiting[] = [];

  get waiting(): number {
    return this.#waiting.length;
  }

  /** The outcome, once run() has had its turn. */
  wait(task: SearchTask): Promise<SearchOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject });
    });
  }

  /** All that wait. */
  fail(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  /** Hands the share of one of `threads` to `search`, the oldest first. */
  run(
    threads: number,
    search: (tasks: readonly SearchTask[]) => Promise<readonly SearchOutcome[]>,
  ): void {
    if (this.#waiting.length === 0) return;
    const share = Math.min(MOST, Math.ceil(this.#waiting.length / threads));
    const some = this.#waiting.splice(0, share);
    search(some.map(({ task }) => task)).then(
      (outcomes) => {
        for (const [i, { resolve, reject }] of some.entries()) {
          const outcome = outcomes[i];
          if (outcome === undefined) reject(new Error('searches have too few outcomes'));
          else resolve(outcome);
        }
      },
      (error: unknown) => {
        for (const { reject } of some) reject(error);
      },
    );
  }
}
