// The parts of a hit in addition to its id and score: `_source`, fields, versions, explanations,
// highlights.
import type { Json, JsonObject } from '../../backend/index.js';
import {
  FETCH_EXPLAIN,
  FETCH_MATCHED_QUERIES,
  FETCH_NAMED_SCORES,
  FETCH_SEQ_NO,
  FETCH_VERSION,
  FETCH_WITHOUT_VECTORS,
  type FetchSpec,
  type FieldAndFormat,
} from '../../wire/plan-writer.js';
import type { Collapse } from '../collapse.js';
import type { SearchLimits } from '../limits.js';
import { checkLength } from '../list-limits.js';
import { NumberFormats } from '../number-formats.js';
import { toFlag, validationFailed } from '../values.js';
import { parseDocvalueFields, parseFields } from './fetch-fields.js';
import { type HighlightField, parseHighlight } from './highlight.js';
import { parseScriptFields, type ScriptField } from './script-fields.js';
import { excludesVectors, parseSource, parseStoredFields } from './source-filter.js';

export interface FetchOptions {
  readonly spec: FetchSpec;
  readonly version: boolean;
  readonly seqNoPrimaryTerm: boolean;
  /** False: hits show no `_id`. */
  readonly ids: boolean;
  readonly highlight: readonly HighlightField[];
  /** Patterns of `fields` that also show unmapped fields. */
  readonly unmapped: readonly string[];
  readonly scriptFields: readonly ScriptField[];
  /** The formats of `docvalue_fields`. */
  readonly numberFormats: NumberFormats;
}

/** `named`: some clause has a `_name`. */
export function readShown(
  body: JsonObject,
  named: boolean,
  limits: SearchLimits,
  collapse: Collapse | undefined,
): FetchOptions {
  const stored =
    body['stored_fields'] === undefined ? undefined : parseStoredFields(body['stored_fields']);
  const { script_fields: computed } = body;
  const scriptFields = computed === undefined ? [] : parseScriptFields(computed, limits);
  const source =
    body['_source'] === undefined
      ? (stored?.source ?? scriptFields.length === 0)
      : parseSource(body['_source']);
  const version = readFlag(body, 'version');
  if (stored?.ids === false && body['_source'] !== undefined && source !== false) {
    throw validationFailed(['[stored_fields] cannot be disabled if [_source] is requested']);
  }
  const seqNoPrimaryTerm = readFlag(body, 'seq_no_primary_term');
  const flags =
    (version ? FETCH_VERSION : 0) |
    (seqNoPrimaryTerm ? FETCH_SEQ_NO : 0) |
    (readFlag(body, 'explain') ? FETCH_EXPLAIN : 0) |
    (named ? FETCH_MATCHED_QUERIES : 0) |
    (readFlag(body, 'include_named_queries_score') ? FETCH_NAMED_SCORES : 0) |
    (excludesVectors(body['_source']) ? FETCH_WITHOUT_VECTORS : 0);
  const { docvalue_fields: docvalueFields, highlight } = body;
  const fields = body['fields'] === undefined ? [] : parseFields('fields', body['fields']);
  checkLength('[fields]', fields.length, 'name fewer of them, or use patterns');
  const columns = docvalueFields === undefined ? [] : parseDocvalueFields(docvalueFields, limits);
  return {
    spec: {
      source,
      flags,
      docvalueFields: withGroups(columns, collapse),
      fields,
    },
    version,
    seqNoPrimaryTerm,
    ids: stored?.ids ?? true,
    highlight: highlight === undefined ? [] : parseHighlight(highlight, limits),
    scriptFields,
    unmapped: fields.filter(({ unmapped }) => unmapped).map(({ field }) => field),
    numberFormats: new NumberFormats(
      columns.filter(({ format }) => format !== '' && format !== 'use_field_mapping'),
      fields,
    ),
  };
}

/** A collapsed hit also shows its value of the collapse field. */
function withGroups(
  columns: readonly FieldAndFormat[],
  collapse: Collapse | undefined,
): readonly FieldAndFormat[] {
  const known = columns.some(({ field }) => field === collapse?.field);
  return collapse === undefined || known
    ? columns
    : [...columns, { field: collapse.field, format: '' }];
}

export function readFlag(body: JsonObject, key: string): boolean {
  const value: Json | undefined = body[key];
  return value !== undefined && toFlag(value, `[${key}]`);
}
