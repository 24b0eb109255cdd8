// `wildcard`: terms that match a pattern of `*`, `?` and backslash escapes. Scores a constant, or its terms.
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, fieldParams } from '../params.js';
import { readRewrite, scoredNode, type TermScores } from '../rewrite.js';
import { illegal } from '../values.js';

const MAX_LENGTH = 1000;

export interface WildcardClause extends ClauseBase {
  readonly kind: 'wildcard';
  readonly field: string;
  readonly pattern: string;
  readonly caseInsensitive: boolean;
  /** Undefined: every match scores the boost. */
  readonly scores?: TermScores;
}

export const wildcard: ClauseKind<WildcardClause> = {
  parse(body) {
    const { field, params } = fieldParams('wildcard', body, 'value');
    const value = params.scalar('value', 'wildcard');
    const caseInsensitive = params.flag('case_insensitive') ?? false;
    const scores = readRewrite(params);
    const base = params.base();
    params.finish();
    if (value === undefined || value.kind === 'null') {
      throw illegal(`[wildcard] value of field [${field}] cannot be null`);
    }
    const pattern = checkPattern(value.text);
    return {
      kind: 'wildcard',
      boost: base.boost,
      name: base.name,
      field,
      pattern,
      caseInsensitive,
      ...(scores && { scores }),
    };
  },
  encode({ scores, ...clause }, encoder) {
    if (scores !== undefined) {
      scoredNode(encoder, clause, scores, clause);
      return;
    }
    queryNode(encoder, 'wildcard', clause, (writer) => {
      writer.str(clause.field).str(clause.pattern).bool(clause.caseInsensitive);
    });
  },
};

export function checkPattern(pattern: string): string {
  if (pattern.length <= MAX_LENGTH) return pattern;
  throw illegal(
    `The length of pattern [${pattern.length}] used in the Wildcard Query request has exceeded the allowed maximum of [${MAX_LENGTH}], shorten it`,
  );
}
