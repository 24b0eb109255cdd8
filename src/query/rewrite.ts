// `rewrite` and `fuzzy_rewrite`: how Elasticsearch runs clauses that stand for many terms. They never change what
// matches, unless they limit the terms: that limit is honoured for fuzzy terms and refused by name elsewhere.
import type { Params } from './params.js';
import { illegal, malformed } from './values.js';

const CONSTANT = ['constant_score', 'constant_score_blended', 'constant_score_boolean'];
const TOP_TERMS = /^top_terms(?:_boost|_blended_freqs)?_(\d{1,9})$/;

/** prefix, wildcard, regexp: a match scores a constant here. */
export function readConstantRewrite(params: Params): void {
  const method = params.text('rewrite');
  if (method === undefined || CONSTANT.includes(method.toLowerCase())) return;
  throw malformed(
    `[${params.clause}] [rewrite] method [${method}] is not supported by this server, use [constant_score]`,
  );
}

/** Fuzzy terms: the largest number of terms that the method allows. */
export function readFuzzyRewrite(params: Params, parameter: string): number {
  const method = params.text(parameter)?.toLowerCase();
  if (method === undefined || method === 'scoring_boolean' || CONSTANT.includes(method)) {
    return Number.POSITIVE_INFINITY;
  }
  const limit = Number(TOP_TERMS.exec(method)?.[1] ?? 0);
  if (limit > 0) return limit;
  throw illegal(
    `[${params.clause}] Failed to parse [${parameter}] [${method}], expected a method such as [top_terms_blended_freqs_50] or [constant_score]`,
  );
}
