// An answer without what only scores decide, for a peer that scores by another formula: scores themselves, and the order of
// hits that nothing else sorts. OpenSearch calls every search without hits ended early.

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

/** Hits that are sorted stay in their order. */
function hitsByName(hits: readonly Json[]): unknown {
  const name = (hit: Json): string => `${hit['_index']}/${hit['_id']}`;
  const isSorted = hits.some((hit) => hit['sort'] !== undefined);
  const ordered = isSorted ? hits : [...hits].sort((a, b) => (name(a) < name(b) ? -1 : 1));
  return ordered.map(withoutScores);
}
