// Runs the shipping of a node's log: at each interval one step of the shipper, and what operators
// see of it.
import { type FSWatcher, watch } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { LiveConfig } from '../../ops/live-config.js';
import type { Logger } from '../../ops/logger.js';
import type { Metrics } from '../../ops/metrics.js';
import { Pace } from '../pace.js';
import { checkLogPlace, type LogPlace, openLogPlace } from './place.js';
import { LogShipper } from './shipper.js';
import { HeldLog } from './wal-files.js';

export interface ShippingOptions {
  readonly live: LiveConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Makes the log of the engine durable; resolves to the durable position. */
  readonly durable: () => Promise<bigint>;
}

/** What is known of a shipped log; times in epoch milliseconds. */
export interface ShippingStatus {
  readonly place: string;
  /** Everything that was written until then is in the repository; undefined: not yet. */
  readonly until: number | undefined;
  /** Why the last step failed. */
  readonly failure: string | undefined;
  readonly intervalMs: number;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const BASE_LOG_BYTES = 1024 * 1024 * 1024;
/** Files of the log are looked for at least this often, if the file system reports none. */
const HOLD_MS = 1000;
/** A stop waits this long for the last step. */
const LAST_STEP_MS = 3000;
const NOT_HELD = 'files of the log cannot be held for shipping';

export class Shipping {
  readonly #options: ShippingOptions;
  readonly #log: HeldLog;
  readonly #stop = new AbortController();
  readonly #leave = new AbortController();
  #place: LogPlace | undefined;
  #shipper: LogShipper | undefined;
  #watcher: FSWatcher | undefined;
  #holding: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #until: number | undefined;
  #failure: string | undefined;
  #failures = 0;
  #bytes = 0;

  constructor(options: ShippingOptions) {
    this.#options = options;
    this.#log = new HeldLog(options.live.get('data_dir'));
    const { metrics } = options;
    metrics.observe(
      'quarry_ship_log_lag_seconds',
      'Seconds of writes that the repository of the shipped log does not have; -1: nothing is there yet.',
      () => (this.#until === undefined ? -1 : (Date.now() - this.#until) / 1000),
    );
    metrics.observe(
      'quarry_ship_log_failures',
      'Intervals in which the log could not be shipped.',
      () => this.#failures,
    );
    metrics.observe(
      'quarry_ship_log_bytes',
      'Bytes that were shipped with the log.',
      () => this.#bytes,
    );
  }

  status(): ShippingStatus {
    const { live } = this.#options;
    return {
      place: live.get('snapshot.ship_log'),
      until: this.#until,
      failure: this.#failure,
      intervalMs: live.get('snapshot.ship_interval_ms'),
    };
  }

  /** Before the engine opens the data folder, which removes files of the log. */
  async hold(): Promise<void> {
    try {
      await this.#log.hold();
    } catch (err) {
      this.#options.logger.error({ err }, NOT_HELD);
    }
  }

  /** Once the engine is open. */
  start(): void {
    const hold = (): void => {
      void this.hold();
    };
    try {
      this.#watcher = watch(this.#log.folder, hold).on('error', () => this.#watcher?.close());
    } catch (err) {
      this.#options.logger.warn({ err }, 'files of the log are looked for each second');
    }
    this.#holding = setInterval(hold, HOLD_MS).unref();
    this.#running = this.#run();
  }

  /** Ships what is left, if that is soon done. */
  async close(): Promise<void> {
    this.#watcher?.close();
    clearInterval(this.#holding);
    this.#stop.abort();
    const last = this.#running.then(() => this.#step());
    await Promise.race([last, pause(LAST_STEP_MS)]);
    // Requests that are still under way end.
    this.#leave.abort();
    await this.#shipper?.close();
    await this.#place?.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const begun = performance.now();
      await this.#step();
      const ms = this.#options.live.get('snapshot.ship_interval_ms') - (performance.now() - begun);
      // While the first copy is under way, its end is looked for more often.
      const wait = this.#until === undefined ? Math.min(ms, HOLD_MS) : ms;
      await pause(Math.max(0, wait), undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #step(): Promise<void> {
    const { logger } = this.#options;
    try {
      this.#shipper ??= await this.#open();
      const { moment, bytes, hasGap } = await this.#shipper.tick();
      this.#bytes += bytes;
      if (moment !== undefined) this.#until = moment;
      if (hasGap) {
        this.#until = undefined;
        logger.warn('files of the log were lost before they were shipped, a new copy is made');
      }
      if (this.#failure !== undefined) logger.info('the log is shipped again');
      this.#failure = undefined;
    } catch (error) {
      this.#failures += 1;
      const reason = (error as Error).message;
      if (this.#failure !== reason) logger.error({ err: error }, 'the log could not be shipped');
      this.#failure = reason;
    }
  }

  async #open(): Promise<LogShipper> {
    const { live, durable } = this.#options;
    const dataDir = live.get('data_dir');
    const { signal } = this.#stop;
    this.#place ??= await openLogPlace({
      place: live.get('snapshot.ship_log'),
      region: live.get('snapshot.ship_region'),
      dataDir,
      signal: this.#leave.signal,
    });
    const pace = new Pace({
      bytesPerSecond: () => live.get('snapshot.max_bytes_per_sec'),
      now: () => performance.now(),
      pause: (ms, stop) => pause(ms, undefined, { signal: stop }).catch(() => {}),
    });
    return new LogShipper({
      dataDir,
      store: this.#place.store,
      durable,
      nowMs: Date.now,
      pace: (bytes) => pace.take(bytes, signal),
      baseMs: DAY_MS,
      baseLogBytes: BASE_LOG_BYTES,
      keepMs: () => live.get('snapshot.ship_keep_hours') * HOUR_MS,
      heldBytes: () => live.get('snapshot.ship_held_bytes'),
    });
  }
}

/** Undefined where no place is configured. Throws what is wrong with it. */
export function shippingOf(options: ShippingOptions): Shipping | undefined {
  const place = options.live.get('snapshot.ship_log');
  if (place === '') return undefined;
  if (options.live.get('cluster.enabled')) {
    throw new Error(
      '[snapshot.ship_log] is given with [cluster.enabled]: in cluster mode there is no log, the cluster replicates',
    );
  }
  checkLogPlace(place, '[snapshot.ship_log]');
  return new Shipping(options);
}
