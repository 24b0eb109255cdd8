// Follows a shipped log: lays a data folder out for each newer moment, and fetches only what is new.
import { rm } from 'node:fs/promises';
import { FileCache } from './file-cache.js';
import { LogRepository } from './marks.js';
import { type LogPlace, type LogPlaceOptions, openLogPlace } from './place.js';
import { historyOf, type RestoredLog, restoreLog } from './restored-log.js';

export type FollowerOptions = Pick<LogPlaceOptions, 'place' | 'region'> & {
  /** Where files are kept between two moments, on the file system of the data folders. */
  readonly cacheDir: string;
  /** Which history, where there are several. */
  readonly id: string | undefined;
};

export class LogFollower {
  readonly #place: LogPlace;
  readonly #options: FollowerOptions;
  readonly #cache: FileCache;
  #last: RestoredLog | undefined;

  private constructor(place: LogPlace, options: FollowerOptions) {
    this.#place = place;
    this.#options = options;
    this.#cache = new FileCache(options.cacheDir);
  }

  static async open(options: FollowerOptions): Promise<LogFollower> {
    const { signal } = new AbortController();
    const place = await openLogPlace({ ...options, dataDir: options.cacheDir, signal });
    return new LogFollower(place, options);
  }

  /** Lays the newest moment out in a folder; undefined if there is none newer than the last one. */
  async next(dataDir: string): Promise<RestoredLog | undefined> {
    const { store } = this.#place;
    const id = this.#last?.id ?? (await historyOf({ store, id: this.#options.id })).id;
    const newest = (await new LogRepository(store, id).marks()).at(-1);
    if (this.#last !== undefined && newest === this.#last.mark) return undefined;
    await rm(dataDir, { recursive: true, force: true });
    const cache = this.#cache;
    const options = { store, dataDir, time: undefined, id, cache, onProgress: () => {} };
    this.#last = await restoreLog(options);
    return this.#last;
  }

  close(): Promise<void> {
    return this.#place.close();
  }
}
