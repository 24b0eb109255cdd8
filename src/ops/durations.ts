// A histogram of what every request observes: its series are found by the values of their labels, one after the other, where a
// Histogram of prom-client makes and hashes a text of them for every observation. What is scraped is the same.
import type { Metric, MetricValueWithName, Registry } from 'prom-client';

export interface DurationsOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  /** At least one. */
  readonly labels: readonly [Label, ...Label[]];
  /** Upper bounds in seconds, ascending. */
  readonly buckets: readonly number[];
  readonly register: Registry;
}

interface Series {
  readonly values: readonly string[];
  /** One more than buckets: the last holds what is beyond all bounds. */
  readonly counts: Float64Array;
  sum: number;
}

type Branch = Map<string, Branch | Series>;

export class Durations<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  /** Of several threads. */
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
    // A registry asks no more of a metric than its name and get().
    register.registerMetric(this as unknown as Metric);
  }

  /** `values`: of the labels, in their order. */
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

  /** As the registry prints it. */
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
