// Default parameters of field definitions, for `include_defaults` of field mappings.

import type { JsonObject } from '../../backend/index.js';
import { asText } from '../../base/json-text.js';

const INDEXED: JsonObject = { index: true, store: false, meta: {} };
const COLUMN: JsonObject = { ...INDEXED, doc_values: true };
const NUMBER: JsonObject = { ...COLUMN, ignore_malformed: false, coerce: true, null_value: null };

const TEXT: JsonObject = {
  ...INDEXED,
  analyzer: 'default',
  eager_global_ordinals: false,
  fielddata: false,
  index_options: 'positions',
  index_phrases: false,
  index_prefixes: null,
  norms: true,
  position_increment_gap: 100,
  similarity: 'BM25',
  term_vector: 'no',
};

const DEFAULTS: Readonly<Record<string, JsonObject>> = {
  text: TEXT,
  semantic_text: { ...TEXT, index_options: { type: 'hnsw', m: 16, ef_construction: 100 } },
  keyword: {
    ...COLUMN,
    eager_global_ordinals: false,
    ignore_above: 2_147_483_647,
    index_options: 'docs',
    normalizer: null,
    norms: false,
    null_value: null,
    similarity: null,
    split_queries_on_whitespace: false,
  },
  long: NUMBER,
  integer: NUMBER,
  short: NUMBER,
  byte: NUMBER,
  double: NUMBER,
  float: NUMBER,
  half_float: NUMBER,
  scaled_float: NUMBER,
  unsigned_long: { ...COLUMN, ignore_malformed: false, null_value: null },
  date: {
    ...COLUMN,
    format: 'strict_date_optional_time||epoch_millis',
    ignore_malformed: false,
    locale: 'en',
    null_value: null,
  },
  boolean: { ...COLUMN, ignore_malformed: false, null_value: null },
  ip: { ...COLUMN, ignore_malformed: false, null_value: null },
  binary: { doc_values: false, meta: {}, store: false },
};

/**
 * `field` and its multi-fields with the defaults of their types. The search analyzer defaults to
 * the index analyzer.
 */
export function withDefaults(field: JsonObject): JsonObject {
  const inner = Object.entries((field['fields'] ?? {}) as Readonly<Record<string, JsonObject>>);
  const fields = inner.map(([name, one]) => [name, withDefaults(one)] as const);
  const all: JsonObject = {
    ...DEFAULTS[asText(field['type'])],
    ...field,
    ...(fields.length === 0 ? {} : { fields: Object.fromEntries(fields) }),
  };
  if (field['type'] !== 'text' && field['type'] !== 'semantic_text') return all;
  const search = field['search_analyzer'] ?? all['analyzer'] ?? 'default';
  return { search_analyzer: search, search_quote_analyzer: search, ...all };
}
