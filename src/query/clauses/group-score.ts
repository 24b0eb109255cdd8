// `group_score`: scores a document by its group, the documents with the same value of a keyword:
// the sum over the queries of the best score that each has within the group.
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, Params } from '../params.js';
import { illegal, isArray, malformed } from '../values.js';
import type { Clause } from './index.js';
import { parseFilters, readField, readFilters } from './vector-clause-params.js';

export interface GroupScoreClause extends ClauseBase {
  readonly kind: 'group_score';
  readonly field: string;
  readonly queries: readonly Clause[];
  /** Only documents that match it count for their group. It includes the parser's pre-filter. */
  readonly filter: Clause | undefined;
}

export const groupScore: ClauseKind<GroupScoreClause> = {
  parse(body, parser) {
    const params = Params.of('group_score', body);
    const field = readField(params);
    const queries = params.raw('queries');
    const filters = readFilters(params);
    const base = params.base();
    params.finish();
    if (queries === undefined) throw illegal('[group_score] Required [queries]');
    const list = isArray(queries) ? queries : [queries];
    if (list.length === 0) {
      throw malformed('[group_score] [queries] is empty, it needs at least one query');
    }
    const clauses = list.map((query) => parser.clause(query));
    const { filter } = parseFilters(filters, parser);
    return { kind: 'group_score', ...base, field, queries: clauses, filter };
  },
  encode(clause, encoder) {
    const { field, queries, filter } = clause;
    queryNode(encoder, 'group_score', clause, (writer) => {
      writer.str(field).list(queries, (query) => encoder.child(query));
      writer.optional(filter === undefined ? undefined : () => encoder.child(filter));
    });
  },
};
