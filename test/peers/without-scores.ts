// Removes what depends on scores from a response, for a peer with another formula: the scores, and
// the order of hits without a sort. OpenSearch marks every search without hits as terminated early.

type Json = Readonly<Record<string, unknown>>;

const SCORES: ReadonlySet<string> = new Set(['_score', 'max_score', 'terminated_early']);

export function withoutScores(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutScores);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value as Json).filter(([key]) => !SCORES.has(key));
  return Object.fromEntries(
    kept.map(([key, member]) => [
      key,
      key === 'hits' && Array.isArray(member)
        ? hitsByName(member as Json[])
        : withoutScores(member),
    ]),
  );
}

/** Sorted hits stay in their order. */
function hitsByName(hits: readonly Json[]): unknown {
  const name = (hit: Json): string => `${hit['_index']}/${hit['_id']}`;
  const isSorted = hits.some((hit) => hit['sort'] !== undefined);
  const ordered = isSorted ? hits : [...hits].sort((a, b) => (name(a) < name(b) ? -1 : 1));
  return ordered.map(withoutScores);
}
