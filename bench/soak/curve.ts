// Decides whether a series is stable, and draws several of them.

export interface Series {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
  /**
   * The quantile of each third that is compared: 0.5 the median, 0.1 the floor between garbage
   * collections.
   */
  readonly quantile: number;
  /**
   * Tolerated growth of the last third over the previous one: a share of it (`share`), and an
   * absolute amount that is noise (`slack`).
   */
  readonly share: number;
  readonly slack: number;
}

export interface Verdict {
  readonly before: number;
  readonly after: number;
  readonly flat: boolean;
}

/** The first third is the warm-up; the other two are compared. */
export function verdict({ values, quantile, share, slack }: Series): Verdict {
  const third = Math.floor(values.length / 3);
  const before = quantileOf(values.slice(third, 2 * third), quantile);
  const after = quantileOf(values.slice(2 * third), quantile);
  return { before, after, flat: after <= before * (1 + share) + slack };
}

function quantileOf(values: readonly number[], quantile: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * quantile)] ?? Number.NaN;
}

const WIDTH = 760;
const HEIGHT = 110;
const LEFT = 90;

/** One strip for each series over the same time. */
export function toSvg(series: readonly Series[], seconds: number): string {
  const strips = series.map((one, i) => strip(one, i * (HEIGHT + 40) + 30));
  const height = series.length * (HEIGHT + 40) + 40;
  const axis = `<text x="${LEFT}" y="${height - 12}">0 s</text><text x="${LEFT + WIDTH}" y="${height - 12}" text-anchor="end">${Math.round(seconds)} s</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + WIDTH + 20}" height="${height}" font-family="sans-serif" font-size="12">
<title>${series.map(({ name }) => name).join(', ')}</title>
<rect width="100%" height="100%" fill="white"/>
${strips.join('\n')}
${axis}
</svg>
`;
}

function strip(series: Series, top: number): string {
  const { name, unit, values } = series;
  const most = Math.max(...values) * 1.1 || 1;
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values
    .map((v, i) => `${(LEFT + i * step).toFixed(1)},${(top + HEIGHT * (1 - v / most)).toFixed(1)}`)
    .join(' ');
  const { before, after, flat } = verdict(series);
  const change = `${before.toPrecision(3)} → ${after.toPrecision(3)} ${unit}${flat ? '' : ', grows'}`;
  return `<text x="${LEFT}" y="${top - 8}">${name}: ${change}</text>
<text x="${LEFT - 6}" y="${top + 10}" text-anchor="end">${most.toPrecision(3)}</text>
<text x="${LEFT - 6}" y="${top + HEIGHT}" text-anchor="end">0</text>
<rect x="${LEFT}" y="${top}" width="${WIDTH}" height="${HEIGHT}" fill="none" stroke="#bbb"/>
<polyline points="${points}" fill="none" stroke="${flat ? '#1f6f43' : '#b3261e'}" stroke-width="1.5"/>`;
}
