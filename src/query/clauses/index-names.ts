// `_index` in term and terms: names may hold stars, as in the path of a request.
import type { Scalar } from '../../wire/plan-writer.js';
import { type ClauseEncoder, queryNode } from '../clause.js';
import type { ClauseBase } from '../params.js';
import { boolOf } from './bool.js';
import type { Clause } from './index.js';

export function namesPatterns(field: string, values: readonly Scalar[]): boolean {
  return field === '_index' && values.some(({ text }) => text.includes('*'));
}

/** Any of the names, at one score. */
export function encodeNames(
  base: ClauseBase,
  values: readonly Scalar[],
  caseInsensitive: boolean,
  encoder: ClauseEncoder,
): void {
  const should = values.map(
    ({ text }): Clause => ({
      kind: 'wildcard',
      boost: 1,
      name: '',
      field: '_index',
      // A question mark is no letter that stands for others here.
      pattern: text.replaceAll(/[\\?]/g, '\\$&'),
      caseInsensitive,
    }),
  );
  queryNode(encoder, 'constant_score', base, () => encoder.child(boolOf({ should })));
}
