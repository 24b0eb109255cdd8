// Which row of a sheet names its columns. Above it may stand a title and what else people write there.
import { columnNames } from './csv.js';

export interface Cell {
  /** From 0. */
  readonly column: number;
  readonly value: string | number | boolean;
  /** Neither a number, nor a day, nor a flag. */
  readonly isText: boolean;
}

export interface Row {
  /** From 1, as programs count them. */
  readonly number: number;
  readonly cells: readonly Cell[];
}

/** Rows in which it is looked for. */
export const HEADER_ROWS = 20;
/** Cells of a row that names columns, of those of the widest one. */
const FULL = 0.75;

export interface Header {
  /** Records follow it. 0: no row names the columns. */
  readonly row: number;
  /** By column; those beyond the last are named by their number. */
  readonly names: readonly string[];
}

/** `rows`: the first ones that are not empty. */
export function headerOf(rows: readonly Row[]): Header {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  for (const row of rows.slice(0, -1)) {
    const below = rows.slice(rows.indexOf(row) + 1);
    if (width > 1 ? isFull(row, width) : rowsDiffer(row, below)) {
      return { row: row.number, names: namesOf(row) };
    }
  }
  return { row: 0, names: [] };
}

function isFull({ cells }: Row, width: number): boolean {
  if (cells.length < Math.max(2, width * FULL)) return false;
  const names = cells.map(({ value }) => String(value).trim().toLowerCase());
  const isName = (cell: Cell): boolean => cell.isText || isYear(cell.value);
  return (
    cells.every(isName) &&
    cells.some(({ isText }) => isText) &&
    new Set(names).size === names.length
  );
}

/** Years stand above columns, as numbers. */
function isYear(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value > 1900 && value < 2100;
}

/** One column: a word above numbers. Words above words are a list. */
function rowsDiffer({ cells }: Row, below: readonly Row[]): boolean {
  const hasText = cells.every(({ isText }) => isText);
  return hasText && below.every((row) => row.cells.every(({ isText }) => !isText));
}

function namesOf({ cells }: Row): readonly string[] {
  const texts = new Array<string>((cells.at(-1)?.column ?? 0) + 1).fill('');
  for (const { column, value } of cells) texts[column] = String(value);
  return columnNames(texts);
}

export function documentOf({ cells }: Row, { names }: Header): Record<string, unknown> {
  const doc: Record<string, unknown> = {};
  for (const { column, value } of cells) doc[names[column] ?? `column_${column + 1}`] = value;
  return doc;
}
