// `boosting`: the documents that `positive` matches. Those that `negative` matches too keep only a
// part of their score.
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, Params } from '../params.js';
import { malformed } from '../values.js';
import type { Clause } from './index.js';

export interface BoostingClause extends ClauseBase {
  readonly kind: 'boosting';
  readonly positive: Clause;
  readonly negative: Clause;
  readonly negativeBoost: number;
}

export const boosting: ClauseKind<BoostingClause> = {
  parse(body, parser) {
    const params = Params.of('boosting', body);
    const positive = params.raw('positive');
    const negative = params.raw('negative');
    const negativeBoost = params.float('negative_boost');
    const base = params.base();
    params.finish();
    if (positive === undefined) {
      throw malformed("[boosting] query requires 'positive' query to be set'");
    }
    if (negative === undefined) {
      throw malformed("[boosting] query requires 'negative' query to be set'");
    }
    if (negativeBoost === undefined || negativeBoost < 0) {
      throw malformed(
        "[boosting] query requires 'negative_boost' to be set to be a positive value'",
      );
    }
    return {
      kind: 'boosting',
      ...base,
      positive: parser.clause(positive),
      negative: parser.clause(negative),
      negativeBoost,
    };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'boosting', clause, (writer) => {
      encoder.child(clause.positive);
      encoder.child(clause.negative);
      writer.f32(clause.negativeBoost);
    });
  },
};
