// Query DSL to a checked clause tree: one clause per wrapper object, limits on depth and number, unknown names refused.
import type { Json } from '../backend.js';
import { QuarryError } from '../errors.js';
import type { ClauseKind, ClauseParser } from './clause.js';
import { type Clause, clauseKinds } from './clauses/index.js';
import { unwrap } from './clauses/wrapper.js';
import { didYouMean } from './suggest.js';
import { UNSUPPORTED_CLAUSES } from './unsupported.js';
import { illegal, isObject, malformed } from './values.js';

export const MAX_CLAUSES = 1024;
export const MAX_DEPTH = 64;

/** Clauses that only hold others; Elasticsearch counts what matches by itself. */
const HOLDERS: ReadonlySet<Clause['kind']> = new Set([
  'bool',
  'boosting',
  'constant_score',
  'dis_max',
]);

/** One per query: the limits are per query. Throws parsing_exception, illegal_argument_exception or too_many_nested_clauses. */
export class QueryParser implements ClauseParser {
  #depth = 0;
  #clauses = 0;
  #named = false;

  /** Some clause has a `_name`. */
  get named(): boolean {
    return this.#named;
  }

  clause(value: Json): Clause {
    const { name, body } = splitClause(value);
    if (++this.#depth > MAX_DEPTH) {
      throw illegal(
        `The nested depth of the query exceeds the maximum nested depth of [${MAX_DEPTH}] levels, use fewer levels`,
      );
    }
    const clause = name === 'wrapper' ? this.clause(unwrap(body)) : this.#parse(name, body);
    this.#depth--;
    return clause;
  }

  #parse(name: string, body: Json): Clause {
    const clause = kindOf(name).parse(body, this);
    this.#named ||= clause.name !== '';
    if (!HOLDERS.has(clause.kind)) this.#clauses++;
    if (this.#clauses <= MAX_CLAUSES) return clause;
    throw new QuarryError(
      'too_many_nested_clauses',
      `Query contains too many nested clauses; maxClauseCount is set to ${MAX_CLAUSES}`,
    );
  }
}

function splitClause(value: Json): { name: string; body: Json } {
  if (!isObject(value)) throw malformed('[_na] query malformed, must start with start_object');
  const entries = Object.entries(value);
  const [first, second] = entries;
  if (first === undefined) throw malformed('query malformed, empty clause found');
  const [name, body] = first;
  if (!isObject(body)) {
    if (!isKnown(name)) throw unknownQuery(name);
    throw malformed(`[${name}] query malformed, no start_object after query name`);
  }
  if (second !== undefined) {
    throw malformed(
      `[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]: [${second[0]}] must be in a query of its own`,
    );
  }
  return { name, body };
}

function isKnown(name: string): boolean {
  return Object.hasOwn(clauseKinds, name) || name === 'wrapper' || UNSUPPORTED_CLAUSES.has(name);
}

function kindOf(name: string): ClauseKind<Clause> {
  if (Object.hasOwn(clauseKinds, name)) {
    return clauseKinds[name as Clause['kind']] as ClauseKind<Clause>;
  }
  throw unknownQuery(name);
}

function unknownQuery(name: string): QuarryError {
  if (UNSUPPORTED_CLAUSES.has(name)) {
    return malformed(`[${name}] query is not supported by this server`);
  }
  const known = [...Object.keys(clauseKinds), 'wrapper'];
  return malformed(`unknown query [${name}]${didYouMean(name, known)}`);
}
