// The common form of every suite's results, which the other files of this folder print, save and
// draw.

/** Numbers by name; undefined: not measured here. */
export type Values = Readonly<Record<string, number | undefined>>;

/** The target of one of a row's values. */
export interface Goal {
  readonly value: string;
  readonly target: number;
  /** Smaller is better. */
  readonly lower: boolean;
}

/** One measurement. Adjacent rows with the same unit form a table. */
export interface Row {
  readonly name: string;
  /** Unit of all values: 'us', 'documents/s', 'MiB'. */
  readonly unit: string;
  readonly values: Values;
  /** Exact counts of work per request, which do not depend on the machine's speed. */
  readonly counters?: Values;
  readonly goal?: Goal;
}

export interface SuiteResult {
  /** The loaded data and the verified results, one sentence each. */
  readonly facts: readonly string[];
  readonly rows: readonly Row[];
}

/** Options of every suite. */
export interface SuiteOptions {
  /** Address of a server to compare with, if the suite supports it. */
  readonly peer: string | undefined;
  /** Git ref to compare with, if the suite supports it. */
  readonly base: string | undefined;
}

export type Suite = (options: SuiteOptions) => Promise<SuiteResult>;

export interface SuiteRun extends SuiteResult {
  readonly suite: string;
  readonly seconds: number;
  /** Load of the machine at the start of the suite: times of a busy machine are unreliable. */
  readonly load: number;
}

/** Undefined: the row has no goal. A value that was not measured misses it. */
export function reaches({ goal, values }: Row): boolean | undefined {
  if (goal === undefined) return undefined;
  const value = values[goal.value];
  if (value === undefined || Number.isNaN(value)) return false;
  return goal.lower ? value <= goal.target : value >= goal.target;
}

/** Adjacent rows with the same unit form a table, in the order of the suite. */
export function tablesOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  const tables: Row[][] = [];
  for (const row of rows) {
    const last = tables.at(-1);
    if (last?.[0]?.unit === row.unit) last.push(row);
    else tables.push([row]);
  }
  return tables;
}

/** Names of the values or counters of the rows, in the order of their first occurrence. */
export function columnsOf(rows: readonly Row[], of: 'values' | 'counters'): readonly string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row[of] ?? {})))];
}
