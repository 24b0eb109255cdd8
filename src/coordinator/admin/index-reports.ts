// The current descriptions, statistics and damage of indexes.
import type { Access, IndexDescription, IndexStats, JsonObject } from '../../backend/index.js';
import type { Addon, NativeErrors } from '../../native/addon.js';
import type { Catalog, IndexEntry } from '../catalog/catalog.js';
import { describeEntry } from '../catalog/catalog.js';
import { DamageReport } from '../catalog/damage.js';
import { parseJson } from '../catalog/json-text.js';
import type { RequestCache } from '../search/request-cache.js';
import { readIndexStats } from './stats.js';

export interface IndexReportsOptions {
  readonly addon: Pick<Addon, 'damages' | 'describe'>;
  readonly errors: NativeErrors;
  readonly catalog: Catalog;
  readonly cache: Pick<RequestCache, 'stats'>;
  /** Resolves to the engine's statistics as JSON. */
  readonly engineStats: (index: number) => Promise<string>;
}

export class IndexReports {
  readonly #options: IndexReportsOptions;

  constructor(options: IndexReportsOptions) {
    this.#options = options;
  }

  damage(): DamageReport {
    return new DamageReport(() => this.#options.addon.damages());
  }

  /** `access`: of the client. */
  describe(entry: IndexEntry, damage = this.damage(), access?: Access): IndexDescription {
    return describeEntry(
      entry,
      () => this.mappings(entry.number),
      () => damage.of(entry.number),
      this.#options.catalog.filteredBy(entry, access),
    );
  }

  async stats(index: string): Promise<IndexStats> {
    const { entry } = this.#options.catalog.single(index);
    try {
      const engine = parseJson(await this.#options.engineStats(entry.number)) as JsonObject;
      return readIndexStats({ ...engine, ...this.#options.cache.stats(entry.number) });
    } catch (error) {
      // There are no statistics of an index without metadata; listings show the other indexes
      // nevertheless.
      if (this.damage().wholeOf(entry.number)) return readIndexStats({});
      throw error;
    }
  }

  /** Documents may have added fields since the last explicit change of the mapping. */
  mappings(index: number): JsonObject {
    const { addon, errors } = this.#options;
    try {
      const description = parseJson(addon.describe(index)) as JsonObject;
      return (description['mappings'] ?? {}) as JsonObject;
    } catch (thrown) {
      throw errors.fromThrown(thrown);
    }
  }
}
