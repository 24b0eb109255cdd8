// Features of Elasticsearch and OpenSearch that this server lacks. They are rejected by name, never
// ignored.
import type { Json, JsonObject } from '../backend/index.js';
import { isArray, malformed, tokenName } from './values.js';

/** Rejected as "not supported", so that the error does not suggest a misspelled name. */
export const UNSUPPORTED_CLAUSES: ReadonlySet<string> = new Set([
  'common',
  'field_masking_span',
  'geo_grid',
  'geo_shape',
  'has_child',
  'has_parent',
  'intervals',
  'neural',
  'neural_sparse',
  'parent_id',
  'percolate',
  'pinned',
  'rule',
  'rule_query',
  'shape',
  'span_containing',
  'span_field_masking',
  'span_first',
  'span_multi',
  'span_near',
  'span_not',
  'span_or',
  'span_term',
  'span_within',
  'sparse_vector',
  'template',
  'text_expansion',
  'weighted_tokens',
  'xy_shape',
]);

/**
 * Body keys of Elasticsearch that change the response. `whenEmpty`: how an empty value is treated.
 */
const UNSUPPORTED_KEYS: Readonly<Record<string, { readonly whenEmpty: 'ignored' | 'refused' }>> = {
  derived: { whenEmpty: 'ignored' },
  ext: { whenEmpty: 'ignored' },
  rank: { whenEmpty: 'refused' },
  runtime_mappings: { whenEmpty: 'ignored' },
  search_pipeline: { whenEmpty: 'refused' },
  sub_searches: { whenEmpty: 'refused' },
  suggest: { whenEmpty: 'ignored' },
};

/** Rejects unsupported keys. Keys that no version of Elasticsearch has are ignored. */
export function checkKeys(body: JsonObject): void {
  for (const [key, value] of Object.entries(body)) {
    const row = Object.hasOwn(UNSUPPORTED_KEYS, key) ? UNSUPPORTED_KEYS[key] : undefined;
    if (row === undefined || (row.whenEmpty === 'ignored' && isEmpty(value))) continue;
    throw malformed(`[${key}] is not supported by this server, leave it out`);
  }
  checkGroups(body['stats']);
}

/**
 * Checks `stats`, the names of Elasticsearch's search statistics groups; they do not change the
 * response.
 */
function checkGroups(stats: Json | undefined): void {
  if (stats === undefined) return;
  const wrong = isArray(stats) ? stats.find((name) => typeof name !== 'string') : stats;
  if (wrong === undefined) return;
  throw malformed(`[stats] takes a list of names, found [${tokenName(wrong)}]`);
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
