// `fuzzy`: terms within an edit distance of the value, which is not analysed.
import type { Scalar } from '../../wire/plan-writer.js';
import { type ClauseKind, queryNode } from '../clause.js';
import { readFuzziness } from '../fuzziness.js';
import { type ClauseBase, fieldParams } from '../params.js';
import { readFuzzyRewrite, scoredNode } from '../rewrite.js';
import { illegal } from '../values.js';

const MAX_EXPANSIONS = 50;

export interface FuzzyClause extends ClauseBase {
  readonly kind: 'fuzzy';
  readonly field: string;
  readonly value: Scalar;
  readonly fuzziness: string;
  readonly prefixLength: number;
  readonly maxExpansions: number;
  readonly transpositions: boolean;
  /** Every match scores the boost. */
  readonly constant?: true;
  /** How the terms are scored; undefined: by blended frequencies. */
  readonly scoring?: 'own' | 'boost';
}

export const fuzzy: ClauseKind<FuzzyClause> = {
  parse(body) {
    const { field, params } = fieldParams('fuzzy', body, 'value');
    const value = params.scalar('value', 'term');
    const fuzziness = readFuzziness(params);
    const prefixLength = params.integer('prefix_length') ?? 0;
    const transpositions = params.flag('transpositions') ?? true;
    const expansions = params.integer('max_expansions', 1) ?? MAX_EXPANSIONS;
    const rewrite = readFuzzyRewrite(params, 'rewrite', expansions);
    const base = params.base();
    params.finish();
    if (value === undefined || value.kind === 'null') {
      throw illegal(`[fuzzy] query value of field [${field}] cannot be null`);
    }
    return {
      kind: 'fuzzy',
      boost: base.boost,
      name: base.name,
      field,
      value,
      fuzziness: fuzziness === '' ? 'AUTO' : fuzziness,
      prefixLength,
      maxExpansions: rewrite.terms,
      transpositions,
      ...(rewrite.constant ? { constant: true } : {}),
      ...(rewrite.scoring && { scoring: rewrite.scoring }),
    };
  },
  encode(clause, encoder) {
    if (clause.constant) {
      const { constant: _, ...scored } = clause;
      queryNode(encoder, 'constant_score', clause, () => {
        encoder.child({ ...scored, boost: 1, name: '' });
      });
      return;
    }
    if (clause.scoring !== undefined) {
      const { scoring, ...blended } = clause;
      scoredNode(encoder, clause, { scoring, most: 0 }, blended);
      return;
    }
    queryNode(encoder, 'fuzzy', clause, (writer) => {
      writer
        .str(clause.field)
        .scalar(clause.value)
        .str(clause.fuzziness)
        .u32(clause.prefixLength)
        .u32(clause.maxExpansions)
        .bool(clause.transpositions);
    });
  },
};
