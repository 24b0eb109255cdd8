// The term suggester: tokens, the candidates of each token, and the best of them.
import type { SuggestEntry } from '../../backend/index.js';
import { isCorrected, MOST_CANDIDATES, spell } from '../../query/suggest/spelling.js';
import type { TermSuggestion } from '../../query/suggest/term.js';
import { illegal } from '../../query/values.js';
import type { SuggestToken } from '../../wire/suggest.js';
import type { SuggestClient } from './suggest-client.js';

export async function suggestTerms(
  { text, field, analyzer, size, shardSize, checker }: TermSuggestion,
  shardClient: SuggestClient,
): Promise<readonly SuggestEntry[]> {
  const tokens = await tokensOf(shardClient, field, analyzer, text);
  const { maxEdits: edits, prefixLength: prefix } = checker;
  const terms = tokens.map(({ term }) => term).filter((term) => isCorrected(term, checker));
  const words = [...new Set(terms)];
  const asks = words.map((term) => ({ field, term, edits, prefix, most: MOST_CANDIDATES }));
  const [{ documents }, found] = await Promise.all([
    shardClient.counts(field, []),
    shardClient.candidates(asks),
  ]);
  const options = new Map(
    words.map((word, i) => [word, spell(word, found[i] ?? [], documents, checker, shardSize)]),
  );
  return tokens.map(({ term, start, end }) => ({
    text: term,
    offset: start,
    length: end - start,
    options: (options.get(term) ?? [])
      .slice(0, size)
      .map((one) => ({ text: one.term, score: one.score, freq: one.documents })),
  }));
}

/** Throws for a field that no index maps; without any index the result is empty. */
export async function tokensOf(
  shardClient: SuggestClient,
  field: string,
  analyzer: string | undefined,
  text: string,
): Promise<readonly SuggestToken[]> {
  const tokens = await shardClient.analyze(field, analyzer, text);
  if (tokens !== undefined) return tokens;
  if (shardClient.hasNoTargets) return [];
  throw illegal(`no mapping found for field [${field}]`);
}
