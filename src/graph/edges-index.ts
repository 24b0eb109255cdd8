// The mapping of the index of a brain's links: one shard, so that a hop is one task; keywords and
// numbers in columns, so that a hop reads no documents. Evidence is stored for display only.
import type { Backend, JsonObject } from '../backend/index.js';
import { QuarryError } from '../errors.js';

const KEYWORD = { type: 'keyword' };
/** Epoch milliseconds come first: otherwise four digits would be read as a year. */
const INSTANT = { type: 'date', format: 'epoch_millis||strict_date_optional_time' };
const SHARE = { type: 'double' };

const EDGE_FIELDS: JsonObject = {
  src: KEYWORD,
  dst: KEYWORD,
  type: KEYWORD,
  confidence: SHARE,
  weight: SHARE,
  // confidence * weight: the order in which links are read where there are more than the limit.
  strength: SHARE,
  detector: KEYWORD,
  asserted: { type: 'boolean' },
  valid_at: INSTANT,
  invalid_at: INSTANT,
  created_at: INSTANT,
  expired_at: INSTANT,
  evidence: {
    properties: {
      quote: { type: 'keyword', index: false, doc_values: false },
      source: KEYWORD,
      field: KEYWORD,
      offset: { type: 'long' },
      stale_at: INSTANT,
    },
  },
};

export const EDGES_BODY = bodyOf(EDGE_FIELDS);
/**
 * The mapping of suggestions: links that are proposed but not made, with the decision about each.
 */
export const SUGGESTIONS_BODY = bodyOf({ ...EDGE_FIELDS, state: KEYWORD, decided_at: INSTANT });

function bodyOf(properties: JsonObject): JsonObject {
  return { settings: { number_of_shards: 1 }, mappings: { dynamic: false, properties } };
}

/** Creates the index unless it exists; concurrent calls are safe. */
export async function ensureIndex(backend: Backend, name: string, body: JsonObject): Promise<void> {
  if (backend.exists(name, {})) return;
  try {
    await backend.createIndex(name, body);
  } catch (error) {
    const there =
      error instanceof QuarryError && error.type === 'resource_already_exists_exception';
    if (!there) throw error;
  }
}
