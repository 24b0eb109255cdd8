// `rewrite` and `fuzzy_rewrite`: how clauses that expand to many terms are scored, and the maximum
// number of terms.
import { type ClauseEncoder, queryNode } from './clause.js';
import type { DslClause } from './clauses/index.js';
import type { ClauseBase, Params } from './params.js';
import { illegal, malformed } from './values.js';

const CONSTANT = ['constant_score', 'constant_score_blended', 'constant_score_boolean'];
const TOP_TERMS = /^top_terms(_boost|_blended_freqs)?_(\d{1,9})$/;

/** The scores of all matching terms are added: native/core/query/clauses/scored_terms.h. */
export interface TermScores {
  /** By BM25, `blended` as if all terms were as frequent as the most frequent; or by boost. */
  readonly scoring: 'blended' | 'own' | 'boost';
  /** The first terms, by boost and then by their bytes; 0: all. */
  readonly most: number;
}

const SCORINGS = { blended: 0, own: 1, boost: 2 } as const;
const SUFFIXES: Readonly<Record<string, TermScores['scoring']>> = {
  _boost: 'boost',
  _blended_freqs: 'blended',
};

/** For prefix, wildcard and regexp. Undefined: they score a constant, as they do by default. */
export function readRewrite(params: Params): TermScores | undefined {
  const method = params.text('rewrite')?.toLowerCase();
  if (method === undefined || CONSTANT.includes(method)) return undefined;
  return termScores(params, 'rewrite', method, 'constant_score');
}

/** For simple query strings, whose patterns always score a constant. */
export function readConstantRewrite(params: Params): void {
  if (readRewrite(params) === undefined) return;
  throw malformed(
    `[${params.clause}] [rewrite] of another method than [constant_score] is not supported by this server, use [query_string]`,
  );
}

function termScores(
  params: Params,
  parameter: string,
  method: string,
  example: string,
): TermScores {
  if (method === 'scoring_boolean') return { scoring: 'own', most: 0 };
  const [, suffix = '', count] = TOP_TERMS.exec(method) ?? [];
  const most = Number(count ?? 0);
  if (most > 0) return { scoring: SUFFIXES[suffix] ?? 'own', most };
  throw illegal(
    `[${params.clause}] Failed to parse [${parameter}] [${method}], expected a method such as [top_terms_blended_freqs_50] or [${example}]`,
  );
}

/** Writes a clause whose terms are scored. */
export function scoredNode(
  encoder: ClauseEncoder,
  clause: ClauseBase,
  { scoring, most }: TermScores,
  pattern: DslClause,
): void {
  queryNode(encoder, 'scored_terms', clause, (writer) => {
    writer.u8(SCORINGS[scoring]).u32(most);
    encoder.child({ ...pattern, boost: 1, name: '' });
  });
}

/** The number of terms for methods without a limit. */
const ALL_TERMS = 2 ** 31 - 1;

export interface FuzzyRewrite {
  /** The maximum number of terms; `max_expansions` applies only if no method is named. */
  readonly terms: number;
  /** Every match has the same score. */
  readonly constant: boolean;
  /** Undefined: blended, as by default. */
  readonly scoring: 'own' | 'boost' | undefined;
}

/** Reads `rewrite` of a fuzzy query. */
export function readFuzzyRewrite(
  params: Params,
  parameter: string,
  maxExpansions: number,
): FuzzyRewrite {
  const method = params.text(parameter)?.toLowerCase();
  if (method === undefined) return { terms: maxExpansions, constant: false, scoring: undefined };
  if (CONSTANT.includes(method)) return { terms: ALL_TERMS, constant: true, scoring: undefined };
  const { scoring, most } = termScores(params, parameter, method, 'constant_score');
  return {
    terms: most === 0 ? ALL_TERMS : most,
    constant: false,
    scoring: scoring === 'blended' ? undefined : scoring,
  };
}

/** Reads `fuzzy_rewrite` of a query whose text is analysed, whose terms are always blended. */
export function readBlendedRewrite(params: Params, maxExpansions: number): FuzzyRewrite {
  const rewrite = readFuzzyRewrite(params, 'fuzzy_rewrite', maxExpansions);
  if (rewrite.scoring !== 'boost') return rewrite;
  throw malformed(
    `[${params.clause}] [fuzzy_rewrite] method [top_terms_boost_N] is not supported by this server, use [top_terms_blended_freqs_50]`,
  );
}
