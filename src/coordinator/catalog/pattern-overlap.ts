// Decides whether some name matches two patterns.

/** Stars match any run of characters. Time is proportional to the product of the lengths. */
export function patternsOverlap(a: string, b: string): boolean {
  // reach[j]: some name matches the prefix of `a` read so far and the first j characters of `b`.
  let reach = firstRow(b);
  for (const letter of a) {
    const next: boolean[] = [letter === '*' && reach[0] === true];
    for (let j = 1; j <= b.length; j++) {
      const other = b[j - 1];
      const isStar = letter === '*' || other === '*';
      next[j] = isStar
        ? reach[j] === true || next[j - 1] === true
        : letter === other && reach[j - 1] === true;
    }
    reach = next;
  }
  return reach[b.length] === true;
}

/** The row for the empty prefix, which only stars match. */
function firstRow(b: string): boolean[] {
  const row = [true];
  for (let j = 1; j <= b.length; j++) row[j] = b[j - 1] === '*' && row[j - 1] === true;
  return row;
}
