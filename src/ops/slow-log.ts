// The slow-query log: one line for a search beyond a threshold, at the most severe level whose
// threshold was exceeded.
import type { Config } from '../config/schema.js';
import type { LiveConfig } from './live-config.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import type { RequestContexts } from './request-context.js';
import type { SlowSearch } from './slow-searches.js';

export const SLOW_LEVELS = ['warn', 'info', 'debug', 'trace'] as const;
export type SlowLevel = (typeof SLOW_LEVELS)[number];
export type SlowPhase = 'query' | 'fetch';

/** Configuration keys of the node-wide thresholds. */
export const SLOW_QUERY_KEYS = {
  warn: 'logging.slow_query_warn_ms',
  info: 'logging.slow_query_info_ms',
  debug: 'logging.slow_query_debug_ms',
  trace: 'logging.slow_query_trace_ms',
} as const satisfies Record<SlowLevel, keyof Config>;

/**
 * Thresholds in milliseconds by level; -1 disables a level. A missing level uses the node-wide
 * threshold.
 */
export type Thresholds = Readonly<Partial<Record<SlowLevel, number>>>;

const NO_THRESHOLDS: Thresholds = {};

export interface SlowLogOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Node-wide thresholds of the query phase, now; there are none for the fetch phase. */
  readonly defaults: () => Thresholds;
  /** Whether lines contain the body of the search. */
  readonly showsValues: () => boolean;
  /** Called with every slow search, whether or not its line is written. */
  readonly onSlow: (search: SlowSearch) => void;
}

interface SlowLogParts {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly live: LiveConfig;
  readonly requests: RequestContexts;
}

/** The slow-query log for the current configuration. */
export function slowLogOf(
  { logger, metrics, live, requests }: SlowLogParts,
  onSlow: SlowLogOptions['onSlow'],
): SlowLog {
  const read = (): Thresholds =>
    Object.fromEntries(SLOW_LEVELS.map((level) => [level, live.get(SLOW_QUERY_KEYS[level])]));
  let defaults = read();
  live.watch(() => {
    defaults = read();
  });
  return new SlowLog({
    logger,
    metrics,
    defaults: () => defaults,
    showsValues: () => live.get('logging.slow_query_values'),
    onSlow: (search) => onSlow({ ...search, ...requests.logMembers() }),
  });
}

/** An index with thresholds of its own. */
export interface SearchedIndex {
  readonly behaviour: { readonly slowQueries: Readonly<Record<SlowPhase, Thresholds>> };
}

export interface ObservedSearch {
  readonly phase: SlowPhase;
  readonly tookMs: number;
  /** Every searched index; for each level the lowest threshold counts. */
  readonly indexes: readonly SearchedIndex[];
  /** Further members of the line; called only if a line is written. */
  readonly describe: (withValues: boolean) => object;
}

export class SlowLog {
  readonly #options: SlowLogOptions;

  constructor(options: SlowLogOptions) {
    this.#options = options;
  }

  observe(search: ObservedSearch): void {
    const level = this.#levelOf(search);
    if (level === undefined) return;
    const { logger, metrics, showsValues, onSlow } = this.#options;
    const { phase, tookMs } = search;
    metrics.slowSearches.inc({ level, phase });
    const took = Math.round(tookMs * 10) / 10;
    onSlow({ at: Date.now(), level, phase, took_ms: took, ...search.describe(false) });
    if (!logger.isLevelEnabled(level)) return;
    logger[level]({ took_ms: took, phase, ...search.describe(showsValues()) }, `slow ${phase}`);
  }

  /** Runs for every search, and nearly all of them exceed no threshold, so it allocates nothing. */
  #levelOf({ phase, tookMs, indexes }: ObservedSearch): SlowLevel | undefined {
    const defaults = phase === 'query' ? this.#options.defaults() : NO_THRESHOLDS;
    for (const level of SLOW_LEVELS) {
      const common = defaults[level] ?? -1;
      if (indexes.length === 0 && isBeyond(tookMs, common)) return level;
      for (const { behaviour } of indexes) {
        const own = behaviour.slowQueries[phase][level];
        if (isBeyond(tookMs, own ?? common)) return level;
      }
    }
    return undefined;
  }
}

function isBeyond(tookMs: number, threshold: number): boolean {
  return threshold >= 0 && tookMs >= threshold;
}
