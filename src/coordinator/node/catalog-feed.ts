// What threads that read from the same engine follow of the backend on the main thread.

import type { IndexAdmin } from '../admin/index-admin.js';
import type { Catalog, CatalogChange } from '../catalog/catalog.js';

/** The state of this engine except for its documents. */
export interface CatalogFeed {
  /** `reported` is called for every change of an index, before a response can depend on it. */
  readonly watch: (reported: (change: CatalogChange) => void) => void;
  /** Resolves when the changes that are in progress now have been reported. */
  readonly settled: () => Promise<void>;
  /** Numbers of all indexes. */
  readonly indexes: () => readonly number[];
}

export function followedOf(catalog: Catalog, admin: Pick<IndexAdmin, 'alone'>): CatalogFeed {
  return {
    watch: (reported) => catalog.watch(reported),
    settled: () => admin.alone(async () => {}),
    indexes: () => [...catalog.indexes()].map(({ number }) => number),
  };
}
