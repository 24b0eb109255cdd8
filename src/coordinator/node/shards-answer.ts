// The `_shards` member of administration responses: the number of shards of an operation.
import type { ShardsAnswer } from '../../backend/index.js';
import type { IndexEntry } from '../catalog/catalog.js';
import { replicasOf } from '../catalog/index-shards.js';

/** Replicas do not exist, but count in the total, as on a single node of Elasticsearch. */
export function shardsAnswer(entries: readonly IndexEntry[], failed = 0): ShardsAnswer {
  const successful = entries.reduce((sum, { shards }) => sum + shards, 0);
  const total = entries.reduce((sum, entry) => sum + entry.shards * (1 + replicasOf(entry)), 0);
  return { total, successful: successful - failed, failed };
}
