// Prints results as plain text.
import { printTable } from '../tools/figures.ts';
import { columnsOf, type Row, reaches, type SuiteRun, tablesOf } from './result.ts';

/** Formats a number with three significant digits. */
export function figure(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '-';
  const size = Math.abs(value);
  if (size >= 100 || Number.isInteger(value)) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  return size >= 1 ? value.toFixed(2) : value.toPrecision(3);
}

/** The cells of one table, with the header first. */
export function cellsOf(rows: readonly Row[]): readonly (readonly string[])[] {
  const values = columnsOf(rows, 'values');
  const counters = columnsOf(rows, 'counters');
  const hasGoals = rows.some(({ goal }) => goal !== undefined);
  const head = [rows[0]?.unit ?? '', ...values, ...counters, ...(hasGoals ? ['goal'] : [])];
  const lines = rows.map((row) => [
    row.name,
    ...values.map((name) => figure(row.values[name])),
    ...counters.map((name) => figure(row.counters?.[name])),
    ...(hasGoals ? [goalCell(row)] : []),
  ]);
  return [head, ...lines];
}

function goalCell(row: Row): string {
  const { goal } = row;
  if (goal === undefined) return '';
  const wanted = `${goal.value} ${goal.lower ? '<=' : '>='} ${figure(goal.target)}`;
  return `${wanted}: ${reaches(row) === true ? 'ok' : 'MISSED'}`;
}

export function printRun(run: SuiteRun): void {
  for (const fact of run.facts) console.log(fact);
  for (const rows of tablesOf(run.rows)) {
    const [head = [], ...lines] = cellsOf(rows);
    printTable(head, lines);
  }
  console.log(`${run.suite}: ${run.seconds.toFixed(0)} s at load ${run.load.toFixed(2)}`);
}

export function missedGoals(runs: readonly SuiteRun[]): readonly string[] {
  return runs.flatMap(({ suite, rows }) =>
    rows
      .filter((row) => reaches(row) === false)
      .map(
        (row) =>
          `${suite}, ${row.name}: ${figure(row.values[row.goal?.value ?? ''])}, ${goalCell(row)}`,
      ),
  );
}
