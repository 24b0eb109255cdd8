// Searches for pages of thousands of hits. One of them is milliseconds of a thread and megabytes of an answer, hundreds at once are all
// threads, all places of the search gate and the collector of this one. A few run beside each other, the others wait here in the order
// in which they came, and count as searches only when their turn has come: whoever asks for ten hits finds a place and a thread.

import { finallyMaybe, type MaybePromise } from '../../base/maybe-promise.js';
import { QuarryError } from '../../errors.js';

/** Hits that are read, shown or not: pages of batches, exports and by-query reads stay below. */
const LARGE_PAGE = 1000;

export interface LargePagesOptions {
  /** That run at once. */
  readonly atOnce: number;
  /** That may wait; read at every entry, so that a reload takes effect at once. */
  readonly mostWaiting: () => number;
  readonly onRefusal: () => void;
}

/** Hits that the body asks for and that are skipped before them; what is no number is refused where the body is read. */
export function isLargePage({
  from,
  size,
}: {
  readonly from?: unknown;
  readonly size?: unknown;
}): boolean {
  return numberOf(from) + numberOf(size) > LARGE_PAGE;
}

export class LargePages {
  readonly #options: LargePagesOptions;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: LargePagesOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs `work` when its turn has come; es_rejected_execution_exception when too many wait. */
  pass<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    if (this.#running < this.#options.atOnce) return this.#run(work);
    const most = this.#options.mostWaiting();
    if (this.#waiting.length >= most) {
      this.#options.onRefusal();
      throw new QuarryError(
        'es_rejected_execution_exception',
        `rejected execution: ${most} searches for more than ${LARGE_PAGE} hits wait for their turn, twice as many as [limits.max_concurrent_searches] allows; retry later, or ask for smaller pages (search_after)`,
        { headers: { 'Retry-After': '1' } },
      );
    }
    return new Promise<void>((resolve) => this.#waiting.push(resolve)).then(() => this.#run(work));
  }

  #run<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    this.#running += 1;
    return finallyMaybe(work, () => {
      this.#running -= 1;
      this.#waiting.shift()?.();
    });
  }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
}
