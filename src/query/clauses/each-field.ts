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
  /** Its field is empty; its value takes the normal form of each field's analyzer. */
  readonly clause: PrefixClause | WildcardClause | RegexpClause | FuzzyClause | RangeClause;
}

export function encodeEachField(clause: EachFieldClause, encoder: ClauseEncoder): void {
  queryNode(encoder, 'each_field', clause, (writer) => {
    writer
      .list(clause.fields, ({ field, boost }) => writer.str(field).f32(boost))
      .f32(clause.tieBreaker)
      .bool(clause.lenient);
    encoder.child(clause.clause);
  });
}
