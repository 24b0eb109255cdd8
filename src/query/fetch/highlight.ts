// `highlight`: the fields to highlight, and how their fragments are cut and marked. The types plain
// and fvh are treated as unified, which has the same options; their special features are supported
// there or rejected by name.
import type { Json, JsonObject } from '../../backend/index.js';
import type { PlanWriter } from '../../wire/plan-writer.js';
import type { ClauseInputs } from '../clause.js';
import { type Clause, encodeClause } from '../clauses/index.js';
import type { SemanticClause } from '../clauses/semantic.js';
import type { SearchLimits } from '../limits.js';
import { checkLength } from '../list-limits.js';
import { QueryParser } from '../parse.js';
import { isArray, isObject, malformed, tokenName } from '../values.js';
import { FIELD_ONLY, type HighlightOptions, readOptions, TOP_ONLY } from './highlight-options.js';

const ANY_FIELD = 1;
const HTML = 2;
const BY_SCORE = 4;
const PLAIN = 8;
const SCANNERS = ['sentence', 'word', 'chars'] as const;

export interface HighlightField {
  /** A name or a pattern. */
  readonly field: string;
  readonly options: HighlightOptions;
  /** Undefined: the query of the search. */
  readonly query: Clause | undefined;
  /**
   * The maximum length of a text by the limits of the searched indexes, the same for every field.
   */
  readonly longestText: number;
}

export function parseHighlight(value: Json, limits: SearchLimits): readonly HighlightField[] {
  if (!isObject(value)) throw malformed(`Unknown key for a ${tokenName(value)} in [highlight].`);
  const { fields, ...top } = value;
  const given = new Map<string, JsonObject>();
  for (const [field, own] of readFields(fields === undefined ? {} : fields)) given.set(field, own);
  checkLength('[fields] of [highlight]', given.size, 'use patterns such as [title*]');
  // Checked even if no field uses them.
  readOptions('highlight', top, TOP_ONLY, '');
  const query = top['highlight_query'];
  const shared = query === undefined ? undefined : readQuery(query, limits);
  return [...given].map(([field, own]) => {
    const options = readOptions(
      'highlight_field',
      overridden(top, own),
      [...TOP_ONLY, ...FIELD_ONLY],
      field,
    );
    const ownQuery = own['highlight_query'];
    return {
      field,
      options,
      query: ownQuery === undefined ? shared : readQuery(ownQuery, limits),
      longestText: limits.highlightOffset,
    };
  });
}

/**
 * Puts the options of a field after the common ones, as the later one of two options for tags takes
 * precedence.
 */
function overridden(top: JsonObject, own: JsonObject): JsonObject {
  const kept = Object.entries(top).filter(([key]) => !Object.hasOwn(own, key));
  return { ...Object.fromEntries(kept), ...own };
}

/** Returns the fields; those without a query of their own get `query`, if it is given. */
export function markedBy(
  fields: readonly HighlightField[],
  query: Clause | undefined,
): readonly HighlightField[] {
  if (query === undefined) return fields;
  return fields.map((field) => (field.query === undefined ? { ...field, query } : field));
}

function readQuery(value: Json, limits: SearchLimits): Clause {
  const parser = new QueryParser({ limits });
  const clause = parser.clause(value);
  const [first] = parser.allVectorClauses;
  if (first === undefined) return clause;
  throw malformed(`[${first.kind}] has no terms to highlight, [highlight_query] cannot have it`);
}

/** Parses `{"a": {…}, "b*": {…}}`, or an array of such objects with one field each. */
function readFields(value: Json): readonly (readonly [string, JsonObject])[] {
  if (isObject(value)) return Object.entries(value).map(([field, own]) => readField(field, own));
  if (!isArray(value)) {
    throw malformed(`[highlight] fields doesn't support values of type: ${tokenName(value)}`);
  }
  return value.map((entry) => {
    const [first, second] = isObject(entry) ? Object.entries(entry) : [];
    if (first === undefined || second !== undefined) {
      throw malformed(
        '[fields] can be a single object with any number of fields or an array where each entry is an object with a single field',
      );
    }
    return readField(first[0], first[1]);
  });
}

function readField(field: string, own: Json): readonly [string, JsonObject] {
  if (!isObject(own)) {
    throw malformed(
      `[highlight_field] Expected START_OBJECT but was: ${tokenName(own)} for the field [${field}]`,
    );
  }
  readOptions('highlight_field', own, [...TOP_ONLY, ...FIELD_ONLY], field);
  return [field, own];
}

/**
 * Writes the highlight node of a plan. The words of `semantic` clauses count as terms of the query.
 */
export function writeHighlight(
  writer: PlanWriter,
  fields: readonly HighlightField[],
  semantic: readonly SemanticClause[],
  known: ClauseInputs | undefined,
): void {
  writer.node('highlight', () => {
    writer.u32(fields[0]?.longestText ?? 0);
    writer.list(semantic, ({ field, text }) => writer.str(field).str(text));
    writer.list(fields, (field) => writeField(writer, field, known));
  });
}

function flagsOf({ requireFieldMatch, html, byScore, plain }: HighlightOptions): number {
  return (
    (requireFieldMatch ? 0 : ANY_FIELD) |
    (html ? HTML : 0) |
    (byScore ? BY_SCORE : 0) |
    (plain ? PLAIN : 0)
  );
}

function writeField(
  writer: PlanWriter,
  { field, options, query }: HighlightField,
  known: ClauseInputs | undefined,
): void {
  writer
    .str(field)
    .u8(flagsOf(options))
    .u32(options.fragmentSize)
    .u32(options.numberOfFragments)
    .u32(options.noMatchSize)
    .u8(SCANNERS.indexOf(options.boundaryScanner))
    .str(options.boundaryChars)
    .u32(options.boundaryMaxScan)
    .u32(options.maxAnalyzedOffset)
    .u32(options.phraseLimit)
    .str(options.preTag)
    .str(options.postTag)
    .list(options.matchedFields, (name) => writer.str(name))
    .optional(query === undefined ? undefined : () => encodeClause(query, writer, known));
}
