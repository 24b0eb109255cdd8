// The parameters of one clause: typed readers, and the rejection of parameters that no reader has
// requested.

import type { Json, JsonObject } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import type { Scalar } from '../wire/plan-writer.js';
import { checkRepeated } from './list-limits.js';
import { MAX_LIST_DEPTH } from './ranking.js';
import {
  illegal,
  isArray,
  isObject,
  malformed,
  printed,
  shortened,
  toFlag,
  toFloat,
  toInteger,
  tokenName,
  toScalar,
  toText,
} from './values.js';

/** The parameters that every clause has. */
export interface ClauseBase {
  readonly boost: number;
  /** The clause's `_name`; empty if it has none. */
  readonly name: string;
}

const PLAIN: ClauseBase = { boost: 1, name: '' };

/**
 * Reads the parameters of one clause. finish() rejects those that were not read; call it before the
 * checks for missing parameters.
 */
export class Params {
  readonly clause: string;
  readonly #body: JsonObject;
  readonly #what: 'query' | 'retriever';
  /** Names that were read, about a dozen at most; may hold duplicates. */
  readonly #known: string[] = [];

  /** The clause is in its short form, `{field: scalar}`, and has only the main parameter. */
  readonly isShort: boolean;

  constructor(
    clause: string,
    body: JsonObject,
    what: 'query' | 'retriever' = 'query',
    isShort = false,
  ) {
    this.clause = clause;
    this.#body = body;
    this.#what = what;
    this.isShort = isShort;
  }

  /** Reads the body of a clause whose parameters are not below a field name. */
  static of(clause: string, body: Json): Params {
    if (isObject(body)) return new Params(clause, body);
    throw malformed(`[${clause}] query malformed, no start_object after query name`);
  }

  /** Returns the JSON value; undefined if it is absent. */
  raw(name: string): Json | undefined {
    this.#known.push(name);
    return Object.hasOwn(this.#body, name) ? this.#body[name] : undefined;
  }
  /** For a parameter with several names: returns the value of the last name that is given. */
  rawOf(...names: readonly string[]): Json | undefined {
    let found: Json | undefined;
    for (const name of names) {
      const value = this.raw(name);
      if (value !== undefined) found = value;
    }
    return found;
  }
  /** Null counts as a scalar. */
  scalar(...names: readonly string[]): Scalar | undefined {
    const value = this.rawOf(...names);
    if (value === undefined) return undefined;
    const scalar = toScalar(value);
    if (scalar === undefined) throw this.unknownToken(names[0] ?? '', value);
    return scalar;
  }
  text(name: string): string | undefined {
    const value = this.#value(name);
    return value === undefined ? undefined : toText(value);
  }
  /**
   * Returns the name of the analyzer for the clause's text; empty if absent, which means the
   * field's analyzer.
   */
  analyzer(name = 'analyzer'): string {
    const analyzer = this.text(name);
    if (analyzer !== '') return analyzer ?? '';
    throw new QuarryError('query_shard_exception', `[${this.clause}] ${name} [] not found`);
  }
  flag(name: string): boolean | undefined {
    const value = this.#value(name);
    return value === undefined ? undefined : toFlag(value, this.#named(name));
  }
  integer(name: string, least = 0): number | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    const number = toInteger(value, this.#named(name));
    if (number >= least) return number;
    throw illegal(`[${this.clause}] requires [${name}] to be at least ${least}, got [${number}]`);
  }
  /** Reads the maximum length of a ranked list. */
  depth(name: string): number | undefined {
    const depth = this.integer(name, 1);
    if (depth === undefined || depth <= MAX_LIST_DEPTH) return depth;
    throw illegal(`[${this.clause}] [${name}] cannot exceed [${MAX_LIST_DEPTH}], got [${depth}]`);
  }
  float(name: string): number | undefined {
    const value = this.#value(name);
    return value === undefined ? undefined : toFloat(value, this.#named(name));
  }
  /** Reads the factor by which the scores of the other clauses are added to the best score. */
  tieBreaker(): number | undefined {
    const share = this.float('tie_breaker');
    if (share === undefined || (share >= 0 && share <= 1)) return share;
    throw illegal(`[${this.clause}] tieBreakerMultiplier must be in [0, 1], got [${share}]`);
  }
  /** Reads one of `choices`, case-insensitively. */
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === printed(value).toLowerCase());
    if (found !== undefined) return found;
    throw illegal(
      `[${this.clause}] unknown value [${printed(value)}] of [${name}], expected one of [${choices.join(', ')}]`,
    );
  }
  /** Reads a query or an array of queries. */
  queries(name: string): readonly Json[] {
    const value = this.raw(name);
    if (value === undefined) return [];
    if (isArray(value)) return value;
    if (isObject(value)) return [value];
    throw malformed(
      `[${this.clause}] [${name}] must be a query or an array of queries, found [${tokenName(value)}]`,
    );
  }
  /** Accepts a boolean parameter of which only the default `value` is supported. */
  only(name: string, value: boolean): void {
    if ((this.flag(name) ?? value) === value) return;
    throw malformed(`[${this.clause}] [${name}: ${!value}] is not supported by this server`);
  }

  /**
   * Like base(), for clauses whose `_name` must be a string; base() also accepts numbers and
   * booleans.
   */
  namedBase(): ClauseBase {
    const name = this.#value('_name');
    if (name === undefined || name === null || typeof name === 'string') return this.base();
    throw malformed(
      `[${this.clause}] _name doesn't support values of type: ${tokenName(name)}, name the query with a text`,
    );
  }
  base(): ClauseBase {
    if (this.isShort) return PLAIN;
    const boost = this.float('boost') ?? 1;
    if (boost < 0) {
      throw illegal(
        `negative [boost] are not allowed in [${this.clause}], got [${boost}], use a value between 0 and 1 to deboost`,
      );
    }
    const name = this.text('_name');
    if (name === '') {
      throw illegal(`[_name] of [${this.clause}] is empty, name the query or leave it out`);
    }
    // Nearly no clause has a name, and a body may have ten thousand clauses.
    if (name === undefined) return { boost, name: '' };
    return { boost, name: checkRepeated(`[_name] of [${this.clause}]`, name) };
  }

  finish(): void {
    if (this.isShort) return;
    const unknown = Object.keys(this.#body).find((name) => !this.#known.includes(name));
    if (unknown !== undefined) throw this.unsupported(unknown);
  }

  /** The names that were read, without duplicates. */
  protected known(): readonly string[] {
    return [...new Set(this.#known)];
  }
  unsupported(name: string): Error {
    return malformed(`[${this.clause}] ${this.#what} does not support [${shortened(name)}]`);
  }
  unknownToken(name: string, value: Json): Error {
    return malformed(`[${this.clause}] unknown token [${tokenName(value)}] after [${name}]`);
  }

  #value(name: string): Json | undefined {
    const value = this.raw(name);
    if (value === null || typeof value === 'object') throw this.unknownToken(name, value);
    return value;
  }
  #named(name: string): string {
    return `[${name}] of [${this.clause}]`;
  }
}

/** Returns the only field of a clause in the form `{clause: {field: …}}` and the value there. */
export function fieldAndValue(clause: string, body: Json): { field: string; value: Json } {
  if (!isObject(body)) {
    throw malformed(`[${clause}] query malformed, no start_object after query name`);
  }
  const [first, second] = Object.entries(body);
  if (first === undefined || first[0] === '') {
    throw illegal(`[${clause}] field name is null or empty`);
  }
  if (second !== undefined) {
    throw malformed(
      `[${clause}] query doesn't support multiple fields, found [${first[0]}] and [${second[0]}]`,
    );
  }
  return { field: first[0], value: first[1] };
}

/**
 * Reads the long form `{field: {…}}`, or the short form `{field: scalar}` as the one parameter
 * `shortName`.
 */
export function fieldParams(
  clause: string,
  body: Json,
  shortName: string,
): { field: string; params: Params } {
  const { field, value } = fieldAndValue(clause, body);
  if (isObject(value)) return { field, params: new Params(clause, value) };
  if (Array.isArray(value)) {
    throw malformed(`[${clause}] unknown token [START_ARRAY] after [${field}]`);
  }
  return { field, params: new Params(clause, { [shortName]: value }, 'query', true) };
}
