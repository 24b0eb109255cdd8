// `bool`: clauses that must, should or must not match; filters match without a score.
import type { Json } from '../../backend/index.js';
import { didYouMean } from '../../base/similar-names.js';
import type { PlanWriter } from '../../wire/plan-writer.js';
import { type ClauseKind, type ClauseParser, queryNode } from '../clause.js';
import { readMinimumShouldMatch } from '../minimum-should-match.js';
import { type ClauseBase, Params } from '../params.js';
import { isArray, isObject, malformed, tokenName } from '../values.js';
import type { Clause } from './index.js';

/**
 * `nested`: inside another bool; `negated`: all documents except those of one clause; `list`:
 * clauses of a simple query string.
 */
type StringFlag = 'nested' | 'negated' | 'list';

export interface BoolClause extends ClauseBase {
  readonly kind: 'bool';
  readonly must: readonly Clause[];
  readonly filter: readonly Clause[];
  readonly should: readonly Clause[];
  readonly mustNot: readonly Clause[];
  /** Empty: 1 if there are only `should` clauses, else 0. */
  readonly minimumShouldMatch: string;
  /** Set for a bool that a query string makes, in which clauses without terms are ignored. */
  readonly queryString?: readonly StringFlag[];
}

/** Makes a bool of clauses that are already parsed. */
export function boolOf(parts: Partial<Pick<BoolClause, 'must' | 'filter' | 'should'>>): BoolClause {
  const nothing = { must: [], filter: [], should: [], mustNot: [] };
  return { kind: 'bool', boost: 1, name: '', minimumShouldMatch: '', ...nothing, ...parts };
}

/** Returns one filter that requires all of `filters`; undefined if there are none. */
export function allOf(filters: readonly Clause[]): Clause | undefined {
  return filters.length < 2 ? filters[0] : boolOf({ filter: filters });
}

/** Flags of the bool node: native/core/query/clauses/bool_query.h. */
const OF_STRING = 1;
const FLAGS: Readonly<Record<StringFlag, number>> = { nested: 2, negated: 4, list: 8 };

const NAMES = [
  'must',
  'filter',
  'should',
  'must_not',
  'mustNot',
  'minimum_should_match',
  'adjust_pure_negative',
  'boost',
  '_name',
];

export const bool: ClauseKind<BoolClause> = {
  parse(body, parser) {
    const params = Params.of('bool', body);
    const base = params.namedBase();
    const minimumShouldMatch = readMinimumShouldMatch(params);
    params.only('adjust_pure_negative', true);
    checkNames(body);
    const must = readClauses(params, 'must', parser);
    const filter = readClauses(params, 'filter', parser);
    const should = readClauses(params, 'should', parser);
    // `mustNot` is the older spelling, which Elasticsearch also accepts.
    const mustNot = parser.withoutInnerHits(() =>
      readClauses(params, 'must_not', parser).concat(readClauses(params, 'mustNot', parser)),
    );
    // A bool of only must_not clauses matches all other documents, whatever minimum_should_match
    // says.
    const onlyExcludes = must.length + filter.length + should.length === 0 && mustNot.length > 0;
    return {
      kind: 'bool',
      boost: base.boost,
      name: base.name,
      must,
      filter,
      should,
      mustNot,
      minimumShouldMatch: onlyExcludes ? '' : minimumShouldMatch,
    };
  },
  encode(clause, encoder) {
    if (isEmpty(clause)) {
      queryNode(encoder, 'match_all', clause, () => {});
      return;
    }
    const { queryString } = clause;
    const flags = queryString?.reduce((sum, flag) => sum | FLAGS[flag], OF_STRING) ?? 0;
    const payload = (writer: PlanWriter) => {
      writer.str(clause.minimumShouldMatch);
      for (const list of [clause.must, clause.filter, clause.should, clause.mustNot]) {
        writer.list(list, (child) => encoder.child(child));
      }
    };
    queryNode(encoder, 'bool', clause, payload, flags);
  },
};

/** An empty bool matches all documents. */
function isEmpty(clause: BoolClause): boolean {
  const { must, filter, should, mustNot } = clause;
  return must.length + filter.length + should.length + mustNot.length === 0;
}

function checkNames(body: Json): void {
  if (!isObject(body)) return;
  const unknown = Object.keys(body).find((name) => !NAMES.includes(name));
  if (unknown === undefined) return;
  throw malformed(`[bool] query does not support [${unknown}]${didYouMean(unknown, NAMES)}`);
}

function readClauses(params: Params, name: string, parser: ClauseParser): readonly Clause[] {
  const value = params.raw(name);
  if (value === undefined || value === null) return [];
  if (isArray(value)) return value.map((item) => parser.clause(item));
  if (isObject(value)) return [parser.clause(value)];
  throw malformed(
    `[bool] [${name}] must be a query or an array of queries, found [${tokenName(value)}]`,
  );
}
