// The completion suggester: the best inputs of all indexes, and the documents that contain them.
import type { SearchHit, SuggestEntry } from '../../backend/index.js';
import type { CompletionSuggestion } from '../../query/suggest/completion.js';
import { compareTerms } from '../../query/suggest/spelling.js';
import { illegal } from '../../query/values.js';
import type { IndexCompletion, SuggestClient } from './suggest-client.js';

/** The documents of completions, in their order, as hits with their scores. */
export type ReadCompletions = (
  completions: readonly IndexCompletion[],
) => Promise<readonly SearchHit[]>;

export async function suggestCompletions(
  suggestion: CompletionSuggestion,
  shardClient: SuggestClient,
  read: ReadCompletions,
): Promise<readonly SuggestEntry[]> {
  const { text, field, analyzer = '', size, skipDuplicates, fuzzy } = suggestion;
  const found = await shardClient.completions({
    field,
    analyzer,
    text,
    size,
    skipDuplicates,
    fuzzy,
  });
  if (found === undefined && !shardClient.hasNoTargets) {
    throw illegal(`no mapping found for field [${field}]`);
  }
  const best = [...(found ?? [])].sort(
    (a, b) =>
      b.score - a.score ||
      compareTerms(a.key, b.key) ||
      compareTerms(a.input, b.input) ||
      a.index - b.index,
  );
  const chosen = (skipDuplicates ? withoutDuplicates(best) : best).slice(0, size);
  shardClient.countSuggested(chosen.length);
  // Elasticsearch orders equal scores by the displayed text.
  chosen.sort((a, b) => b.score - a.score || compareTerms(a.input, b.input));
  const hits = chosen.length === 0 ? [] : await read(chosen);
  const options = chosen.flatMap(({ input }, i) => {
    const hit = hits[i];
    return hit === undefined ? [] : [{ text: input, hit }];
  });
  return [{ text, offset: 0, length: text.length, options }];
}

function withoutDuplicates(best: readonly IndexCompletion[]): IndexCompletion[] {
  const seen = new Set<string>();
  return best.filter(({ input }) => !seen.has(input) && seen.add(input));
}
