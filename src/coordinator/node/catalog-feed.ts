// What threads that read from the same engine follow of the backend on the main thread.

import type { IndexAdmin } from '../admin/index-admin.js';
import type { Catalog, CatalogChange } from '../catalog/catalog.js';
import type { Searches } from '../search/searches.js';
import type { OpenIndex } from '../shards/quick-searches.js';

/** The state of this engine beside its documents. */
export interface CatalogFeed {
  /** `told` of every change of an index, before anybody can be answered by it. */
  readonly watch: (reported: (change: CatalogChange) => void) => void;
  /** When the changes that are on their way now were told of. */
  readonly settled: () => Promise<void>;
  /** Numbers of all indexes. */
  readonly indexes: () => readonly number[];
  /** Those that searches have used of late. */
  readonly open: () => readonly OpenIndex[];
  /** How many documents an index holds; may take a while. */
  readonly documents: (index: number) => Promise<number>;
}

export function followedOf(
  catalog: Catalog,
  admin: Pick<IndexAdmin, 'alone'>,
  searches: Searches,
): CatalogFeed {
  return {
    watch: (reported) => catalog.watch(reported),
    settled: () => admin.alone(async () => {}),
    indexes: () => [...catalog.indexes()].map(({ number }) => number),
    open: () => searches.open,
    documents: (index) => searches.documents(index),
  };
}
