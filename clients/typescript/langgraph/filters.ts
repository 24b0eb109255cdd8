// Filters of LangGraph. The service leaves out most of what does not match, and every item that it
// brings is compared here, so that the answer is exact: values may be of any shape.
//
// A memory has the scalar members of its value in `metadata.strings`, `metadata.numbers` and
// `metadata.flags`, so that a name has one type in each of them, whatever items hold.
import type { JsonObject } from '../src/transport.js';

export type Filter = Readonly<Record<string, unknown>>;

const OPERATORS = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'];
const RANGES: Readonly<Record<string, string>> = { $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' };
/** Names that an index has as they are. */
const SIMPLE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** Longer strings are not indexed. */
const MAX_CHARS = 1000;
/** Members of one item that are indexed. */
const MAX_MEMBERS = 100;

/** The members of the metadata by which the service filters. */
export function scalarsOf(value: JsonObject): JsonObject {
  const found: Record<string, Record<string, unknown>> = {};
  for (const [name, one] of Object.entries(value).slice(0, MAX_MEMBERS)) {
    const kind = kindOf(one);
    if (kind === undefined || !SIMPLE.test(name)) continue;
    const members = found[kind] ?? {};
    found[kind] = members;
    members[name] = one;
  }
  return found;
}

function kindOf(value: unknown): 'strings' | 'numbers' | 'flags' | undefined {
  if (typeof value === 'string') return value.length <= MAX_CHARS ? 'strings' : undefined;
  if (typeof value === 'number') return 'numbers';
  return typeof value === 'boolean' ? 'flags' : undefined;
}

/** A clause that every matching item fulfils; undefined: every item does. */
export function clauseOf(filter: Filter | undefined): JsonObject | undefined {
  const clauses = Object.entries(filter ?? {}).flatMap(([name, condition]) =>
    SIMPLE.test(name) ? conditionsOf(condition).flatMap((one) => clausesOf(name, one)) : [],
  );
  if (clauses.length === 0) return undefined;
  // Metadata with too many names is not indexed at all; it passes, and is compared here.
  const isIndexed = { exists: { field: 'metadata.updated_at' } };
  const passes = { bool: { must_not: [isIndexed] } };
  return { bool: { should: [{ bool: { filter: clauses } }, passes] } };
}

type Condition = readonly [operator: string, operand: unknown];

function conditionsOf(condition: unknown): readonly Condition[] {
  const operators = operatorsOf(condition);
  return operators ?? [['$eq', condition]];
}

/** Undefined: the condition is a value. */
function operatorsOf(condition: unknown): readonly Condition[] | undefined {
  if (!isObject(condition)) return undefined;
  const entries = Object.entries(condition);
  if (!entries.some(([name]) => name.startsWith('$'))) return undefined;
  for (const [name] of entries) {
    if (OPERATORS.includes(name)) continue;
    throw new RangeError(`filter operator [${name}] is unknown, there are ${OPERATORS.join(', ')}`);
  }
  return entries;
}

function clausesOf(name: string, [operator, operand]: Condition): readonly JsonObject[] {
  const kind = kindOf(operand);
  if (kind === undefined) return [];
  const field = `metadata.${kind}.${name}`;
  if (operator === '$eq') return [{ term: { [field]: operand } }];
  const bound = RANGES[operator];
  return bound === undefined || kind !== 'numbers'
    ? []
    : [{ range: { [field]: { [bound]: operand } } }];
}

export function matches(value: JsonObject, filter: Filter | undefined): boolean {
  return Object.entries(filter ?? {}).every(([name, condition]) =>
    fulfils(Object.hasOwn(value, name) ? value[name] : undefined, condition),
  );
}

function fulfils(value: unknown, condition: unknown): boolean {
  const operators = operatorsOf(condition);
  if (operators !== undefined) {
    return operators.every(([operator, operand]) => compares(value, operator, operand));
  }
  if (Array.isArray(condition)) {
    const list: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
    return (
      list !== undefined &&
      list.length === condition.length &&
      list.every((one, i) => fulfils(one, condition[i]))
    );
  }
  if (isObject(condition)) return isObject(value) && matches(value, condition);
  return (value ?? null) === (condition ?? null);
}

function compares(value: unknown, operator: string, operand: unknown): boolean {
  if (operator === '$eq') return fulfils(value, operand);
  if (operator === '$ne') return !fulfils(value, operand);
  const order = orderOf(value, operand);
  if (order === undefined) return false;
  if (order === 0) return operator === '$gte' || operator === '$lte';
  return order > 0 ? operator.startsWith('$gt') : operator.startsWith('$lt');
}

/** Numbers compare as numbers, strings by their code points; others have no order. */
function orderOf(a: unknown, b: unknown): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a !== 'string' || typeof b !== 'string') return undefined;
  const [left, right] = [[...a], [...b]];
  for (const [i, char] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    const order = (char.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
