// `match_phrase`: documents with the words of an analysed text in order, at most `slop` moves
// apart.
import type { MatchOptions, PlanWriter, Scalar } from '../../wire/plan-writer.js';
import { type ClauseKind, queryNode } from '../clause.js';
import { readZeroTerms, requireText } from '../match-options.js';
import { type ClauseBase, fieldParams, type Params } from '../params.js';
import { illegal } from '../values.js';

export interface PhraseOptions {
  readonly field: string;
  readonly text: Scalar;
  readonly slop: number;
  /** Empty: the analyzer of the field. */
  readonly analyzer: string;
  readonly zeroTerms: MatchOptions['zeroTerms'];
}

export interface MatchPhraseClause extends ClauseBase, PhraseOptions {
  readonly kind: 'match_phrase';
}

export const matchPhrase: ClauseKind<MatchPhraseClause> = {
  parse(body) {
    const { field, params } = fieldParams('match_phrase', body, 'query');
    const text = params.scalar('query');
    const options = readPhraseOptions(params);
    const base = params.base();
    params.finish();
    return {
      kind: 'match_phrase',
      boost: base.boost,
      name: base.name,
      field,
      text: requireText(params, text),
      slop: options.slop,
      analyzer: options.analyzer,
      zeroTerms: options.zeroTerms,
    };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'match_phrase', clause, (writer) => writePhrase(writer, clause));
  },
};

/** The options that match_phrase and match_phrase_prefix share. */
export function readPhraseOptions(params: Params): Omit<PhraseOptions, 'field' | 'text'> {
  return {
    slop: readSlop(params),
    analyzer: params.analyzer(),
    zeroTerms: readZeroTerms(params),
  };
}

export function readSlop(params: Params): number {
  const slop = params.integer('slop', Number.NEGATIVE_INFINITY) ?? 0;
  if (slop < 0) throw illegal(`[${params.clause}] No negative slop allowed, got [${slop}]`);
  return slop;
}

export function writePhrase(writer: PlanWriter, phrase: PhraseOptions): void {
  writer
    .str(phrase.field)
    .scalar(phrase.text)
    .u32(phrase.slop)
    .str(phrase.analyzer)
    .bool(phrase.zeroTerms === 'all');
}
