// Parses query DSL to a checked clause tree: one clause per wrapper object, limits on depth and
// number, rejection of unknown names.
import type { Json } from '../backend/index.js';
import { didYouMean } from '../base/similar-names.js';
import { QuarryError } from '../errors.js';
import type { ClauseKind, ClauseParser, QueryDefaults } from './clause.js';
import { allOf } from './clauses/bool.js';
import { isFieldKnn, knnOfField } from './clauses/field-knn.js';
import { type Clause, clauseKinds, type DslClause } from './clauses/index.js';
import { type KnnClause, knn } from './clauses/knn.js';
import { unwrap, wrappedText } from './clauses/wrapper.js';
import { type NestedInnerHits, readInnerHits } from './inner-hits.js';
import { DEFAULT_LIMITS, maxParsedClauses, type SearchLimits } from './limits.js';
import { MORE_LIKE_THIS } from './more-like-this.js';
import { isVectorClause, type VectorClause } from './nearest-vectors.js';
import { parseQueryStringClause } from './query-string/index.js';
import { parseSimpleQueryString } from './query-string/simple.js';
import { UNSUPPORTED_CLAUSES } from './unsupported.js';
import { illegal, isObject, malformed, shortened } from './values.js';

/**
 * Words, phrases and patterns of all query strings with operators in one query. Each takes several
 * times as long as a clause that is spelled as JSON.
 */
const MAX_QUERY_STRING_WORDS = 2048;
/** Each vector clause is a search of its own. */
const MAX_VECTOR_CLAUSES = 1024;
export const MAX_DEPTH = 64;
/** Characters of base64. They are decoded in one synchronous step, which blocks the event loop. */
const MAX_WRAPPED = 1_048_576;

/** Compound clauses, which Elasticsearch does not count towards the limit. */
const HOLDERS: ReadonlySet<string> = new Set([
  'bool',
  'boosting',
  'constant_score',
  'dis_max',
  'function_score',
  'group_score',
  'nested',
  'script_score',
]);

/** The settings that queries are parsed with. */
export interface ParserSetting {
  readonly preFilter?: Clause | undefined;
  readonly defaults?: readonly QueryDefaults[];
  readonly limits?: SearchLimits;
}

/**
 * Parses one query; limits apply to each instance. Throws parsing_exception,
 * illegal_argument_exception or too_many_nested_clauses.
 */
export class QueryParser implements ClauseParser {
  #depth = 0;
  #leaves = 0;
  #words = 0;
  #wrapped = 0;
  #named = false;
  readonly #vectorClauses: VectorClause[] = [];
  /** Those of the clauses that no nested clause encloses, or of those in its query. */
  #innerHits: NestedInnerHits[] = [];
  /** Number of nested clauses around the clause that is parsed. */
  #nested = 0;
  readonly #nestedVectors: VectorClause[] = [];
  #preFilter: Clause | undefined;
  readonly defaults: readonly QueryDefaults[];
  readonly limits: SearchLimits;

  constructor({ preFilter, defaults = [], limits = DEFAULT_LIMITS }: ParserSetting = {}) {
    this.#preFilter = preFilter;
    this.defaults = defaults;
    this.limits = limits;
  }

  get vectorClauses(): readonly VectorClause[] {
    return this.#vectorClauses;
  }
  /** Those inside nested clauses, too. */
  get allVectorClauses(): readonly VectorClause[] {
    return [...this.#vectorClauses, ...this.#nestedVectors];
  }
  get preFilter(): Clause | undefined {
    return this.#preFilter;
  }
  get isNested(): boolean {
    return this.#nested > 0;
  }
  /** Whether any clause has a `_name`. */
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
    const clause = this.#parse(name, body);
    this.#depth--;
    this.#register(clause);
    return clause;
  }

  /** The inner hits that nested clauses ask for, without those inside their queries. */
  get innerHits(): readonly NestedInnerHits[] {
    return this.#innerHits;
  }

  nested(path: string, query: Json, innerHits: Json | undefined): Clause {
    const outside = this.#innerHits;
    this.#innerHits = [];
    this.#nested += 1;
    const clause = this.clause(query);
    this.#nested -= 1;
    const [inside] = this.#innerHits;
    this.#innerHits = outside;
    if (innerHits !== undefined) this.showInside(path, path, query, innerHits);
    else if (inside !== undefined) {
      throw illegal(
        `[inner_hits] of the [nested] query of [${inside.path}] are shown inside those of the [nested] query of [${path}] around it: give that one [inner_hits], too`,
      );
    }
    return clause;
  }

  withoutInnerHits<T>(parse: () => T): T {
    const before = this.#innerHits.length;
    const parsed = parse();
    this.#innerHits.length = before;
    return parsed;
  }

  showInside(path: string, name: string, query: Json, innerHits: Json): void {
    this.#innerHits.push({ ...readInnerHits(innerHits, this.limits, name), path, query });
  }

  /** Parses a knn clause at the top level of a search. */
  topLevelKnn(body: Json): KnnClause {
    this.countLeaf();
    const clause = knn.parse(body, this);
    this.#register(clause);
    return clause;
  }

  /** Calls `parse` with `filters` added to the pre-filter. */
  filtered<T>(filters: readonly Json[], parse: () => T): T {
    const outside = this.#preFilter;
    const before = this.#vectorClauses.length;
    const own = filters.map((filter) => this.clause(filter));
    if (this.#vectorClauses.length > before) {
      throw malformed(
        '[filter] of several lists cannot ask for vectorClauses, put the clause into one of the lists',
      );
    }
    this.#preFilter = allOf(outside === undefined ? own : [...own, outside]);
    const parsed = parse();
    this.#preFilter = outside;
    return parsed;
  }

  countLeaf(): void {
    if (++this.#leaves > maxParsedClauses()) throw tooMany('clauses', maxParsedClauses());
  }

  countWord(): void {
    this.countLeaf();
    if (++this.#words <= MAX_QUERY_STRING_WORDS) return;
    throw new QuarryError(
      'too_many_nested_clauses',
      `the query strings of a query have more than [${MAX_QUERY_STRING_WORDS}] words, phrases and patterns with operators: send values as [terms], and plain words as [match]`,
    );
  }

  /**
   * Decodes a wrapper clause. All wrappers of a query together hold at most MAX_WRAPPED characters.
   */
  #unwrapped(body: Json): Json {
    const text = wrappedText(body);
    this.#wrapped += text.length;
    if (this.#wrapped <= MAX_WRAPPED) return unwrap(text);
    throw illegal(
      `the [wrapper] clauses of a query hold more than [${MAX_WRAPPED}] characters: send the queries as they are`,
    );
  }

  #register(clause: Clause): void {
    this.#named ||= clause.name !== '';
    if (!isVectorClause(clause)) return;
    if (this.#nested > 0) {
      this.#registerNested(clause);
      return;
    }
    if (this.#vectorClauses.push(clause) > MAX_VECTOR_CLAUSES)
      throw tooMany('knn clauses', MAX_VECTOR_CLAUSES);
  }

  /** The k of a clause inside nested ones counts for each shard, so that it has no phase. */
  #registerNested(clause: VectorClause): void {
    if (clause.kind === 'semantic') {
      throw malformed(
        '[semantic] is not supported inside [nested], put it beside the [nested] query',
      );
    }
    if (this.#nestedVectors.push(clause) > MAX_VECTOR_CLAUSES)
      throw tooMany('knn clauses', MAX_VECTOR_CLAUSES);
  }

  #parse(name: string, body: Json): Clause {
    if (name === 'hybrid') {
      throw malformed(
        '[hybrid] query must be the whole [query] of a search, it cannot be inside another query',
      );
    }
    if (name === MORE_LIKE_THIS) {
      throw malformed(
        `[${name}] is not supported in the filter of an alias, in [wrapper] and in cluster mode: put it into the query of a search`,
      );
    }
    if (name === 'wrapper') return this.clause(this.#unwrapped(body));
    if (name === 'query_string') return parseQueryStringClause(body, this);
    if (name === 'simple_query_string') return parseSimpleQueryString(body, this);
    if (name === 'knn' && isObject(body) && isFieldKnn(body)) {
      const { name: other, body: inner } = splitClause(knnOfField(body));
      return this.#parse(other, inner);
    }
    if (!HOLDERS.has(name)) this.countLeaf();
    return kindOf(name).parse(body, this);
  }
}

function tooMany(what: string, most: number): QuarryError {
  return new QuarryError(
    'too_many_nested_clauses',
    `Query contains too many nested ${what}; maxClauseCount is set to ${most}`,
  );
}

/** Returns the name of the only clause in the object, and its body. */
export function splitClause(value: Json): { name: string; body: Json } {
  if (!isObject(value)) throw malformed('[_na] query malformed, must start with start_object');
  const entries = Object.entries(value);
  const [first, second] = entries;
  if (first === undefined) throw malformed('query malformed, empty clause found');
  const [name, body] = first;
  if (!isObject(body)) {
    if (!isClauseName(name)) throw unknownQuery(name);
    throw malformed(`[${name}] query malformed, no start_object after query name`);
  }
  if (second !== undefined) {
    throw malformed(
      `[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]: [${second[0]}] must be in a query of its own`,
    );
  }
  return { name, body };
}

/** Clauses that the parser replaces with others. */
const REPLACED = ['hybrid', MORE_LIKE_THIS, 'query_string', 'simple_query_string', 'wrapper'];

/** Whether this server or Elasticsearch has a clause of this name. */
export function isClauseName(name: string): boolean {
  return (
    Object.hasOwn(clauseKinds, name) || REPLACED.includes(name) || UNSUPPORTED_CLAUSES.has(name)
  );
}

function kindOf(name: string): ClauseKind<DslClause> {
  if (Object.hasOwn(clauseKinds, name)) {
    return clauseKinds[name as DslClause['kind']] as ClauseKind<DslClause>;
  }
  throw unknownQuery(name);
}

function unknownQuery(name: string): QuarryError {
  if (UNSUPPORTED_CLAUSES.has(name)) {
    return malformed(`[${name}] query is not supported by this server`);
  }
  const known = [...Object.keys(clauseKinds), ...REPLACED];
  return malformed(`unknown query [${shortened(name)}]${didYouMean(name, known)}`);
}
