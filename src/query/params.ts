// The parameters of one clause: typed readers, and the refusal of whatever no reader asked for.
import type { Json, JsonObject } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import type { Scalar } from '../wire/plan-writer.js';
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

/** What every clause has. */
export interface ClauseBase {
  readonly boost: number;
  /** `_name`, empty when the clause has none. */
  readonly name: string;
}

const PLAIN: ClauseBase = { boost: 1, name: '' };

/** Reads each parameter once; finish() refuses the others, and comes before checks of what is missing. */
export class Params {
  readonly clause: string;
  readonly #body: JsonObject;
  readonly #what: 'query' | 'retriever';
  /** Some dozen at most; one may be asked for twice. */
  readonly #known: string[] = [];

  /** Of the short form: there is one parameter, the main one. */
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

  /** The body of a clause whose parameters are not below a field name. */
  static of(clause: string, body: Json): Params {
    if (isObject(body)) return new Params(clause, body);
    throw malformed(`[${clause}] query malformed, no start_object after query name`);
  }

  /** As it is; undefined when absent. */
  raw(name: string): Json | undefined {
    this.#known.push(name);
    return Object.hasOwn(this.#body, name) ? this.#body[name] : undefined;
  }
  /** Of several names of one parameter, the value of the last one given. */
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
  /** Of a text; empty when absent: the field's. */
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
  /** How many hits a list has at most. */
  depth(name: string): number | undefined {
    const depth = this.integer(name, 1);
    if (depth === undefined || depth <= MAX_LIST_DEPTH) return depth;
    throw illegal(`[${this.clause}] [${name}] cannot exceed [${MAX_LIST_DEPTH}], got [${depth}]`);
  }
  float(name: string): number | undefined {
    const value = this.#value(name);
    return value === undefined ? undefined : toFloat(value, this.#named(name));
  }
  /** The share of the other clauses' scores that the best one's gets on top. */
  tieBreaker(): number | undefined {
    const share = this.float('tie_breaker');
    if (share === undefined || (share >= 0 && share <= 1)) return share;
    throw illegal(`[${this.clause}] tieBreakerMultiplier must be in [0, 1], got [${share}]`);
  }
  /** One of a few words, in any case. */
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === printed(value).toLowerCase());
    if (found !== undefined) return found;
    throw illegal(
      `[${this.clause}] unknown value [${printed(value)}] of [${name}], expected one of [${choices.join(', ')}]`,
    );
  }
  /** A query or an array of queries. */
  queries(name: string): readonly Json[] {
    const value = this.raw(name);
    if (value === undefined) return [];
    if (isArray(value)) return value;
    if (isObject(value)) return [value];
    throw malformed(
      `[${this.clause}] [${name}] must be a query or an array of queries, found [${tokenName(value)}]`,
    );
  }
  /** A parameter of which only the value that changes nothing is supported. */
  only(name: string, value: boolean): void {
    if ((this.flag(name) ?? value) === value) return;
    throw malformed(`[${this.clause}] [${name}: ${!value}] is not supported by this server`);
  }

  /** Of a clause whose `_name` has to be a text: others take numbers and booleans by their spelling. */
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
    return { boost, name: name ?? '' };
  }

  finish(): void {
    if (this.isShort) return;
    const unknown = Object.keys(this.#body).find((name) => !this.#known.includes(name));
    if (unknown !== undefined) throw this.unsupported(unknown);
  }

  /** Names that were asked for. */
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

/** The one field of a clause of the form `{clause: {field: …}}` and what stands there. */
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

/** Long form `{field: {…}}` to its parameters, short form `{field: scalar}` to one named `shortName`. */
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
