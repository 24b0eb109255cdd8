// Rates and times of the last minutes, from the difference of two readings of /v1/metrics.
import { useRef } from 'preact/hooks';
import { callText } from '../../kit/api.js';
import { bytesText, durationText, numberText } from '../../kit/format.js';
import { LoadedView, useLoad } from '../../kit/load.js';
import { Plot } from '../../kit/plot.js';
import { percentileOf, rateOf, readMetrics, type Samples, sumOf } from './metrics.js';

/** Ten open pages shall not be felt by searches. */
const EVERY_MS = 10_000;
/** Ten minutes. */
const MOST_POINTS = 60;

interface Point {
  readonly time: number;
  readonly searches: number | null;
  readonly writes: number | null;
  readonly requests: number | null;
  readonly p99: number | null;
  readonly median: number | null;
  readonly memory: number | null;
  readonly merges: number | null;
}

interface History {
  readonly latest: Samples;
  readonly points: readonly Point[];
}

const SEARCH = 'quarry_search_duration_seconds';
const WRITES = 'quarry_write_operations_total';
const REQUESTS = 'quarry_http_request_duration_seconds';
const MEMORY = 'quarry_process_resident_memory_bytes';
const MERGED = 'quarry_merged_bytes_total';
const TOTAL = { phase: 'total' };

/** The metrics of the page; the others cost the service as much again to print. */
function shownNames(): string {
  return [SEARCH, WRITES, REQUESTS, MEMORY, MERGED, ...FACTS.map(([, fact]) => fact)].join();
}

export function LivePlots() {
  const history = useRef<{ time: number; samples: Samples; points: Point[] }>(undefined);
  const loaded = useLoad<History>(
    async (signal) => {
      const text = await callText('GET', '/v1/metrics', undefined, {
        signal,
        params: { name: shownNames() },
      });
      const samples = readMetrics(text);
      const time = Date.now();
      const before = history.current;
      const points =
        before === undefined
          ? []
          : [...before.points, pointOf(before.samples, samples, before.time, time)];
      history.current = { time, samples, points: points.slice(-MOST_POINTS) };
      return { latest: samples, points: history.current.points };
    },
    [],
    { everyMs: EVERY_MS },
  );
  return (
    <LoadedView of={loaded} what="the metrics">
      {({ latest, points }) => (
        <>
          <Facts latest={latest} />
          <div class="grid">
            <TimePlot title="Searches a second" points={points} members={['searches']} />
            <TimePlot title="Writes a second" points={points} members={['writes']} />
            <TimePlot
              title="Time of a search"
              points={points}
              members={['p99', 'median']}
              format={(ms) => durationText(ms)}
            />
            <TimePlot title="Requests a second" points={points} members={['requests']} />
            <TimePlot
              title="Memory of the process"
              points={points}
              members={['memory']}
              format={bytesText}
            />
            <TimePlot
              title="Merged a second"
              points={points}
              members={['merges']}
              format={bytesText}
            />
          </div>
        </>
      )}
    </LoadedView>
  );
}

function pointOf(before: Samples, after: Samples, from: number, time: number): Point {
  const seconds = (time - from) / 1000;
  const rate = (name: string, labels = {}): number | null =>
    rateOf(before, after, seconds, name, labels);
  const percentile = (share: number): number | null => {
    const found = percentileOf(before, after, share, SEARCH, TOTAL);
    return found === null ? null : found * 1000;
  };
  return {
    time,
    searches: rate(`${SEARCH}_count`, TOTAL),
    writes: rate(WRITES),
    requests: rate(`${REQUESTS}_count`),
    p99: percentile(0.99),
    median: percentile(0.5),
    memory: sumOf(after, MEMORY) ?? null,
    merges: rate(MERGED),
  };
}

const LABELS: Readonly<Partial<Record<keyof Point, string>>> = { p99: 'p99', median: 'median' };

function TimePlot({
  title,
  points,
  members,
  format = numberText,
}: {
  readonly title: string;
  readonly points: readonly Point[];
  readonly members: readonly (keyof Point)[];
  readonly format?: (value: number) => string;
}) {
  return (
    <div class="panel">
      <Plot
        title={title}
        times={points.map(({ time }) => time)}
        series={members.map((member) => ({
          label: LABELS[member] ?? '',
          values: points.map((point) => point[member]),
        }))}
        format={format}
      />
    </div>
  );
}

const FACTS: readonly (readonly [
  title: string,
  name: string,
  format: (value: number) => string,
])[] = [
  ['Documents', 'quarry_documents', numberText],
  ['On disk', 'quarry_disk_bytes', bytesText],
  ['Free on the disk', 'quarry_disk_free_bytes', bytesText],
  ['Memory limit', 'quarry_memory_limit_bytes', bytesText],
  ['Log', 'quarry_wal_bytes', bytesText],
  ['Segments', 'quarry_segments', numberText],
  ['Vectors', 'quarry_vectors', numberText],
  ['Namespaces', 'quarry_namespaces', numberText],
];

function Facts({ latest }: { readonly latest: Samples }) {
  return (
    <dl class="figures">
      {FACTS.map(([title, name, format]) => {
        const value = sumOf(latest, name);
        return value === undefined ? null : (
          <div key={name}>
            <dt>{title}</dt>
            <dd>{format(value)}</dd>
          </div>
        );
      })}
    </dl>
  );
}
