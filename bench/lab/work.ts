// Exact counts of the work of searches, from the service's own metrics: the same on every machine
// and at any load.
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Counts by the prefix of their lines in the metrics; values with different labels are added up.
 */
const COUNTS: Readonly<Record<string, string>> = {
  blocks: 'quarry_search_blocks_decoded_total',
  scored: 'quarry_search_documents_scored_total',
  sorted: 'quarry_search_documents_sorted_total',
  positions: 'quarry_search_positions_read_total',
  terms: 'quarry_search_terms_visited_total',
  'postings bytes': 'quarry_search_postings_bytes_total',
  distances: 'quarry_search_vector_distances_total',
  hops: 'quarry_search_graph_hops_total',
  'vector bytes': 'quarry_search_vector_bytes_total',
};

export type Work = Readonly<Record<string, number>>;

/** NaN for a count that the service does not have: an older one knows fewer. */
export function readWork(scrape: string): Work {
  const lines = scrape.split('\n');
  return Object.fromEntries(
    Object.entries(COUNTS).map(([name, metric]) => {
      const mine = lines.filter(
        (line) => line.startsWith(`${metric} `) || line.startsWith(`${metric}{`),
      );
      if (mine.length === 0) return [name, Number.NaN];
      return [name, mine.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)];
    }),
  );
}

/** The work per request; counts that are zero are left out. */
export function workBetween(before: Work, after: Work, requests: number): Work {
  const each = Object.entries(after).map(
    ([name, count]) => [name, (count - (before[name] ?? 0)) / requests] as const,
  );
  return Object.fromEntries(each.filter(([, count]) => count !== 0));
}

/**
 * CPU time of all threads of a process in milliseconds, with a resolution of nanoseconds; other
 * processes do not count.
 */
export function processorMs(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const threads = readdirSync(tasks).map((task) => runtimeOf(`${tasks}/${task}/schedstat`));
  return threads.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

/** A thread may end while the others are read. */
function runtimeOf(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}
