// What clauses, sort keys and aggregations by place have in common. Points, boxes and polygons are
// sent to the core as the JSON of the request: it has all the forms of points in documents.
import type { Json, JsonObject } from '../../backend/index.js';
import { printExact } from '../../base/exact-json.js';
import type { Scalar } from '../../wire/plan-writer.js';
import type { ClauseBase, Params } from '../params.js';
import { illegal, isObject, malformed, toScalar } from '../values.js';

/** In the order of their numbers in a plan. */
const VALIDATIONS = ['strict', 'ignore_malformed', 'coerce'] as const;
const DISTANCE_TYPES = ['arc', 'plane'] as const;

/** The parameters that the clauses by place share. */
export interface GeoShape extends ClauseBase {
  readonly field: string;
  /** JSON. */
  readonly shape: string;
  readonly validation: number;
  readonly ignoreUnmapped: boolean;
}

export function readValidation(params: Params): number {
  return VALIDATIONS.indexOf(params.choice('validation_method', VALIDATIONS) ?? 'strict');
}

/** Whether distances are those of a plane map. */
export function readPlane(params: Params): boolean {
  return params.choice('distance_type', DISTANCE_TYPES) === 'plane';
}

/** A value that may be a number, a date or a point: objects and arrays are sent as their JSON. */
export function originScalar(value: Json): Scalar {
  return toScalar(value) ?? { kind: 'string', text: printExact(value) };
}

/**
 * The one member of a body that is no parameter: its name is a field. `{"f.lat": 1, "f.lon": 2}` is the
 * point of `f`.
 */
export function fieldMember(
  what: string,
  body: JsonObject,
  parameters: readonly string[],
): readonly [field: string, value: Json] {
  const members = Object.entries(body).filter(([name]) => !parameters.includes(name));
  const [first, second] = members;
  if (first === undefined || first[0] === '') {
    throw illegal(`[${what}] names no field, give the points below the name of a geo_point field`);
  }
  if (second === undefined) return first;
  const lat = members.find(([name]) => name.endsWith('.lat'));
  const field = lat?.[0].slice(0, -'.lat'.length) ?? '';
  const lon = members.find(([name]) => name === `${field}.lon`);
  if (lat !== undefined && lon !== undefined && members.length === 2) {
    return [field, { lat: lat[1], lon: lon[1] }];
  }
  throw malformed(`failed to parse [${what}] query. unexpected field [${second[0]}]`);
}

const COMMON = ['validation_method', 'ignore_unmapped', 'boost', '_name'];

/** Reads the shared parameters; `own`: those of the clause. */
export function readShape(params: Params, body: Json, own: readonly string[] = []): GeoShape {
  const [field, value] = fieldMember(params.clause, isObject(body) ? body : {}, [
    ...COMMON,
    ...own,
  ]);
  const { boost, name } = params.namedBase();
  return {
    boost,
    name,
    field,
    shape: printExact(value),
    validation: readValidation(params),
    ignoreUnmapped: params.flag('ignore_unmapped') ?? false,
  };
}
