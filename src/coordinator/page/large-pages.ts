// Limits concurrent searches for pages of thousands of hits. One takes milliseconds of a thread and
// megabytes of memory for its response; hundreds at once would occupy all threads, all places of
// the search gate and the garbage collector of this thread. A few run at the same time. The others
// wait here in order of arrival and do not count as searches in flight, so that small pages are
// served.

import { finallyMaybe, type MaybePromise } from '../../base/maybe-promise.js';
import { QuarryError } from '../../errors.js';

/**
 * Maximum from + size of a page that is not large; batches, exports and by-query reads stay below.
 */
const LARGE_PAGE = 1000;

export interface LargePagesOptions {
  /** Maximum number of large pages that run at the same time. */
  readonly atOnce: number;
  /** Maximum number of waiting ones; read at every entry, so that a reload takes effect at once. */
  readonly mostWaiting: () => number;
  readonly onRefusal: () => void;
}

/** Whether a body requests a large page. Values that are no numbers are refused by its parser. */
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

  /** Runs `work` in its turn. Throws es_rejected_execution_exception if too many are waiting. */
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
