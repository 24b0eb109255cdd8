// `rewrite` and `fuzzy_rewrite`: how clauses that stand for many terms are scored, and how many terms they may stand for. What
// is not done here is refused by name.
import type { Params } from './params.js';
import { illegal, malformed } from './values.js';

const CONSTANT = ['constant_score', 'constant_score_blended', 'constant_score_boolean'];
const TOP_TERMS = /^top_terms(?:_blended_freqs)?_(\d{1,9})$/;
const KNOWN =
  /^(scoring_boolean|constant_score|constant_score_blended|constant_score_boolean|top_terms(_boost|_blended_freqs)?_\d{1,9})$/;

/** prefix, wildcard, regexp: a match scores a constant here. */
export function readConstantRewrite(params: Params): void {
  const method = params.text('rewrite');
  if (method === undefined || CONSTANT.includes(method.toLowerCase())) return;
  throw malformed(
    `[${params.clause}] [rewrite] method [${method}] is not supported by this server, use [constant_score]`,
  );
}

/** Sent where a method allows any number of terms. */
const ALL_TERMS = 2 ** 31 - 1;

export interface FuzzyRewrite {
  /** The largest number of terms; `max_expansions` is for those who name no method. */
  readonly terms: number;
  /** Every match scores the same. */
  readonly constant: boolean;
}

/** `rewrite` of a fuzzy query, or `fuzzy_rewrite` of the words of a text. */
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
