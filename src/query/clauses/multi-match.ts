// `multi_match`: one text on several fields, combined by `type`.
import type { Json } from '../../backend/index.js';
import { plainJson } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';
import type { MatchOptions, Scalar } from '../../wire/plan-writer.js';
import { type ClauseEncoder, type ClauseKind, type ClauseParser, queryNode } from '../clause.js';
import { checkLength } from '../list-limits.js';
import { readMatchOptions, requireText } from '../match-options.js';
import { type ClauseBase, Params } from '../params.js';
import { illegal, isArray, malformed, tokenName } from '../values.js';
import { readSlop } from './match-phrase.js';

const TYPES = [
  'best_fields',
  'most_fields',
  'cross_fields',
  'phrase',
  'phrase_prefix',
  'bool_prefix',
] as const;

export type MultiMatchType = (typeof TYPES)[number];

/** In the order of their numbers in a plan. */
const PLAN_TYPES = [...TYPES, 'combined_fields'] as const;

export interface FieldAndBoost {
  /** A name, or a pattern with `*`. */
  readonly field: string;
  readonly boost: number;
}

export interface MultiMatchClause extends ClauseBase {
  readonly kind: 'multi_match';
  /** Empty: every text and keyword field. */
  readonly fields: readonly FieldAndBoost[];
  readonly text: Scalar;
  readonly type: MultiMatchType;
  /** Undefined: the default of the type. */
  readonly tieBreaker: number | undefined;
  readonly slop: number;
  readonly options: MatchOptions;
  /**
   * A phrase is searched in the field with this suffix, if it exists. Only query strings set it.
   */
  readonly quoteFieldSuffix?: string;
  /**
   * minimum_should_match if only one field, or one group of fields, has terms of the text. Only
   * query strings set it.
   */
  readonly minimumOfOneField?: string;
}

export const multiMatch: ClauseKind<MultiMatchClause> = {
  parse(body, parser) {
    const params = Params.of('multi_match', body);
    const text = params.scalar('query');
    const given = readFields('multi_match', params.raw('fields'));
    const fields = given.length > 0 ? given : defaultFields('multi_match', parser);
    const type = readType(params);
    const tieBreaker = params.tieBreaker();
    const hasSlop = params.raw('slop') !== undefined;
    const slop = readSlop(params);
    const options = readMatchOptions(params, isEveryField(fields));
    const base = params.base();
    params.finish();
    checkTogether(type, options, hasSlop);
    return {
      kind: 'multi_match',
      boost: base.boost,
      name: base.name,
      fields,
      text: asText(requireText(params, text)),
      type,
      tieBreaker,
      slop,
      options,
    };
  },
  encode: encodeMultiMatch,
};

/**
 * Fields of different types are queried with the same value: date fields parse a number as text in
 * their format.
 */
function asText(scalar: Scalar): Scalar {
  return scalar.kind === 'number' ? { ...scalar, kind: 'string' } : scalar;
}

/** The text cannot be valid for every field type, so the query is lenient by default. */
export function isEveryField(fields: readonly FieldAndBoost[]): boolean {
  return fields.length === 0 || (fields.length === 1 && fields[0]?.field === '*');
}

/** The core takes the suffix after a NUL, which no field name contains. */
function named(field: string, suffix: string): string {
  return suffix === '' ? field : `${field}\0${suffix}`;
}

/** What a plan says of a `multi_match` or a `combined_fields`. */
type PlannedMatch = Omit<MultiMatchClause, 'kind' | 'type'> & {
  readonly type: (typeof PLAN_TYPES)[number];
};

export function encodeMultiMatch(clause: PlannedMatch, encoder: ClauseEncoder): void {
  const suffix = clause.quoteFieldSuffix ?? '';
  queryNode(encoder, 'multi_match', clause, (writer) => {
    writer
      .list(clause.fields, ({ field, boost }) => writer.str(named(field, suffix)).f32(boost))
      .scalar(clause.text)
      .u8(PLAN_TYPES.indexOf(clause.type))
      .f32(clause.tieBreaker ?? Number.NaN)
      .u32(clause.slop)
      .matchOptions(clause.options)
      .str(clause.minimumOfOneField ?? '');
  });
}

function checkTogether(type: MultiMatchType, options: MatchOptions, hasSlop: boolean): void {
  const exact = type === 'cross_fields' || type === 'phrase' || type === 'phrase_prefix';
  if (options.fuzziness !== '' && exact) {
    throw malformed(`Fuzziness not allowed for type [${type}]`);
  }
  if (hasSlop && type === 'bool_prefix') throw malformed(`[slop] not allowed for type [${type}]`);
}

export function readType(params: Params): MultiMatchType {
  const text = params.text('type');
  if (text === undefined) return 'best_fields';
  const type = TYPES.find((name) => name === text.toLowerCase());
  if (type !== undefined) return type;
  throw new QuarryError(
    'parse_exception',
    `failed to parse [${params.clause}] query type [${text}]. unknown type.`,
  );
}

/**
 * Parses `"a^2"` or a list of such strings; the last boost of a name counts. Undefined: an empty
 * list.
 */
export function readFields(clause: string, fields: Json | undefined): readonly FieldAndBoost[] {
  if (fields === undefined) return [];
  const list = isArray(fields) ? fields : [fields];
  checkLength('[fields] of a query', list.length, 'use patterns such as [title*]');
  const boosts = new Map<string, number>();
  for (const entry of list) {
    const { field, boost } = readField(clause, entry);
    boosts.set(field, boost);
  }
  return Array.from(boosts, ([field, boost]) => ({ field, boost }));
}

/**
 * Returns the fields of `index.query.default_field`, which has to be the same for all searched
 * indexes. Empty: all fields.
 */
export function defaultFields(
  clause: string,
  parser: Pick<ClauseParser, 'defaults'>,
): readonly FieldAndBoost[] {
  const defaults = new Set(parser.defaults.map((one) => plainJson(one.fields)));
  if (defaults.size > 1) {
    throw illegal(
      `[${clause}] the searched indexes differ in [index.query.default_field], name [fields] or search them apart`,
    );
  }
  const fields = parser.defaults[0]?.fields ?? ['*'];
  return fields.length === 1 && fields[0] === '*' ? [] : readFields(clause, fields);
}

function readField(clause: string, entry: Json): FieldAndBoost {
  if (typeof entry !== 'string') {
    throw malformed(`[${clause}] unknown token [${tokenName(entry)}] after [fields]`);
  }
  const caret = entry.lastIndexOf('^');
  const field = caret < 0 ? entry : entry.slice(0, caret);
  if (field === '') throw illegal(`[${clause}] field name is null or empty in [fields]`);
  if (caret < 0) return { field, boost: 1 };
  const boost = Number(entry.slice(caret + 1));
  if (entry.length > caret + 1 && Number.isFinite(boost) && boost >= 0) return { field, boost };
  throw illegal(
    `[${clause}] failed to parse the boost of field [${entry}], expected a number such as [${field}^2]`,
  );
}
