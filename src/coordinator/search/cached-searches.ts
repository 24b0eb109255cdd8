// Searches behind the request cache of their thread.
import type { PreparedSearch, SearchRequest } from '../../backend/index.js';
import type { LiveConfig } from '../../ops/live-config.js';
import type { Catalog } from '../catalog/catalog.js';
import type { EngineUse } from '../shards/engine-use.js';
import { searchTargets } from '../shards/search-targets.js';
import { WriteMarks } from '../shards/write-marks.js';
import { RequestCache } from './request-cache.js';

export interface CachedSearchesOptions {
  readonly catalog: Catalog;
  readonly live: LiveConfig;
  readonly engineUse: Pick<EngineUse, 'marks' | 'published'>;
  readonly prepare: (request: SearchRequest) => PreparedSearch;
}

export class CachedSearches {
  readonly #options: CachedSearchesOptions;
  readonly cache: RequestCache;

  constructor(options: CachedSearchesOptions) {
    this.#options = options;
    const { catalog, live, engineUse } = options;
    const written = new WriteMarks(engineUse.marks);
    const published = new WriteMarks(engineUse.published);
    this.cache = new RequestCache({
      markOf: (index) => `${written.of(index)} ${published.of(index)}`,
      entryOf: (index) => catalog.byNumber(index),
      configVersion: () => live.version,
      maxBytes: () => live.get('cache.request_bytes'),
    });
  }

  /** Nothing is compiled as long as the result comes from the cache. */
  prepare(request: SearchRequest): PreparedSearch {
    const { catalog, live, prepare } = this.#options;
    if (request.body['size'] !== 0) return prepare(request);
    const versionNow = (): number => catalog.version + live.version;
    const version = versionNow();
    const groups = searchTargets(catalog, request.index, request);
    const key = this.cache.keyOf(request, groups);
    if (key === undefined) return prepare(request);
    // A kept search has no client.
    const requested = { ...request, waiter: undefined, hitsJson: false };
    let prepared: PreparedSearch | undefined;
    return {
      isCurrent: () => versionNow() === version && prepared?.isCurrent() !== false,
      run: (waiter) =>
        this.cache.through(key, () => {
          prepared ??= prepare(requested);
          return prepared.run(waiter);
        }),
    };
  }
}
