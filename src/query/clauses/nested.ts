// `nested`: documents with nested documents at a path that match a query.
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, Params } from '../params.js';
import { illegal } from '../values.js';
import type { Clause } from './index.js';

/** In the order of their numbers in a plan. */
const SCORE_MODES = ['avg', 'sum', 'max', 'min', 'none'] as const;

export interface NestedClause extends ClauseBase {
  readonly kind: 'nested';
  readonly path: string;
  readonly scoreMode: (typeof SCORE_MODES)[number];
  readonly ignoreUnmapped: boolean;
  readonly query: Clause;
}

export const nested: ClauseKind<NestedClause> = {
  parse(body, parser) {
    const params = Params.of('nested', body);
    const path = params.text('path');
    const query = params.raw('query');
    const mode = params.text('score_mode') ?? 'avg';
    const ignoreUnmapped = params.flag('ignore_unmapped') ?? false;
    const innerHits = params.raw('inner_hits');
    const base = params.base();
    params.finish();
    if (path === undefined) throw illegal("[nested] requires 'path' field");
    if (query === undefined) throw illegal("[nested] requires 'query' field");
    const scoreMode = SCORE_MODES.find((name) => name === mode);
    if (scoreMode === undefined) {
      throw illegal(
        `illegal score_mode for nested query [${mode}], use one of [${SCORE_MODES.join(', ')}]`,
      );
    }
    return {
      kind: 'nested',
      boost: base.boost,
      name: base.name,
      path,
      scoreMode,
      ignoreUnmapped,
      query: parser.nested(path, query, innerHits),
    };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'nested', clause, (writer) => {
      writer.str(clause.path).u8(SCORE_MODES.indexOf(clause.scoreMode)).bool(clause.ignoreUnmapped);
      encoder.child(clause.query);
    });
  },
};
