// Finds the header row of a sheet. It may be preceded by a title and by other rows.
import { columnNames } from './csv.js';

export interface Cell {
  /** From 0. */
  readonly column: number;
  readonly value: string | number | boolean;
  /** Not a number, date or flag. */
  readonly isText: boolean;
}

export interface Row {
  /** From 1, as in spreadsheet programs. */
  readonly number: number;
  readonly cells: readonly Cell[];
}

/** Number of rows in which the header is searched. */
export const HEADER_ROWS = 20;
/** Minimum share of the cells of the widest row that a header row fills. */
const FULL = 0.75;

export interface Header {
  /** Records follow this row. 0: there is no header row. */
  readonly row: number;
  /** Names by column; further columns are named by their number. */
  readonly names: readonly string[];
}

/** `rows`: the first non-empty rows. */
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

/** Years may be column names and are stored as numbers. */
function isYear(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value > 1900 && value < 2100;
}

/** In a single column, a header is a text above numbers. A text above texts is a list. */
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
