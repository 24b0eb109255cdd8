// `rewrite` and `fuzzy_rewrite`: how clauses that expand to many terms are scored, and the maximum
// number of terms. Methods that are not supported are rejected by name.
import type { Params } from './params.js';
import { illegal, malformed } from './values.js';

const CONSTANT = ['constant_score', 'constant_score_blended', 'constant_score_boolean'];
const TOP_TERMS = /^top_terms(?:_blended_freqs)?_(\d{1,9})$/;
const KNOWN =
  /^(scoring_boolean|constant_score|constant_score_blended|constant_score_boolean|top_terms(_boost|_blended_freqs)?_\d{1,9})$/;

/** For prefix, wildcard and regexp, which always score a constant. */
export function readConstantRewrite(params: Params): void {
  const method = params.text('rewrite');
  if (method === undefined || CONSTANT.includes(method.toLowerCase())) return;
  throw malformed(
    `[${params.clause}] [rewrite] method [${method}] is not supported by this server, use [constant_score]`,
  );
}

/** The number of terms for methods without a limit. */
const ALL_TERMS = 2 ** 31 - 1;

export interface FuzzyRewrite {
  /** The maximum number of terms; `max_expansions` applies only if no method is named. */
  readonly terms: number;
  /** Every match has the same score. */
  readonly constant: boolean;
}

/** Reads `rewrite` of a fuzzy query, or `fuzzy_rewrite` of a query whose text is analysed. */
export function readFuzzyRewrite(
  params: Params,
  parameter: string,
  maxExpansions: number,
): FuzzyRewrite {
  const method = params.text(parameter)?.toLowerCase();
  if (method === undefined) return { terms: maxExpansions, constant: false };
  const constant = CONSTANT.includes(method);
  if (constant || method === 'scoring_boolean') return { terms: ALL_TERMS, constant };
  const terms = Number(TOP_TERMS.exec(method)?.[1] ?? 0);
  if (terms > 0) return { terms, constant: false };
  if (KNOWN.test(method)) throw unsupported(params, parameter, method);
  throw illegal(
    `[${params.clause}] Failed to parse [${parameter}] [${method}], expected a method such as [top_terms_blended_freqs_50] or [constant_score]`,
  );
}

function unsupported(params: Params, parameter: string, method: string): Error {
  return malformed(
    `[${params.clause}] [${parameter}] method [${method}] is not supported by this server, use [top_terms_blended_freqs_50]`,
  );
}
