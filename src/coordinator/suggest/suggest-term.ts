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
  const uses = new Map<string, number>();
  for (const term of terms) uses.set(term, (uses.get(term) ?? 0) + 1);
  const words = [...uses.keys()];
  const asks = words.map((term) => ({ field, term, edits, prefix, most: MOST_CANDIDATES }));
  const { documents } = await shardClient.counts(field, []);
  const options = new Map<string, SuggestEntry['options']>();
  await shardClient.eachCandidates(asks, (found, at) => {
    const word = words[at] ?? '';
    const best = spell(word, found, documents, checker, shardSize).slice(0, size);
    shardClient.countSuggested(best.length * (uses.get(word) ?? 1));
    options.set(
      word,
      best.map((one) => ({ text: one.term, score: one.score, freq: one.documents })),
    );
  });
  return tokens.map(({ term, start, end }) => ({
    text: term,
    offset: start,
    length: end - start,
    options: options.get(term) ?? [],
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
