// The index of a brain's links: one shard, so that a hop is one task; keywords and numbers by column, so that a hop reads
// no documents; evidence is kept for showing only.
import type { Backend, JsonObject } from '../backend/index.js';
import { QuarryError } from '../errors.js';

const KEYWORD = { type: 'keyword' };
/** Milliseconds first: four digits would be a year otherwise. */
const INSTANT = { type: 'date', format: 'epoch_millis||strict_date_optional_time' };
const SHARE = { type: 'double' };

const EDGE_FIELDS: JsonObject = {
  src: KEYWORD,
  dst: KEYWORD,
  type: KEYWORD,
  confidence: SHARE,
  weight: SHARE,
  // confidence * weight: which links are read where there are more than anybody reads.
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
/** Proposals are links that are not made yet, and what was decided about them. */
export const SUGGESTIONS_BODY = bodyOf({ ...EDGE_FIELDS, state: KEYWORD, decided_at: INSTANT });

function bodyOf(properties: JsonObject): JsonObject {
  return { settings: { number_of_shards: 1 }, mappings: { dynamic: false, properties } };
}

/** Makes sure that it is there; several may try at once. */
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
