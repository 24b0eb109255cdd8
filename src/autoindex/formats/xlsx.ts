// XLSX: a document for each row of a sheet, with field names from the header row and dates as
// dates.
import { BrokenFile, type ByteSource, type FileRecord, MAX_RECORD_BYTES } from '../source.js';
import { type Archive, openArchive } from './archive.js';
import {
  type Cell,
  documentOf,
  HEADER_ROWS,
  type Header,
  headerOf,
  type Row,
} from './sheet-header.js';
import {
  type CellFormat,
  dayText,
  sharedTexts,
  stylesOf,
  WORKBOOK_LIMITS,
  type WorkbookLimits,
  workbookOf,
} from './workbook.js';
import { xmlSteps } from './xml-parts.js';

const MAX_COLUMNS = 16_384;

/** Sheets with a non-empty cell. */
export async function tablesOfXlsx(source: ByteSource): Promise<readonly string[]> {
  const archive = await openArchive(source);
  const { sheets } = await workbookOf(archive);
  const names: string[] = [];
  const book: WorkbookTables = { texts: undefined, styles: [], from1904: false };
  for (const { name, part } of sheets) {
    for await (const _ of rowsOf(archive, part, book)) {
      names.push(name);
      break;
    }
  }
  return names;
}

export async function* readXlsx(
  source: ByteSource,
  table: string | undefined,
  limits: WorkbookLimits = WORKBOOK_LIMITS,
): AsyncIterable<FileRecord> {
  const archive = await openArchive(source);
  const workbook = await workbookOf(archive);
  const sheet = workbook.sheets.find(({ name }) => table === undefined || name === table);
  if (sheet === undefined) throw new BrokenFile(`no sheet [${table ?? ''}]`);
  const book: WorkbookTables = {
    texts: await sharedTexts(archive, workbook, limits),
    styles: await stylesOf(archive, workbook),
    from1904: workbook.from1904,
  };
  let first: Row[] = [];
  let header: Header | undefined;
  for await (const row of rowsOf(archive, sheet.part, book)) {
    if (header !== undefined) {
      yield recordOf(row, header);
      continue;
    }
    first.push(row);
    if (first.length < HEADER_ROWS) continue;
    header = headerOf(first);
    yield* recordsBelow(first, header);
    first = [];
  }
  if (header === undefined) yield* recordsBelow(first, headerOf(first));
}

function* recordsBelow(rows: readonly Row[], header: Header): Iterable<FileRecord> {
  for (const row of rows) if (row.number > header.row) yield recordOf(row, header);
}

function recordOf(row: Row, header: Header): FileRecord {
  return { at: String(row.number), doc: documentOf(row, header) };
}

interface WorkbookTables {
  /** Undefined: only the presence of a value matters. */
  readonly texts: readonly string[] | undefined;
  readonly styles: readonly CellFormat[];
  readonly from1904: boolean;
}

/** Rows with a non-empty cell. */
async function* rowsOf(archive: Archive, part: string, book: WorkbookTables): AsyncIterable<Row> {
  const reader = new SheetReader(book);
  for await (const _ of xmlSteps(archive, part, reader)) yield* reader.ready.splice(0);
  yield* reader.ready.splice(0);
}

/** Collects rows during parsing. */
class SheetReader {
  readonly ready: Row[] = [];
  readonly #book: WorkbookTables;
  #row = 0;
  #cells: Cell[] = [];
  #characters = 0;
  #column = -1;
  #type = '';
  #style = 0;
  #text = '';
  #inValue = false;

  constructor(book: WorkbookTables) {
    this.#book = book;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') {
      const number = Number(attributes['r']);
      this.#row = Number.isSafeInteger(number) && number > this.#row ? number : this.#row + 1;
      this.#cells = [];
      this.#characters = 0;
      this.#column = -1;
    } else if (name === 'c') {
      this.#column = columnOf(attributes['r']) ?? this.#column + 1;
      this.#type = attributes['t'] ?? 'n';
      this.#style = Number(attributes['s'] ?? 0);
      this.#text = '';
    } else if (name === 'v' || name === 't') this.#inValue = true;
    else if (name === 'rPh') this.#type = 'sound';
  }

  text(text: string): void {
    if (!this.#inValue || this.#type === 'sound') return;
    this.#characters += text.length;
    if (this.#characters > MAX_RECORD_BYTES) {
      throw new BrokenFile(`row ${this.#row} is larger than ${MAX_RECORD_BYTES >> 20} MiB`);
    }
    this.#text += text;
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#inValue = false;
    else if (name === 'rPh') this.#type = 'inlineStr';
    else if (name === 'c') this.#endCell();
    else if (name === 'row' && this.#cells.length > 0) {
      this.ready.push({ number: this.#row, cells: this.#cells });
    }
  }

  #endCell(): void {
    if (this.#column >= MAX_COLUMNS || this.#cells.length >= MAX_COLUMNS) {
      throw new BrokenFile(`row ${this.#row} has more than ${MAX_COLUMNS} columns`);
    }
    const value = this.#value();
    if (value === undefined || value === '') return;
    // A string that was converted from a number is a date.
    const isText = typeof value === 'string' && this.#type !== 'n' && this.#type !== 'd';
    this.#cells.push({ column: this.#column, value, isText });
  }

  #value(): string | number | boolean | undefined {
    const { texts, styles, from1904 } = this.#book;
    const text = this.#text.trim();
    switch (this.#type) {
      case 's':
        if (text === '' || texts === undefined) return text;
        return texts[Number(text)]?.trim();
      case 'b':
        return text === '' ? undefined : text === '1' || text === 'true';
      // An error value is no value.
      case 'e':
        return undefined;
      case 'n': {
        if (text === '') return undefined;
        const number = Number(text);
        if (!Number.isFinite(number)) return undefined;
        const shown = styles[this.#style] ?? 'number';
        return shown === 'number' ? number : (dayText(number, shown, from1904) ?? number);
      }
      default:
        return text;
    }
  }
}

/** The column of a cell reference: `AB12` -> 27. */
function columnOf(place: string | undefined): number | undefined {
  const characters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0];
  if (characters === undefined) return undefined;
  let column = 0;
  for (const letter of characters) column = column * 26 + (letter.charCodeAt(0) - 64);
  return column - 1;
}
