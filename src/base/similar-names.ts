// Suggests existing names for an unknown one ("did you mean [x]?") by edit distance.

/**
 * Minimum similarity of suggested names: more than half of their characters agree, as in
 * Elasticsearch.
 */
const SIMILAR = 0.5;

/**
 * The names of `known` that resemble `name`, most similar first: those with
 * 1 - edit distance / longer length above `threshold`.
 */
export function similarNames(
  name: string,
  known: Iterable<string>,
  threshold = SIMILAR,
): readonly string[] {
  return [...known]
    .map((candidate) => ({ candidate, similarity: similarity(name, candidate) }))
    .filter((row) => row.similarity > threshold)
    .sort((a, b) => b.similarity - a.similarity)
    .map((row) => row.candidate);
}

/** The suggestion with a leading space; empty if no known name is similar to `name`. */
export function didYouMean(name: string, known: Iterable<string>, threshold = SIMILAR): string {
  const near = similarNames(name, known, threshold);
  if (near.length === 0) return '';
  if (near.length === 1) return ` did you mean [${near[0]}]?`;
  return ` did you mean any of [${near.join(', ')}]?`;
}

/**
 * 1 - edit distance / longer length. If `a` is more than twice as long as `b`, it is 0 without a
 * comparison, because names in requests can be very long.
 */
function similarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  if (longer > 2 * b.length) return 0;
  return 1 - editDistance(a, b) / longer;
}

/**
 * Levenshtein distance; with `swaps`, exchanging two adjacent symbols is one edit (optimal string
 * alignment). Takes a.length * b.length steps.
 */
export function editDistance(a: ArrayLike<string>, b: ArrayLike<string>, swaps = false): number {
  let before: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let least = Math.min(
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
        (current[column - 1] ?? 0) + 1,
        (previous[column] ?? 0) + 1,
      );
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swaps && swapped) least = Math.min(least, (before[column - 2] ?? 0) + (same ? 0 : 1));
      current.push(least);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
