// What one clause of the query DSL is to the parser and the encoder. A file of clauses/ implements it for one name.
import type { Json } from '../backend/index.js';
import type { EmbeddedText, PlanWriter, ShardScores } from '../wire/plan-writer.js';
import type { Clause } from './clauses/index.js';
import type { SearchLimits } from './limits.js';
import type { VectorClause } from './nearest-vectors.js';
import type { ClauseBase } from './params.js';

/** What the settings of an index say of query strings that do not say it themselves. */
export interface QueryDefaults {
  /** As `fields` of a query has them. */
  readonly fields: readonly string[];
  readonly lenient: boolean;
}

/** Handed to clauses that hold others. */
export interface ClauseParser {
  /** A nested `{clause: {…}}`, one level deeper. */
  clause(value: Json): Clause;
  /** Counts a clause that was not parsed by clause() towards the limit. */
  countLeaf(): void;
  /** Every clause for neighbours parsed so far, inner ones first. */
  readonly neighbours: readonly VectorClause[];
  /** What neighbours have to match beside the filter of their own clause: the filters of aliases. */
  readonly preFilter: Clause | undefined;
  /** Of the searched indexes. */
  readonly defaults: readonly QueryDefaults[];
  /** What all of them allow. */
  readonly limits: SearchLimits;
}

/** What an earlier phase found for clauses: these score its documents instead of searching. */
export type NearestVectors = ReadonlyMap<VectorClause, readonly ShardScores[]>;

/** Vectors of texts by remote embedders. */
export type TextVectors = ReadonlyMap<string, readonly EmbeddedText[]>;

/** What is known of clauses before the shards are asked. */
export interface ClauseInputs {
  readonly neighbours: NearestVectors;
  readonly vectors: TextVectors;
}

export interface ClauseEncoder {
  readonly writer: PlanWriter;
  readonly known: ClauseInputs | undefined;
  child(clause: Clause): void;
}

/** Parsing and encoding of the clause that the DSL calls `kind`. Both are pure. */
export interface ClauseKind<C extends { readonly kind: string }> {
  /** What stands behind the clause's name. */
  parse(body: Json, parser: ClauseParser): C;
  encode(clause: C, encoder: ClauseEncoder): void;
}

/** A query node: boost and _name first, then `payload`. */
export function queryNode(
  encoder: ClauseEncoder,
  kind: string,
  base: ClauseBase,
  payload: (writer: PlanWriter) => void,
  flags = 0,
): void {
  const { writer } = encoder;
  const whole = () => {
    writer.f32(base.boost).str(base.name);
    payload(writer);
  };
  writer.node(kind, whole, flags);
}
