// A histogram for values observed by every request. It finds a series by looking up its label
// values one by one; the Histogram of prom-client formats and hashes them for every observation.
// The scraped output is the same.
import type { Metric, MetricValueWithName, Registry } from 'prom-client';

export interface DurationsOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  /** At least one label. */
  readonly labels: readonly [Label, ...Label[]];
  /** Upper bounds in seconds, ascending. */
  readonly buckets: readonly number[];
  readonly register: Registry;
}

interface Series {
  readonly values: readonly string[];
  /** One more element than there are buckets; the last one counts values beyond all bounds. */
  readonly counts: Float64Array;
  sum: number;
}

type Branch = Map<string, Branch | Series>;

export class Durations<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  /** How prom-client combines the values of several threads. */
  readonly aggregator = 'sum';
  readonly #labels: readonly Label[];
  readonly #buckets: readonly number[];
  readonly #root: Branch = new Map();
  readonly #all: Series[] = [];

  constructor({ name, help, labels, buckets, register }: DurationsOptions<Label>) {
    this.name = name;
    this.help = help;
    this.#labels = labels;
    this.#buckets = buckets;
    // The registry uses only the name and get() of a metric.
    register.registerMetric(this as unknown as Metric);
  }

  /** `values` are the label values, in the order of the labels. */
  observe(seconds: number, ...values: readonly string[]): void {
    const series = this.#series(values);
    let bucket = 0;
    while (bucket < this.#buckets.length && seconds > (this.#buckets[bucket] ?? 0)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
  }

  #series(values: readonly string[]): Series {
    const last = this.#labels.length - 1;
    let branch = this.#root;
    for (let i = 0; i < last; i++) {
      const value = values[i] ?? '';
      let next = branch.get(value) as Branch | undefined;
      if (next === undefined) {
        next = new Map();
        branch.set(value, next);
      }
      branch = next;
    }
    const value = values[last] ?? '';
    const known = branch.get(value) as Series | undefined;
    if (known !== undefined) return known;
    const counts = new Float64Array(this.#buckets.length + 1);
    const series = { values: [...values], counts, sum: 0 };
    branch.set(value, series);
    this.#all.push(series);
    return series;
  }

  /** The metric in the form that the registry prints. */
  async get(): Promise<object> {
    return {
      name: this.name,
      help: this.help,
      type: this.type,
      aggregator: this.aggregator,
      values: this.#all.flatMap((series) => this.#printed(series)),
    };
  }

  #printed({ values, counts, sum }: Series): MetricValueWithName<string>[] {
    const labels = Object.fromEntries(this.#labels.map((label, i) => [label, values[i] ?? '']));
    let upTo = 0;
    const buckets = [...this.#buckets, '+Inf'].map((le, i) => {
      upTo += counts[i] ?? 0;
      return { labels: { ...labels, le }, value: upTo, metricName: `${this.name}_bucket` };
    });
    return [
      ...buckets,
      { labels, value: sum, metricName: `${this.name}_sum` },
      { labels, value: upTo, metricName: `${this.name}_count` },
    ];
  }

  reset(): void {
    this.#root.clear();
    this.#all.length = 0;
  }
}
