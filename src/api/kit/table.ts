// The text tables of the _cat routes: column selection by name or alias, sorting, alignment,
// header; or the same rows as JSON or YAML.

import { printSize, printTime } from '../../base/units.js';
import { patternMatcher } from '../../base/wildcard.js';
import { QuarryError } from '../../errors.js';
import { formatOf, prefersData } from './media-types.js';
import { splitList } from './params.js';
import type { Answer, ApiRequest } from './routes.js';

export interface Column {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly about: string;
  /** Whether the column is shown without `h`. */
  readonly shown: boolean;
  readonly right?: true;
  /** The value is in bytes, printed in the unit of the parameter `bytes`. */
  readonly bytes?: true;
  /** The value is in milliseconds, printed in the unit of the parameter `time`. */
  readonly time?: true;
}

/** Cells by column name; a missing cell is empty. */
export type Row = Readonly<Record<string, string | number | null>>;

export const TABLE_PARAMS = [
  'h',
  'v',
  's',
  'help',
  'bytes',
  'time',
  'format',
  'local',
  'master_timeout',
];

const BYTE_UNITS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1024,
  k: 1024,
  mb: 1024 ** 2,
  m: 1024 ** 2,
  gb: 1024 ** 3,
  g: 1024 ** 3,
  tb: 1024 ** 4,
  t: 1024 ** 4,
  pb: 1024 ** 5,
  p: 1024 ** 5,
};

/** Units of `time` in milliseconds. */
const TIME_UNITS: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Size of the requested units in bytes and in milliseconds; undefined selects a readable unit per
 * value.
 */
interface Units {
  readonly bytes: number | undefined;
  readonly time: number | undefined;
}

export function tableAnswer(
  request: ApiRequest,
  columns: readonly Column[],
  rows: readonly Row[],
): Answer {
  const { params } = request;
  if (params.flag('help') === true) return { status: 200, text: helpText(columns) };
  const picked = pickColumns(columns, params.text('h'));
  const sorted = sortRows(columns, rows, params.text('s'));
  const units = {
    bytes: readUnit('bytes', params.text('bytes'), BYTE_UNITS),
    time: readUnit('time', params.text('time'), TIME_UNITS),
  };
  const cells = sorted.map((row) => picked.map((column) => cell(row, column, units)));
  const format = params.text('format');
  const asText = format === 'text' || (format === undefined && !prefersData(request.accept));
  if (asText) return { status: 200, text: layOut(picked, cells, params.flag('v') ?? false) };
  if (format !== undefined) formatOf(format);
  const body = cells.map((line) =>
    Object.fromEntries(line.map((value, i) => [picked[i]?.shownAs ?? '', value])),
  );
  return { status: 200, body };
}

type PickedColumn = Column & { readonly shownAs: string };

function pickColumns(
  columns: readonly Column[],
  wanted: string | undefined,
): readonly PickedColumn[] {
  if (wanted === undefined) {
    return columns
      .filter((column) => column.shown)
      .map((column) => ({ ...column, shownAs: column.name }));
  }
  // Like Elasticsearch, shows a column once if `h` repeats its name.
  const picked = new Map<string, PickedColumn>();
  for (const name of new Set(columnNames('h', wanted))) {
    for (const column of columnsNamed(columns, name)) {
      if (!picked.has(column.shownAs)) picked.set(column.shownAs, column);
    }
  }
  return [...picked.values()];
}

function columnsNamed(columns: readonly Column[], name: string): readonly PickedColumn[] {
  if (name.includes('*')) {
    const matches = patternMatcher(name);
    return columns
      .filter((column) => namesOf(column).some(matches))
      .map((column) => ({ ...column, shownAs: column.name }));
  }
  const column = findColumn(columns, name);
  return column === undefined ? [] : [{ ...column, shownAs: name }];
}

/** Maximum number of names in `h` or `s`. */
const MAX_NAMES = 500;

function columnNames(param: 'h' | 's', list: string): readonly string[] {
  const names = splitList(list);
  if (names.length <= MAX_NAMES) return names;
  throw new QuarryError(
    'illegal_argument_exception',
    `[${param}] names [${names.length}] columns, more than [${MAX_NAMES}]: name each once, or use patterns`,
  );
}

function namesOf(column: Column): readonly string[] {
  return [column.name, ...(column.aliases ?? [])];
}

/** Finds a column by name, else by alias. */
function findColumn(columns: readonly Column[], name: string): Column | undefined {
  return (
    columns.find((column) => column.name === name) ??
    columns.find((column) => column.aliases?.includes(name) === true)
  );
}

function sortRows(
  columns: readonly Column[],
  rows: readonly Row[],
  order: string | undefined,
): readonly Row[] {
  if (order === undefined) return rows;
  const all = columnNames('s', order).map((key) => {
    const [name = '', direction = 'asc'] = key.split(':');
    const column = findColumn(columns, name);
    if (column === undefined) {
      throw new QuarryError(
        'illegal_argument_exception',
        `Unable to sort by unknown sort key \`${name}\``,
      );
    }
    if (direction !== 'asc' && direction !== 'desc') {
      throw new QuarryError(
        'illegal_argument_exception',
        `Unable to sort by [${name}] in the order [${direction}], expected [asc] or [desc]`,
      );
    }
    return { name: column.name, sign: direction === 'desc' ? -1 : 1 };
  });
  // If `s` repeats a column, its first occurrence counts.
  const keys = all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at);
  return rows.toSorted((a, b) => {
    for (const { name, sign } of keys) {
      const order = compareCells(a[name] ?? null, b[name] ?? null);
      if (order !== 0) return order * sign;
    }
    return 0;
  });
}

function compareCells(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

function readUnit(
  param: string,
  name: string | undefined,
  units: Readonly<Record<string, number>>,
): number | undefined {
  if (name === undefined) return undefined;
  const unit = Object.hasOwn(units, name) ? units[name] : undefined;
  if (unit !== undefined) return unit;
  throw new QuarryError(
    'illegal_argument_exception',
    `Unknown value for ${param}: [${name}], expected one of [${Object.keys(units).join(', ')}]`,
  );
}

function cell(row: Row, column: Column, units: Units): string | null {
  const value = row[column.name] ?? null;
  if (value === null) return null;
  if (typeof value !== 'number') return value;
  if (column.bytes === true) return inUnit(value, units.bytes, printSize);
  if (column.time === true) return inUnit(value, units.time, printTime);
  return String(value);
}

function inUnit(value: number, unit: number | undefined, human: (n: number) => string): string {
  return unit === undefined ? human(value) : String(Math.floor(value / unit));
}

function layOut(
  columns: readonly PickedColumn[],
  cells: readonly (readonly (string | null)[])[],
  header: boolean,
): string {
  const lines = header ? [columns.map((column) => column.shownAs), ...cells] : cells;
  const widths = columns.map((_, i) =>
    lines.reduce((width, line) => Math.max(width, (line[i] ?? '').length), 0),
  );
  return lines
    .map((line) => {
      const padded = columns.map((column, i) => {
        const text = line[i] ?? '';
        const width = widths[i] ?? 0;
        if (column.right === true) return text.padStart(width);
        return i === columns.length - 1 ? text : text.padEnd(width);
      });
      return `${padded.join(' ')}\n`;
    })
    .join('');
}

function helpText(columns: readonly Column[]): string {
  const rows = columns.map((column) => [
    column.name,
    (column.aliases ?? []).join(','),
    column.about,
  ]);
  const widths = [0, 1].map((i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  return rows
    .map(([name = '', aliases = '', about = '']) => {
      return `${name.padEnd(widths[0] ?? 0)} | ${aliases.padEnd(widths[1] ?? 0)} | ${about}\n`;
    })
    .join('');
}
