// Detects the dialect of a delimited text: the delimiter of its cells, and whether its first row is
// a header.

export interface Dialect {
  readonly delimiter: string;
  readonly header: boolean;
}

const DELIMITERS = [',', '\t', ';', '|'];
const MIN_ROWS = 2;

/** Undefined for text that is no table. `whole`: the text is complete. */
export function csvDialect(text: string, whole: boolean): Dialect | undefined {
  let best: { delimiter: string; cells: number; rows: readonly (readonly string[])[] } | undefined;
  for (const delimiter of DELIMITERS) {
    const rows = rowsOf(text, delimiter, whole);
    if (rows.length < MIN_ROWS) continue;
    const cells = rows[0]?.length ?? 0;
    const even = rows.filter((row) => row.length === cells).length;
    if (cells < 2 || even < rows.length * 0.9) continue;
    // Sentences contain commas, too: the cells of a table of two columns must not look like
    // sentences.
    if (
      cells === 2 &&
      delimiter === ',' &&
      rows.some((row) => row.some((c) => /^ \w+ .*\w/.test(c)))
    ) {
      continue;
    }
    if (best === undefined || cells > best.cells) best = { delimiter, cells, rows };
  }
  if (best === undefined) return undefined;
  return { delimiter: best.delimiter, header: hasHeader(best.rows) };
}

/** The first rows; quoted cells may contain delimiters and line ends. */
function rowsOf(text: string, delimiter: string, whole: boolean): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length && rows.length < 100; i++) {
    const letter = text[i] ?? '';
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (text[i + 1] === '"') {
        cell += '"';
        i += 1;
      } else quoted = false;
    } else if (letter === '"' && cell === '') quoted = true;
    else if (letter === delimiter) {
      row.push(cell);
      cell = '';
    } else if (letter === '\n' || letter === '\r') {
      if (letter === '\r' && text[i + 1] === '\n') i += 1;
      row.push(cell);
      if (row.length > 1 || row[0] !== '') rows.push(row);
      row = [];
      cell = '';
    } else cell += letter;
  }
  if (whole && (cell !== '' || row.length > 0)) rows.push([...row, cell]);
  return rows;
}

/** A header consists of distinct names that are not numeric and do not occur below. */
function hasHeader(rows: readonly (readonly string[])[]): boolean {
  const [first = [], ...rest] = rows;
  const names = first.map((name) => name.trim());
  if (names.some((name) => name === '' || /^[-+]?[\d.,:/-]+$/.test(name))) return false;
  if (new Set(names).size * 2 <= names.length) return false;
  // A name that repeats in the rows below is a value.
  return !names.every((name, column) => rest.some((row) => row[column]?.trim() === name));
}
