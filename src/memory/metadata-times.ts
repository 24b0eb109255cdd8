// Compares times in metadata as instants. A member whose first value was a date is mapped as a
// keyword with a date subfield, and clauses that contain times are redirected to that subfield.
import type { Json, JsonObject } from '../backend/index.js';
import { illegal } from '../graph/names.js';
import { shown } from '../graph/times.js';
import { isObject } from './body-fields.js';

/** The name of the date subfield. */
const MOMENT = 'moment';

/** Part of the mapping of namespaces; a value that is no date is indexed as a keyword only. */
export const TIME_FIELDS: JsonObject = {
  [MOMENT]: { type: 'date', format: 'strict_date_optional_time', ignore_malformed: true },
};

const PREFIX = 'metadata.';
const DATE_MATH = /^now(?:[+\-/]|$)|^\d{4}-\d\d.*\|\|/;
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]|$)/;
/** The year or the month of a date. */
const PART_OF_DATE = /^\d{4}(?:-\d\d)?$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;
const BOUNDS = ['gt', 'gte', 'lt', 'lte', 'from', 'to'];
/** Keys whose value is a clause or a list of clauses. */
const HOLDERS = new Set(
  'query filter must should must_not queries positive negative organic functions'.split(' '),
);

/**
 * The filter with its time clauses redirected to the subfields. Throws illegal_argument_exception
 * for times that cannot be compared.
 */
export function withMoments(filter: JsonObject, mappings: JsonObject): JsonObject {
  return rewritten(filter, mappings) as JsonObject;
}

function rewritten(clause: Json, mappings: JsonObject): Json {
  if (Array.isArray(clause)) {
    return (clause as readonly Json[]).map((one) => rewritten(one, mappings));
  }
  if (!isObject(clause)) return clause;
  return Object.fromEntries(
    Object.entries(clause).map(([kind, body]): [string, Json] => {
      if (kind === 'range') return [kind, rangeOf(body, mappings)];
      if (kind === 'term' || kind === 'terms') return [kind, termsOf(body, mappings)];
      if (HOLDERS.has(kind)) return [kind, rewritten(body, mappings)];
      return [kind, isObject(body) ? holderOf(body, mappings) : body];
    }),
  );
}

function holderOf(body: JsonObject, mappings: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]): [string, Json] => [
      key,
      HOLDERS.has(key) ? rewritten(value, mappings) : value,
    ]),
  );
}

function rangeOf(body: Json, mappings: JsonObject): Json {
  if (!isObject(body)) return body;
  return onFields(body, mappings, (name, value, field) => {
    if (!isObject(value)) return name;
    const bounds = BOUNDS.map((key) => value[key] ?? null).filter((bound) => bound !== null);
    const time = bounds.find((bound) => typeof bound === 'string' && isTime(bound));
    if (hasMoments(field)) {
      const all = bounds.every((bound) => typeof bound === 'number' || isTimeOrPart(bound));
      return all && bounds.length > 0 ? `${name}.${MOMENT}` : name;
    }
    if (time !== undefined) throw incomparable(name, time, field);
    return name;
  });
}

/** Instants are equal whatever their offsets; other strings are compared literally. */
function termsOf(body: Json, mappings: JsonObject): Json {
  if (!isObject(body)) return body;
  return onFields(body, mappings, (name, value, field) => {
    if (!hasMoments(field)) return name;
    const inner = isObject(value) && 'value' in value ? value['value'] : value;
    const values = Array.isArray(inner) ? (inner as readonly Json[]) : [inner];
    const all = values.every((one) => typeof one === 'string' && INSTANT.test(one));
    return all && values.length > 0 ? `${name}.${MOMENT}` : name;
  });
}

/** The body with mapped members of metadata renamed by `nameOf`. */
function onFields(
  body: JsonObject,
  mappings: JsonObject,
  nameOf: (name: string, value: Json | undefined, field: JsonObject) => string,
): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]): [string, Json] => {
      const field = name.startsWith(PREFIX) ? fieldAt(mappings, name) : undefined;
      return [field === undefined ? name : nameOf(name, value, field), value];
    }),
  );
}

function fieldAt(mappings: JsonObject, path: string): JsonObject | undefined {
  let field: Json | undefined = mappings;
  for (const name of path.split('.')) {
    const properties: Json | undefined = isObject(field) ? field['properties'] : undefined;
    field = isObject(properties) ? properties[name] : undefined;
  }
  return isObject(field) && typeof field['type'] === 'string' ? field : undefined;
}

function hasMoments({ fields }: JsonObject): boolean {
  return isObject(fields) && MOMENT in fields;
}

function isTime(text: string): boolean {
  return DATE.test(text) || DATE_MATH.test(text);
}

function isTimeOrPart(value: Json): boolean {
  return typeof value === 'string' && (isTime(value) || PART_OF_DATE.test(value));
}

function incomparable(name: string, time: Json, { type }: JsonObject): Error {
  const member = `[filter] compares [${name}] with the time ${shown(time)}, and that member holds`;
  if (type === 'keyword') {
    return illegal(
      `${member} text: its first value was no date, or the namespace is older than comparisons of times; store times under a name of their own, or export the namespace and import it into a new one`,
    );
  }
  return illegal(`${member} values of type [${type}]; compare it with such values`);
}
