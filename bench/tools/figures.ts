// Simple statistics and plain text tables for reports.

/** The p-quantile (0..1) of unsorted values by the nearest rank. */
export function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? Number.NaN;
}

export function printTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): void {
  const lines = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)));
  for (const line of lines) {
    console.log(
      line
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    );
  }
}
