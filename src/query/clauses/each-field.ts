// `each_field`: one clause over every field that some patterns match, with the best field's score.
// Only query strings produce it; the DSL has no such clause. The core expands the patterns, so it
// repeats the clause per field.
import { type ClauseEncoder, queryNode } from '../clause.js';
import type { ClauseBase } from '../params.js';
import type { FuzzyClause } from './fuzzy.js';
import type { FieldAndBoost } from './multi-match.js';
import type { PrefixClause } from './prefix.js';
import type { RangeClause } from './range.js';
import type { RegexpClause } from './regexp.js';
import type { WildcardClause } from './wildcard.js';

export interface EachFieldClause extends ClauseBase {
  readonly kind: 'each_field';
  readonly fields: readonly FieldAndBoost[];
  readonly tieBreaker: number;
  /** Fields whose type does not support the clause are left out instead of rejected. */
  readonly lenient: boolean;
  /** Empty: the analyzer of each field. */
  readonly analyzer: string;
  /** The analyzer applies to keyword fields as well. */
  readonly analyzesKeywords: boolean;
  /** The clause with an empty field. Its value is normalized by the analyzer. */
  readonly clause: PrefixClause | WildcardClause | RegexpClause | FuzzyClause | RangeClause;
}

export function encodeEachField(clause: EachFieldClause, encoder: ClauseEncoder): void {
  queryNode(encoder, 'each_field', clause, (writer) => {
    writer
      .list(clause.fields, ({ field, boost }) => writer.str(field).f32(boost))
      .f32(clause.tieBreaker)
      .u8((clause.lenient ? 1 : 0) | (clause.analyzesKeywords ? 2 : 0))
      .str(clause.analyzer);
    encoder.child(clause.clause);
  });
}
