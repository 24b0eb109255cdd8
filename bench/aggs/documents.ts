// Documents of a log, generated from a fixed seed, and their expected counts by a loop.

export interface Row {
  readonly status: number;
  readonly user: number;
  readonly tags: readonly number[];
  readonly at: number;
  readonly latency: number;
  readonly bytes: number;
}

export const STATUSES = 10;
export const USERS = 24_000;
const TAGS = 500;
const FIRST_MS = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
const DAYS = 90;

export const MAPPINGS = {
  dynamic: false,
  properties: {
    status: { type: 'keyword' },
    user: { type: 'keyword' },
    tags: { type: 'keyword' },
    at: { type: 'date' },
    latency: { type: 'double' },
    bytes: { type: 'long' },
  },
};

/** The rows in order; they are the same in every run. */
export function* rows(count: number): Generator<Row> {
  let state = 7;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let i = 0; i < count; i++) {
    yield {
      status: Math.floor(next() ** 2 * STATUSES),
      user: Math.floor(next() * USERS),
      tags: Array.from({ length: 1 + Math.floor(next() * 4) }, () =>
        Math.floor(next() ** 2 * TAGS),
      ),
      at: FIRST_MS + Math.floor(next() * DAYS * DAY_MS),
      latency: Math.round(next() ** 3 * 1e6) / 100,
      bytes: Math.floor(next() * 100_000),
    };
  }
}

export function toSource(row: Row): string {
  return JSON.stringify({
    status: `s${row.status}`,
    user: `user-${row.user}`,
    tags: row.tags.map((tag) => `tag${tag}`),
    at: row.at,
    latency: row.latency,
    bytes: row.bytes,
  });
}

/** Counts computed without an index. */
export class Counts {
  documents = 0;
  latency = 0;
  readonly latencies: number[] = [];
  readonly byStatus = new Float64Array(STATUSES);
  readonly byTag = new Float64Array(TAGS);
  readonly byDay = new Float64Array(DAYS);
  readonly users = new Set<number>();

  add(row: Row): void {
    this.documents++;
    this.latency += row.latency;
    this.latencies.push(row.latency);
    this.byStatus[row.status] = (this.byStatus[row.status] ?? 0) + 1;
    for (const tag of new Set(row.tags)) this.byTag[tag] = (this.byTag[tag] ?? 0) + 1;
    const day = Math.floor((row.at - FIRST_MS) / DAY_MS);
    this.byDay[day] = (this.byDay[day] ?? 0) + 1;
    this.users.add(row.user);
  }
}
