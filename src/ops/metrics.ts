// The metrics registry (prom-client), with every metric of the service, its help text, unit and
// bounded labels.
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  type MetricValueWithName,
  Registry,
} from 'prom-client';
import { Durations } from './durations.js';

const LATENCY_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** For each label value, a function that reads its number. */
export type Readers = Readonly<Record<string, () => number>>;

/** Metrics of one thread with their values, as they are sent to another thread. */
export type MetricValues = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Metrics that every thread that answers requests counts for itself. */
const EVERYWHERE =
  /^quarry_(http_request_duration_seconds|search_.+|slow_searches_total|rejected_total|inline_attempts)$/;

/** One per thread that answers requests. `close()` stops the collectors of process-wide values. */
export class Metrics {
  readonly registry = new Registry();
  #elsewhere: () => Promise<readonly MetricValues[]> = async () => [];

  readonly httpSeconds = new Durations({
    name: 'quarry_http_request_duration_seconds',
    help: 'Time from the request line to the end of the answer, by route and status class.',
    labels: ['method', 'route', 'status'],
    buckets: LATENCY_BUCKETS,
    register: this.registry,
  });
  readonly searchSeconds = new Durations({
    name: 'quarry_search_duration_seconds',
    help: 'Time of a search in the coordinator, by mode (lexical, knn, hybrid, semantic, aggregation) and phase.',
    labels: ['mode', 'phase'],
    buckets: LATENCY_BUCKETS,
    register: this.registry,
  });
  /**
   * Incremented by every search, several at a time; plain numbers that are read only at scrape
   * time.
   */
  readonly searchWork = {
    blocksDecoded: 0,
    docsScored: 0,
    docsSorted: 0,
    positionsRead: 0,
    termsVisited: 0,
    postingsBytes: 0,
    sketchDistances: 0,
    codeDistances: 0,
    floatDistances: 0,
    graphHops: 0,
    vectorBytes: 0,
  };
  readonly slowSearches = new Counter({
    name: 'quarry_slow_searches_total',
    help: 'Searches beyond a threshold of the slow-query log, by its level and phase.',
    labelNames: ['level', 'phase'] as const,
    registers: [this.registry],
  });
  readonly taskSeconds = new Histogram({
    name: 'quarry_pool_task_duration_seconds',
    help: 'Time of a task of a thread pool, from being handed over to its answer, waiting included.',
    labelNames: ['pool', 'task'] as const,
    buckets: LATENCY_BUCKETS,
    registers: [this.registry],
  });
  readonly writeOperations = new Counter({
    name: 'quarry_write_operations_total',
    help: 'Write operations by kind and outcome.',
    labelNames: ['op', 'outcome'] as const,
    registers: [this.registry],
  });
  readonly walSyncSeconds = new Histogram({
    name: 'quarry_wal_sync_duration_seconds',
    help: 'Time of one sync of the log to stable storage.',
    buckets: LATENCY_BUCKETS,
    registers: [this.registry],
  });
  readonly backgroundSeconds = new Histogram({
    name: 'quarry_background_duration_seconds',
    help: 'Time of one refresh, flush, merge or recovery of a shard.',
    labelNames: ['kind'] as const,
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120],
    registers: [this.registry],
  });
  readonly inferenceSeconds = new Histogram({
    name: 'quarry_inference_request_duration_seconds',
    help: 'Time of one request to an embeddings service, by what became of it.',
    labelNames: ['outcome'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });
  readonly snapshotSeconds = new Histogram({
    name: 'quarry_snapshot_duration_seconds',
    help: 'Time of one snapshot or restore, by what became of it.',
    labelNames: ['kind', 'outcome'] as const,
    buckets: [0.1, 1, 10, 60, 600, 3600, 6 * 3600],
    registers: [this.registry],
  });
  readonly rejected = new Counter({
    name: 'quarry_rejected_total',
    help: 'Requests refused because a queue or limit was full.',
    labelNames: ['kind'] as const,
    registers: [this.registry],
  });

  /** With `process`, includes values of the whole process. */
  constructor({ process = true } = {}) {
    if (process) collectDefaultMetrics({ register: this.registry, prefix: 'quarry_' });
    this.#countSearchWork();
    // Rare events are initialised with 0, because a counter that first appears with a value shows
    // no increase.
    for (const kind of ['snapshot', 'restore']) {
      for (const outcome of ['success', 'partial', 'failed']) {
        this.snapshotSeconds.zero({ kind, outcome });
      }
    }
  }

  #countSearchWork(): void {
    const work = this.searchWork;
    const count = (name: string, help: string, read: () => number): void => {
      new Counter({
        name: `quarry_search_${name}_total`,
        help,
        registers: [this.registry],
        collect(): void {
          this.reset();
          this.inc(read());
        },
      });
    };
    count('blocks_decoded', 'Postings blocks decoded by searches.', () => work.blocksDecoded);
    count('documents_scored', 'Documents scored by searches.', () => work.docsScored);
    const sorted = 'Documents whose sort keys were read by searches.';
    count('documents_sorted', sorted, () => work.docsSorted);
    const positions = 'Positions of words read by searches, for phrases.';
    count('positions_read', positions, () => work.positionsRead);
    const terms = 'Terms that searches looked up or went through in dictionaries.';
    count('terms_visited', terms, () => work.termsVisited);
    const bytes = 'Bytes of postings blocks read by searches.';
    count('postings_bytes', bytes, () => work.postingsBytes);
    const hops = 'Nodes of vector graphs expanded by searches.';
    count('graph_hops', hops, () => work.graphHops);
    const vectors = 'Bytes of vectors and their codes read by searches.';
    count('vector_bytes', vectors, () => work.vectorBytes);
    new Counter({
      name: 'quarry_search_vector_distances_total',
      help: 'Distances computed by searches, by what they were computed from.',
      labelNames: ['codes'] as const,
      registers: [this.registry],
      collect(): void {
        this.reset();
        this.inc({ codes: 'sketch' }, work.sketchDistances);
        this.inc({ codes: 'int8' }, work.codeDistances);
        this.inc({ codes: 'float' }, work.floatDistances);
      },
    });
  }

  /** Registers a gauge that is read at scrape time. */
  observe(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect(): void {
        this.set(read());
      },
    });
  }

  /** Registers gauges of one name that differ in a label with a fixed set of values. */
  observeEach(name: string, help: string, label: string, reads: Readers): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect(): void {
        for (const [value, read] of Object.entries(reads)) this.set({ [label]: value }, read());
      },
    });
  }

  /** Registers a counter that is maintained elsewhere and read at scrape time. */
  count(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers: [this.registry],
      collect(): void {
        this.reset();
        this.inc(read());
      },
    });
  }

  /**
   * Registers counters of one name that differ in a label with a fixed set of values, read at
   * scrape time.
   */
  countEach(name: string, help: string, label: string, reads: Readers): void {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect(): void {
        this.reset();
        for (const [value, read] of Object.entries(reads)) this.inc({ [label]: value }, read());
      },
    });
  }

  /** `read` returns values() of other threads, which are added to those of this thread. */
  addThreads(read: () => Promise<readonly MetricValues[]>): void {
    this.#elsewhere = read;
  }

  /** Number of requests by method and route, over all threads. */
  async requestCounts(): Promise<
    readonly { readonly method: string; readonly route: string; readonly count: number }[]
  > {
    const all = [...(await this.values()), ...(await this.#elsewhere()).flat()];
    const counts = `${this.httpSeconds.name}_count`;
    return all
      .filter(({ name }) => name === this.httpSeconds.name)
      .flatMap(({ values }) => values as readonly MetricValueWithName<string>[])
      .filter(({ metricName }) => metricName === counts)
      .map(({ labels, value }) => {
        return { method: String(labels['method']), route: String(labels['route']), count: value };
      });
  }

  /** Names of all metrics. */
  get names(): readonly string[] {
    return this.registry.getMetricsAsArray().map(({ name }) => name);
  }

  /** The values of this thread for the metrics that every thread counts. */
  async values(): Promise<MetricValues> {
    const counted = this.registry.getMetricsAsArray().filter(({ name }) => EVERYWHERE.test(name));
    const read = counted.map(({ name }) => this.registry.getSingleMetric(name)?.get());
    return (await Promise.all(read)) as unknown as MetricValues;
  }

  /** The Prometheus text format of all metrics, or of those with these names. */
  async text(names: readonly string[] = this.names): Promise<string> {
    const own = names.filter((name) => !EVERYWHERE.test(name));
    const texts = await Promise.all(own.map((name) => this.registry.getSingleMetricAsString(name)));
    const added = names.length === own.length ? '' : await this.#added(new Set(names));
    return spelled(`${[...texts, added].filter((text) => text !== '').join('\n\n')}\n`);
  }

  /** The sums over all threads. */
  async #added(names: ReadonlySet<string>): Promise<string> {
    const threads = [await this.values(), ...(await this.#elsewhere())];
    const chosen = threads.map((values) => values.filter(({ name }) => names.has(name)));
    const sums = AggregatorRegistry.aggregate(chosen as unknown as object[]);
    return (await sums.metrics()).trimEnd();
  }
  get contentType(): string {
    return this.registry.contentType;
  }

  close(): void {
    this.registry.clear();
  }
}

/** prom-client writes `Nan` where the format requires `NaN`. */
function spelled(text: string): string {
  return text.replaceAll(/^([^#\n].*) Nan$/gm, '$1 NaN');
}
