// "did you mean [x]?" for a misspelt name.

const LIKE = 0.5;

/** With a space in front, or empty when nothing is like `name`. As Elasticsearch: more than half of the letters agree. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const near = [...known]
    .map((candidate) => ({ candidate, likeness: likeness(name, candidate) }))
    .filter((row) => row.likeness > LIKE)
    .sort((a, b) => b.likeness - a.likeness)
    .map((row) => row.candidate);
  if (near.length === 0) return '';
  if (near.length === 1) return ` did you mean [${near[0]}]?`;
  return ` did you mean any of [${near.join(', ')}]?`;
}

/** 1 - edit distance / longer length. Names much longer than any we know are not compared. */
function likeness(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  if (longer > 2 * b.length) return 0;
  return 1 - editDistance(a, b) / longer;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitute = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const insert = (current[column - 1] ?? 0) + 1;
      const remove = (previous[column] ?? 0) + 1;
      current.push(Math.min(substitute, insert, remove));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
