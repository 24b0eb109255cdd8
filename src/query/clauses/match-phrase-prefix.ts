// `match_phrase_prefix`: like match_phrase, but the last word is a prefix.
import { type ClauseKind, queryNode } from '../clause.js';
import { requireText } from '../match-options.js';
import { type ClauseBase, fieldParams } from '../params.js';
import { type PhraseOptions, readPhraseOptions, writePhrase } from './match-phrase.js';

const MAX_EXPANSIONS = 50;

export interface MatchPhrasePrefixClause extends ClauseBase, PhraseOptions {
  readonly kind: 'match_phrase_prefix';
  /** The number of terms that the last word is expanded to at most. */
  readonly maxExpansions: number;
}

export const matchPhrasePrefix: ClauseKind<MatchPhrasePrefixClause> = {
  parse(body) {
    const { field, params } = fieldParams('match_phrase_prefix', body, 'query');
    const text = params.scalar('query');
    const options = readPhraseOptions(params);
    const maxExpansions = params.integer('max_expansions', 1) ?? MAX_EXPANSIONS;
    const base = params.base();
    params.finish();
    return {
      kind: 'match_phrase_prefix',
      boost: base.boost,
      name: base.name,
      field,
      text: requireText(params, text),
      ...options,
      maxExpansions,
    };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'match_phrase_prefix', clause, (writer) => {
      writePhrase(writer, clause);
      writer.u32(clause.maxExpansions);
    });
  },
};
