// `rewrite` and `fuzzy_rewrite`. Multi-term clauses score a constant here and fuzzy ones blend the frequencies of
// their best terms; methods that mean just that change nothing, the others are refused by name.
import type { Params } from './params.js';
import { malformed } from './values.js';

const CONSTANT = ['constant_score', 'constant_score_blended', 'constant_score_boolean'];

export function readConstantRewrite(params: Params): void {
  const method = params.text('rewrite');
  if (method === undefined || CONSTANT.includes(method.toLowerCase())) return;
  throw malformed(
    `[${params.clause}] [rewrite] method [${method}] is not supported by this server, use [constant_score]`,
  );
}

export function readFuzzyRewrite(params: Params, parameter: string): void {
  const method = params.text(parameter);
  if (method === undefined || /^top_terms_blended_freqs_\d+$/i.test(method)) return;
  throw malformed(
    `[${params.clause}] [${parameter}] method [${method}] is not supported by this server, use [top_terms_blended_freqs_N]`,
  );
}
