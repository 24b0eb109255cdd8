// Data that the sheets of a workbook share: names of sheets, shared strings, and the styles that
// show a number as a date or time.
import { BrokenFile } from '../source.js';
import type { Archive } from './archive.js';
import { officeOf, type Relation, relationId, relationsOf, targetOf } from './office.js';
import { attributeOf, eachElement } from './xml-parts.js';

export interface Sheet {
  readonly name: string;
  readonly part: string;
}

export interface Workbook {
  readonly sheets: readonly Sheet[];
  /** Days are counted from 1904. */
  readonly from1904: boolean;
  readonly relations: ReadonlyMap<string, Relation>;
}

export interface WorkbookLimits {
  /** Maximum number of characters of all shared strings; each string counts for 32 more. */
  readonly sharedCharacters: number;
}

export const WORKBOOK_LIMITS: WorkbookLimits = { sharedCharacters: 128 << 20 };
const MAX_SHEETS = 1000;
const MAX_STYLES = 65_536;
/** Memory overhead of a string, in characters. */
const TEXT_CHARACTERS = 32;

export async function workbookOf(archive: Archive): Promise<Workbook> {
  const { main } = await officeOf(archive);
  const relations = await relationsOf(archive, main);
  const sheets: Sheet[] = [];
  let from1904 = false;
  await eachElement(archive, main, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
      if (name !== 'sheet') return;
      const relation = relations.get(relationId(attributes));
      // Chart and macro sheets have no cells.
      if (relation === undefined || !relation.type.endsWith('/worksheet')) return;
      sheets.push({ name: attributes['name'] ?? '', part: relation.target });
      if (sheets.length > MAX_SHEETS) throw new BrokenFile(`more than ${MAX_SHEETS} sheets`);
    },
  });
  return { sheets, from1904, relations };
}

/** The shared strings, which cells refer to by index. */
export async function sharedTexts(
  archive: Archive,
  workbook: Workbook,
  { sharedCharacters }: WorkbookLimits,
): Promise<readonly string[]> {
  const texts: string[] = [];
  let text = '';
  let characters = 0;
  let inText = false;
  /** Phonetic hints of East Asian text are not part of the string. */
  let inSound = false;
  await eachElement(archive, targetOf(workbook.relations, 'sharedStrings'), {
    open(name) {
      if (name === 't') inText = true;
      else if (name === 'rPh') inSound = true;
    },
    text(piece) {
      if (inText && !inSound) text += piece;
    },
    close(name) {
      if (name === 't') inText = false;
      else if (name === 'rPh') inSound = false;
      if (name !== 'si') return;
      characters += text.length + TEXT_CHARACTERS;
      if (characters > sharedCharacters) {
        throw new BrokenFile(`its shared texts are more than ${sharedCharacters} characters`);
      }
      texts.push(text);
      text = '';
    },
  });
  return texts;
}

export type CellFormat = 'number' | 'day' | 'moment' | 'time';

/** The format of each cell style. */
export async function stylesOf(
  archive: Archive,
  workbook: Workbook,
): Promise<readonly CellFormat[]> {
  const own = new Map<string, CellFormat>();
  const styles: CellFormat[] = [];
  let inCells = false;
  await eachElement(archive, targetOf(workbook.relations, 'styles'), {
    open(name, attributes) {
      if (name === 'numFmt' && own.size < MAX_STYLES) {
        own.set(attributes['numFmtId'] ?? '', shownBy(attributeOf(attributes, 'formatCode') ?? ''));
      } else if (name === 'cellXfs') inCells = true;
      else if (name === 'xf' && inCells && styles.length < MAX_STYLES) {
        const id = attributes['numFmtId'] ?? '0';
        styles.push(own.get(id) ?? shownByNumber(Number(id)));
      }
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return styles;
}

/** Built-in formats by their number (ECMA-376, 18.8.30). */
function shownByNumber(id: number): CellFormat {
  if (id === 22) return 'moment';
  if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47) || (id >= 32 && id <= 35)) return 'time';
  const isDay = (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  return isDay ? 'day' : 'number';
}

/**
 * Classifies a number format such as `dd/mm/yyyy hh:mm` by its characters. Quoted text and colours
 * are ignored, and elapsed hours such as `[h]` are a number.
 */
export function shownBy(code: string): CellFormat {
  const [positive = ''] = code.split(';');
  if (/\[(?:h+|m+|s+)\]/i.test(positive)) return 'number';
  const characters = positive.replace(/"[^"]*"|\\.|_.|\*.|\[[^[\]]*\]|AM\/PM|A\/P|General/gi, '');
  const day = /[yd]/i.test(characters);
  const clock = /[hs]/i.test(characters);
  if (day && clock) return 'moment';
  if (clock) return 'time';
  return day || /m/i.test(characters) ? 'day' : 'number';
}

const MS_OF_DAY = 86_400_000;
/** Days from the epoch of spreadsheet programs to 1970, and the last day that they support. */
const DAYS_TO_1970 = 25_569;
const DAYS_1900_TO_1904 = 1462;
const LAST_DAY = 2_958_465;

/**
 * A serial day number in ISO 8601 without a zone, because sheets have no zones. Undefined for a
 * number out of range.
 */
export function dayText(count: number, shown: CellFormat, from1904: boolean): string | undefined {
  if (count < 0 || count > LAST_DAY) return undefined;
  if (shown === 'time' && count < 1) {
    return new Date(Math.round(count * MS_OF_DAY)).toISOString().slice(11, 19);
  }
  let days = from1904 ? count + DAYS_1900_TO_1904 : count;
  // Spreadsheet programs treat 1900 as a leap year.
  if (days < 60) days += 1;
  const text = new Date(Math.round((days - DAYS_TO_1970) * MS_OF_DAY)).toISOString();
  const isMidnight = Number.isInteger(count);
  if (isMidnight && shown === 'day') return text.slice(0, 10);
  return text.endsWith('.000Z') ? text.slice(0, 19) : text.slice(0, 23);
}
