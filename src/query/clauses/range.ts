// `range`: values between bounds, each inclusive or exclusive. The core applies date math, formats
// and time zones.

import type { Json, JsonObject } from '../../backend/index.js';
import type { Scalar } from '../../wire/plan-writer.js';
import { type ClauseEncoder, type ClauseKind, queryNode } from '../clause.js';
import { checkRepeated } from '../list-limits.js';
import { type ClauseBase, Params } from '../params.js';
import { readTimeZone } from '../time-zone.js';
import { illegal, isObject, malformed, printed, toFlag, toScalar } from '../values.js';

export interface Bound {
  readonly value: Scalar;
  readonly inclusive: boolean;
}

export interface RangeClause extends ClauseBase {
  readonly kind: 'range';
  readonly field: string;
  readonly lower: Bound | undefined;
  readonly upper: Bound | undefined;
  readonly format: string;
  readonly timeZone: string;
  /** The relation of range fields to the range, as a bit of the plan; undefined: they intersect. */
  readonly relation?: number | undefined;
}

const GTE = 1;
const GT = 2;
const LTE = 4;
const LT = 8;
const RELATIONS: ReadonlyMap<string, number> = new Map([
  ['intersects', 0],
  ['contains', 16],
  ['within', 32],
]);

export const range: ClauseKind<RangeClause> = {
  parse(body) {
    const { field, options, outerName } = splitBody(body);
    const params = new Params('range', options);
    const base = params.base();
    const bounds = readBounds(params, options);
    const format = params.text('format') ?? '';
    const timeZone = readTimeZone(params);
    const relation = readRelation(params);
    params.finish();
    return {
      kind: 'range',
      boost: base.boost,
      name: base.name === '' ? outerName : base.name,
      field,
      lower: bounds.lower,
      upper: bounds.upper,
      format,
      timeZone,
      relation: relation === 0 ? undefined : relation,
    };
  },
  encode: encodeRange,
};

function encodeRange(clause: RangeClause, encoder: ClauseEncoder): void {
  const { lower, upper } = clause;
  const low = lower === undefined ? 0 : lower.inclusive ? GTE : GT;
  const high = upper === undefined ? 0 : upper.inclusive ? LTE : LT;
  queryNode(encoder, 'range', clause, (writer) => {
    writer.str(clause.field).u8(low | high | (clause.relation ?? 0));
    if (lower !== undefined) writer.scalar(lower.value);
    if (upper !== undefined) writer.scalar(upper.value);
    writer.str(clause.format).str(clause.timeZone);
  });
}

/** Splits the body into the field and its options. `_name` may also be given next to the field. */
function splitBody(body: Json): { field: string; options: JsonObject; outerName: string } {
  if (!isObject(body)) {
    throw malformed('[range] query malformed, no start_object after query name');
  }
  let found: { field: string; options: JsonObject } | undefined;
  for (const [field, options] of Object.entries(body)) {
    if (field === '_name' && typeof options === 'string') continue;
    if (!isObject(options)) throw malformed(`[range] query does not support [${field}]`);
    if (found !== undefined) {
      throw malformed(
        `[range] query doesn't support multiple fields, found [${found.field}] and [${field}]`,
      );
    }
    found = { field, options };
  }
  if (found === undefined || found.field === '') {
    throw illegal('[range] field name is null or empty');
  }
  const name = body['_name'];
  const { field, options } = found;
  return {
    field,
    options,
    outerName: typeof name === 'string' ? checkRepeated('[_name] of [range]', name) : '',
  };
}

/** If a bound is given twice (`gt` and `gte`), the later one applies, as in Elasticsearch. */
function readBounds(
  params: Params,
  options: JsonObject,
): { lower: Bound | undefined; upper: Bound | undefined } {
  let lower: Bound | undefined;
  let upper: Bound | undefined;
  const includeLower = legacyFlag(params, 'include_lower');
  const includeUpper = legacyFlag(params, 'include_upper');
  for (const name of Object.keys(options)) {
    if (name === 'gte' || name === 'gt' || name === 'from') {
      const inclusive = name === 'from' ? includeLower : name === 'gte';
      lower = readBound(params, name, inclusive);
    } else if (name === 'lte' || name === 'lt' || name === 'to') {
      const inclusive = name === 'to' ? includeUpper : name === 'lte';
      upper = readBound(params, name, inclusive);
    }
  }
  return { lower, upper };
}

function legacyFlag(params: Params, name: string): boolean {
  const value = params.raw(name);
  return value === undefined || toFlag(value, `[${name}] of [range]`);
}

/** Null: the range is open on that side. */
function readBound(params: Params, name: string, inclusive: boolean): Bound | undefined {
  const value = params.raw(name) ?? null;
  const scalar = toScalar(value);
  if (scalar === undefined) throw params.unknownToken(name, value);
  return scalar.kind === 'null' ? undefined : { value: scalar, inclusive };
}

/** The relations make no difference for fields with single values. */
function readRelation(params: Params): number {
  const relation = params.raw('relation');
  if (relation === undefined) return 0;
  const name = printed(relation).toLowerCase();
  const bit = RELATIONS.get(name);
  if (bit === undefined) throw illegal(`[range] query does not support relation [${name}]`);
  return bit;
}
