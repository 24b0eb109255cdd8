// Draws one table as a chart: for every row a bar for each value on one scale, which is logarithmic
// if the values differ widely.
import { figure } from './print.ts';
import { columnsOf, type Row } from './result.ts';

const COLORS = ['#2563a8', '#8fb8de', '#c2571a', '#e8b48c', '#3c7d3c', '#a9cfa9', '#6b4e9b'];
const LABELS = 250;
const BARS = 430;
const NUMBERS = 90;
const BAR = 11;
const GAP = 7;
/** Ratio of the largest to the smallest value from which on the scale is logarithmic. */
const FAR_APART = 100;

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function scaleOf(values: readonly number[]): (value: number) => number {
  const above = values.filter((value) => value > 0);
  const [least, most] = [Math.min(...above), Math.max(...above)];
  if (above.length === 0) return () => 0;
  if (most / least <= FAR_APART) return (value) => (Math.max(value, 0) / most) * BARS;
  const low = Math.log(least / 2);
  return (value) => (value <= 0 ? 0 : ((Math.log(value) - low) / (Math.log(most) - low)) * BARS);
}

export function toChart(rows: readonly Row[]): string {
  const columns = columnsOf(rows, 'values');
  const numbers = rows.flatMap(({ values }) => Object.values(values));
  const scale = scaleOf(numbers.filter((value): value is number => value !== undefined));
  const height = columns.length * BAR + GAP;
  const parts = rows.flatMap((row, at) => drawRow(row, columns, at * height, scale));
  const legend = columns.map(
    (name, i) =>
      `<span><i style="background:${COLORS[i % COLORS.length]}"></i>${escapeHtml(name)}</span>`,
  );
  const size = `width="${LABELS + BARS + NUMBERS}" height="${rows.length * height}"`;
  return `<p class="legend">${legend.join(' ')}</p>\n<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">\n${parts.join('\n')}\n</svg>`;
}

function drawRow(
  row: Row,
  columns: readonly string[],
  top: number,
  scale: (value: number) => number,
): readonly string[] {
  const middle = top + (columns.length * BAR) / 2 + 4;
  const bars = columns.flatMap((column, i) => {
    const value = row.values[column];
    if (value === undefined || Number.isNaN(value)) return [];
    const width = Math.max(scale(value), 1).toFixed(1);
    const y = top + i * BAR;
    const right = (LABELS + 4 + Number(width)).toFixed(1);
    return [
      `<rect x="${LABELS}" y="${y}" width="${width}" height="${BAR - 1}" fill="${COLORS[i % COLORS.length]}"/>`,
      `<text x="${right}" y="${y + BAR - 2}" class="number">${figure(value)}</text>`,
    ];
  });
  const label = `<text x="${LABELS - 8}" y="${middle}" text-anchor="end">${escapeHtml(row.name)}</text>`;
  return [label, ...bars];
}
