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

/** The one member of a body that is no parameter: its name is a field. */
export function fieldMember(
  what: string,
  body: JsonObject,
  parameters: readonly string[],
): readonly [field: string, value: Json] {
  const [first, second] = Object.entries(body).filter(([name]) => !parameters.includes(name));
  if (first === undefined || first[0] === '') {
    throw illegal(`[${what}] names no field, give the points below the name of a geo_point field`);
  }
  if (second === undefined) return first;
  const place = joinedPlace([first, second]);
  if (place !== undefined && Object.keys(body).every((name) => !isExtra(name, place, parameters)))
    return place;
  throw malformed(`failed to parse [${what}] query. unexpected field [${second[0]}]`);
}

function isExtra(
  name: string,
  [field]: readonly [string, Json],
  parameters: readonly string[],
): boolean {
  return !parameters.includes(name) && name !== `${field}.lat` && name !== `${field}.lon`;
}

/** `{"f.lat": 1, "f.lon": 2}` is the point of `f`. */
function joinedPlace(
  members: readonly (readonly [string, Json])[],
): readonly [string, Json] | undefined {
  const lat = members.find(([name]) => name.endsWith('.lat'));
  const lon = members.find(([name]) => name.endsWith('.lon'));
  const field = lat?.[0].slice(0, -4);
  if (lat === undefined || lon === undefined || lon[0] !== `${field}.lon`) return undefined;
  return [field ?? '', { lat: lat[1], lon: lon[1] }];
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
