// The latest slow searches, for GET /v1/slow_searches. They have the shape of what was searched for
// and never its values, whatever the log shows.
import { plainJson } from '../base/json-text.js';
import type { SlowLevel, SlowPhase } from './slow-log.js';

/** A line of the slow-query log with its time in epoch milliseconds. */
export interface SlowSearch {
  readonly at: number;
  readonly level: SlowLevel;
  readonly phase: SlowPhase;
  readonly took_ms: number;
  /** The indexes, mode, phases, work and shape of the search; the ids of its request. */
  readonly [member: string]: unknown;
}

/** How many are retained. */
export const MAX_SLOW_SEARCHES = 200;
/** A longer shape is left out, so that all entries together take about 2 MiB at most. */
const MAX_SHAPE = 4096;

export class SlowSearches {
  readonly #entries: SlowSearch[] = [];
  #total = 0;

  /** Number of slow searches since the start, retained or not. */
  get total(): number {
    return this.#total;
  }

  add(search: SlowSearch): void {
    this.#total += 1;
    this.#entries.push(bounded(search));
    if (this.#entries.length > MAX_SLOW_SEARCHES) this.#entries.shift();
  }

  /** The newest first. */
  latest(size: number): readonly SlowSearch[] {
    return this.#entries.slice(-size).reverse();
  }
}

function bounded(search: SlowSearch): SlowSearch {
  const length = plainJson(search['shape'] ?? null).length;
  if (length <= MAX_SHAPE) return search;
  return { ...search, shape: { '…': `a shape of ${length} characters` } };
}
