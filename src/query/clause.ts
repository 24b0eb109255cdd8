// The interfaces of a query DSL clause for the parser and the encoder. Each clause has a file in
// clauses/ that implements them.
import type { Json } from '../backend/index.js';
import type { EmbeddedText, PlanWriter, ShardScores } from '../wire/plan-writer.js';
import type { Clause } from './clauses/index.js';
import type { SearchLimits } from './limits.js';
import type { VectorClause } from './nearest-vectors.js';
import type { ClauseBase } from './params.js';

/** Defaults of query strings from the settings of one index. */
export interface QueryDefaults {
  /** In the form of the `fields` parameter of a query. */
  readonly fields: readonly string[];
  readonly lenient: boolean;
}

/** What compound clauses need from the parser. */
export interface ClauseParser {
  /** Parses a nested `{clause: {…}}`, one level deeper. */
  clause(value: Json): Clause;
  /** Parses the query of a nested clause, and the inner hits that the clause asks for. */
  nested(path: string, query: Json, innerHits: Json | undefined): Clause;
  /** Parses clauses that no hit matches, so that none shows the inner hits that they ask for. */
  withoutInnerHits<T>(parse: () => T): T;
  /** Adds inner hits: the nested documents at the path (or of a field) that match the query. */
  showInside(path: string, name: string, query: Json, innerHits: Json): void;
  /** Counts a clause that was not parsed by clause() towards the limit. */
  countLeaf(): void;
  /** Counts a word, phrase or pattern of a query string, which has a limit of its own, too. */
  countWord(): void;
  /** Every vector clause parsed so far, inner ones first. */
  readonly vectorClauses: readonly VectorClause[];
  /**
   * What nearest vectors have to match in addition to the filter of their own clause: the filters
   * of aliases and of enclosing lists.
   */
  readonly preFilter: Clause | undefined;
  /** Whether a `nested` clause is around the one that is parsed. */
  readonly isNested: boolean;
  /** One entry for each of the searched indexes. */
  readonly defaults: readonly QueryDefaults[];
  /** The strictest limits of the searched indexes. */
  readonly limits: SearchLimits;
}

/**
 * Hits that an earlier phase found for vector clauses. The clauses score these documents instead of
 * searching.
 */
export type NearestVectors = ReadonlyMap<VectorClause, readonly ShardScores[]>;

/** Embeddings from remote embedders, by their text. */
export type TextVectors = ReadonlyMap<string, readonly EmbeddedText[]>;

/** What is resolved for clauses before the query is sent to the shards. */
export interface ClauseInputs {
  readonly nearest: NearestVectors;
  readonly vectors: TextVectors;
}

export interface ClauseEncoder {
  readonly writer: PlanWriter;
  readonly known: ClauseInputs | undefined;
  child(clause: Clause): void;
}

/** Parser and encoder of the clause that the DSL calls `kind`. Both functions are pure. */
export interface ClauseKind<C extends { readonly kind: string }> {
  /** `body`: the value at the clause's name. */
  parse(body: Json, parser: ClauseParser): C;
  encode(clause: C, encoder: ClauseEncoder): void;
}

/** Writes a query node: boost and _name first, then `payload`. */
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
