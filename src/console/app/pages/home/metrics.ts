// Reads the text of /v1/metrics, and what changed between two readings of it.

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
export type Samples = ReadonlyMap<string, readonly Sample[]>;
type Labels = Readonly<Record<string, string>>;

const LINE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/;
const LABEL = /([A-Za-z_]\w{0,99})="((?:[^"\\]|\\.)*)"/g;

/** Lines that are no samples are skipped. */
export function readMetrics(text: string): Samples {
  const found = new Map<string, Sample[]>();
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) continue;
    const [, name, labelText = '', number = ''] = LINE.exec(line) ?? [];
    if (name === undefined) continue;
    const samples = found.get(name) ?? [];
    samples.push({ labels: readLabels(labelText), value: Number(number) });
    found.set(name, samples);
  }
  return found;
}

function readLabels(text: string): Labels {
  const labels: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(LABEL)) {
    labels[name] = value.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign));
  }
  return labels;
}

/** The sum of the samples that have these labels; undefined if the metric is not there. */
export function sumOf(samples: Samples, name: string, labels: Labels = {}): number | undefined {
  const all = samples.get(name);
  if (all === undefined) return undefined;
  const wanted = Object.entries(labels);
  return all
    .filter((sample) => wanted.every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

/** Increase per second; null where a counter began again. */
export function rateOf(
  before: Samples,
  after: Samples,
  seconds: number,
  name: string,
  labels: Labels = {},
): number | null {
  const increase = (sumOf(after, name, labels) ?? 0) - (sumOf(before, name, labels) ?? 0);
  return increase < 0 || seconds <= 0 ? null : increase / seconds;
}

/**
 * A percentile of what a histogram saw between two readings, interpolated within its bucket; null if
 * it saw nothing.
 */
export function percentileOf(
  before: Samples,
  after: Samples,
  share: number,
  name: string,
  labels: Labels = {},
): number | null {
  const earlier = bucketsOf(before, name, labels);
  const buckets = [...bucketsOf(after, name, labels)]
    .map(([bound, count]) => ({ bound, count: count - (earlier.get(bound) ?? 0) }))
    .sort((a, b) => a.bound - b.bound);
  const total = buckets.at(-1)?.count ?? 0;
  if (total <= 0) return null;
  const wanted = total * share;
  let low = 0;
  let below = 0;
  for (const { bound, count } of buckets) {
    if (count >= wanted) {
      if (!Number.isFinite(bound)) return low;
      return low + ((bound - low) * (wanted - below)) / (count - below);
    }
    low = bound;
    below = count;
  }
  return low;
}

/** The cumulated counts by upper bound. */
function bucketsOf(samples: Samples, name: string, labels: Labels): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const wanted = Object.entries(labels);
  for (const sample of samples.get(`${name}_bucket`) ?? []) {
    if (!wanted.every(([label, value]) => sample.labels[label] === value)) continue;
    const le = sample.labels['le'] ?? '';
    const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
    counts.set(bound, (counts.get(bound) ?? 0) + sample.value);
  }
  return counts;
}
