// The one form in which every suite hands over what it measured; printed, saved and drawn by the files beside this one.

/** Numbers by what they are called; undefined: not measured here. */
export type Values = Readonly<Record<string, number | undefined>>;

/** What one of a row's values has to reach. */
export interface Goal {
  readonly value: string;
  readonly target: number;
  /** Smaller is better. */
  readonly lower: boolean;
}

/** One thing that was measured. Neighbouring rows of one unit are one table. */
export interface Row {
  readonly name: string;
  /** Of all values: 'us', 'documents/s', 'MiB'. */
  readonly unit: string;
  readonly values: Values;
  /** Exact counts of work for one request, whatever the machine's speed. */
  readonly counters?: Values;
  readonly goal?: Goal;
}

export interface SuiteResult {
  /** What was loaded and what was verified, a sentence each. */
  readonly facts: readonly string[];
  readonly rows: readonly Row[];
}

/** What every suite may be told. */
export interface SuiteOptions {
  /** Of a server to compare with, where a suite can. */
  readonly peer: string | undefined;
}

export type Suite = (options: SuiteOptions) => Promise<SuiteResult>;

export interface SuiteRun extends SuiteResult {
  readonly suite: string;
  readonly seconds: number;
  /** Load of the machine when the suite began: times of a busy machine are of little use. */
  readonly load: number;
}

/** Undefined: there is no goal. A value that was not measured misses it. */
export function reaches({ goal, values }: Row): boolean | undefined {
  if (goal === undefined) return undefined;
  const value = values[goal.value];
  if (value === undefined || Number.isNaN(value)) return false;
  return goal.lower ? value <= goal.target : value >= goal.target;
}

/** Neighbours of one unit together, in the order of the suite. */
export function tablesOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  const tables: Row[][] = [];
  for (const row of rows) {
    const last = tables.at(-1);
    if (last?.[0]?.unit === row.unit) last.push(row);
    else tables.push([row]);
  }
  return tables;
}

/** Names of the values or counters of some rows, in the order in which they turn up. */
export function columnsOf(rows: readonly Row[], of: 'values' | 'counters'): readonly string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row[of] ?? {})))];
}
