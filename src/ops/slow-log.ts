// The slow-query log: a line for a search beyond a threshold, at the most severe level that it is beyond.
import type { Config } from '../config/schema.js';
import type { LiveConfig } from './live-config.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';

export const SLOW_LEVELS = ['warn', 'info', 'debug', 'trace'] as const;
export type SlowLevel = (typeof SLOW_LEVELS)[number];
export type SlowPhase = 'query' | 'fetch';

/** Where the node's own thresholds are configured. */
export const SLOW_QUERY_KEYS = {
  warn: 'logging.slow_query_warn_ms',
  info: 'logging.slow_query_info_ms',
  debug: 'logging.slow_query_debug_ms',
  trace: 'logging.slow_query_trace_ms',
} as const satisfies Record<SlowLevel, keyof Config>;

/** Milliseconds by level; -1: none. A level that is absent falls back to the node's own. */
export type Thresholds = Readonly<Partial<Record<SlowLevel, number>>>;

export interface SlowLogOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The node's thresholds of the phase that finds hits; its fetches have none of their own. */
  readonly defaultMs: (level: SlowLevel) => number;
  /** True: lines show the body of the search. */
  readonly showsValues: () => boolean;
}

/** As the configuration has it. */
export function slowLogOf(logger: Logger, metrics: Metrics, live: LiveConfig): SlowLog {
  return new SlowLog({
    logger,
    metrics,
    defaultMs: (level) => live.get(SLOW_QUERY_KEYS[level]),
    showsValues: () => live.get('logging.slow_query_values'),
  });
}

export interface SlowSearch {
  readonly phase: SlowPhase;
  readonly tookMs: number;
  /** Of every index that was searched; the lowest of a level counts. */
  readonly thresholds: readonly Thresholds[];
  /** What the line says beside the time; asked only where there is a line. */
  readonly describe: (withValues: boolean) => object;
}

export class SlowLog {
  readonly #options: SlowLogOptions;

  constructor(options: SlowLogOptions) {
    this.#options = options;
  }

  observe(search: SlowSearch): void {
    const level = this.#levelOf(search);
    if (level === undefined) return;
    const { logger, metrics, showsValues } = this.#options;
    const { phase, tookMs } = search;
    metrics.slowSearches.inc({ level, phase });
    if (!logger.isLevelEnabled(level)) return;
    const took = Math.round(tookMs * 10) / 10;
    logger[level]({ took_ms: took, phase, ...search.describe(showsValues()) }, `slow ${phase}`);
  }

  /** Of every search, nearly all of which are beyond none. */
  #levelOf({ phase, tookMs, thresholds }: SlowSearch): SlowLevel | undefined {
    for (const level of SLOW_LEVELS) {
      const common = phase === 'query' ? this.#options.defaultMs(level) : -1;
      if (thresholds.length === 0 && isBeyond(tookMs, common)) return level;
      for (const one of thresholds) if (isBeyond(tookMs, one[level] ?? common)) return level;
    }
    return undefined;
  }
}

function isBeyond(tookMs: number, threshold: number): boolean {
  return threshold >= 0 && tookMs >= threshold;
}
