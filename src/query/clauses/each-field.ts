// each_field: one clause over every field that some patterns name, the best score counts. Only query strings make it;
// the DSL has no such clause. The core knows the fields, so it repeats the clause per field.
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
  /** Fields whose type does not take the clause are left out instead of refused. */
  readonly lenient: boolean;
  /** Empty: each field's. */
  readonly analyzer: string;
  /** The analyzer is for keyword fields as well. */
  readonly analyzesKeywords: boolean;
  /** Its field is empty; its value takes the normal form of the analyzer. */
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
