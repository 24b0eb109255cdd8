// Workbooks: rows as records, detection of the header row, numbers that are dates.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { headerOf, type Row } from '../../src/autoindex/formats/sheet-header.ts';
import { dayText, shownBy } from '../../src/autoindex/formats/workbook.ts';
import { readXlsx, tablesOfXlsx } from '../../src/autoindex/formats/xlsx.ts';
import { type CellOf, sourceOf, xlsxOf } from './tools/files.ts';

async function docsOf(bytes: Uint8Array, table?: string): Promise<Record<string, unknown>[]> {
  const docs: Record<string, unknown>[] = [];
  for await (const { at, doc } of readXlsx(sourceOf(bytes), table)) docs.push({ at, ...doc });
  return docs;
}

const sheet = (...rows: readonly CellOf[][]): Promise<Uint8Array> =>
  xlsxOf([{ name: 'one', rows }]);

describe('a workbook', () => {
  test('values of all kinds', async () => {
    const bytes = await sheet(
      ['name', 'n', 'day', 'moment', 'clock', 'hours', 'ok', 'sum', 'bad'],
      [
        'Ann &amp; Bo',
        1.5,
        { xml: '<c s="1"><v>46024</v></c>' },
        { xml: '<c s="2"><v>46024.5104166667</v></c>' },
        { xml: '<c s="3"><v>0.75</v></c>' },
        { xml: '<c s="4"><v>1.5</v></c>' },
        true,
        { xml: '<c t="str"><f>A1&amp;"x"</f><v>xy</v></c>' },
        { xml: '<c t="e"><v>#REF!</v></c>' },
      ],
      [
        { xml: '<c r="C3" t="inlineStr"><is><t>in</t></is></c>' },
        null,
        { xml: '<c r="ZZ3"><v>7</v></c>' },
      ],
    );
    expect(await docsOf(bytes)).toEqual([
      {
        at: '2',
        name: 'Ann & Bo',
        n: 1.5,
        day: '2026-01-02',
        moment: '2026-01-02T12:15:00',
        clock: '18:00:00',
        hours: 1.5,
        ok: true,
        sum: 'xy',
      },
      { at: '3', day: 'in', column_702: 7 },
    ]);
  });

  test('of several sheets those with cells are tables', async () => {
    const bytes = await xlsxOf([
      {
        name: 'people',
        rows: [
          ['name', 'age'],
          ['Ann', 31],
        ],
      },
      { name: 'empty', rows: [[], [null]] },
      {
        name: 'towns',
        rows: [
          ['town', 'ships'],
          ['Kiel', 4],
        ],
      },
    ]);
    expect(await tablesOfXlsx(sourceOf(bytes))).toEqual(['people', 'towns']);
    expect(await docsOf(bytes, 'towns')).toEqual([{ at: '2', town: 'Kiel', ships: 4 }]);
  });

  test('more rows than the header is looked for in', async () => {
    const rows = Array.from({ length: 100 }, (_, i) => [`ship ${i}`, i]);
    const docs = await docsOf(await sheet(['name', 'n'], ...rows));
    expect(docs).toHaveLength(100);
    expect(docs[99]).toEqual({ at: '101', name: 'ship 99', n: 99 });
  });

  test('with a prefix before each name', async () => {
    const plain = await sheet(['name', 'n'], ['Ann', 1]);
    const bytes = await xlsxOf([{ name: 'one', rows: [] }], {
      'xl/sheets/s0.xml':
        '<x:worksheet><x:sheetData><x:row r="4"><x:c r="B4"><x:v>3</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    });
    expect(await docsOf(bytes)).toEqual([{ at: '4', column_2: 3 }]);
    expect(await docsOf(plain)).toEqual([{ at: '2', name: 'Ann', n: 1 }]);
  });
});

describe('a hostile workbook', () => {
  test('more shared texts than fit', async () => {
    const bytes = await xlsxOf([{ name: 'one', rows: [['a', 'b']] }], {
      'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(1000)}</sst>`,
    });
    const limits = { sharedCharacters: 999 * 32 };
    const read = async (): Promise<void> => {
      for await (const _ of readXlsx(sourceOf(bytes), undefined, limits));
    };
    await expect(read()).rejects.toThrow('shared texts are more than');
  });

  test.each([
    ['a text that is not there', '<row><c t="s"><v>9</v></c></row>', []],
    ['a number that is none', '<row><c><v>x</v></c></row>', []],
    ['rows that all claim to be the first', '<row r="1"><c><v>1</v></c></row>'.repeat(2), [1, 1]],
  ])('%s is no record of its own', async (_, rows, values) => {
    const bytes = await xlsxOf([{ name: 'one', rows: [] }], {
      'xl/sheets/s0.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    });
    expect((await docsOf(bytes)).map((doc) => doc['column_1'])).toEqual(values);
  });

  test.each([
    ['a column beyond the last', '<row><c r="ZZZ1"><v>1</v></c></row>', /columns/],
    ['a sheet that is cut', '<row><c><v>1</v>', /closed/],
  ])('%s', async (_, rows, problem) => {
    const bytes = await xlsxOf([{ name: 'one', rows: [] }], {
      'xl/sheets/s0.xml': `<worksheet><sheetData>${rows}`,
    });
    await expect(docsOf(bytes)).rejects.toThrow(problem);
  });
});

describe('which row names the columns', () => {
  const rowsOf = (...rows: readonly (string | number)[][]): readonly Row[] =>
    rows.map((cells, i) => ({
      number: i + 1,
      cells: cells.map((value, column) => ({ column, value, isText: typeof value === 'string' })),
    }));
  test.each([
    ['the first', rowsOf(['a', 'b'], ['x', 1]), 1],
    ['below a title', rowsOf(['Report'], ['by', 'Ann'], ['a', 'b', 'c'], ['x', 1, 2]), 3],
    ['years above numbers', rowsOf(['region', 2024, 2025], ['north', 1, 2]), 1],
    ['none: numbers', rowsOf([1, 2], [3, 4]), 0],
    ['none: twice the same', rowsOf(['a', 'a'], ['x', 1]), 0],
    ['none: one row', rowsOf(['a', 'b']), 0],
    ['a word above numbers', rowsOf(['age'], [31], [44]), 1],
    ['none: a list', rowsOf(['Ann'], ['Bo'], ['Cy']), 0],
    ['none: nothing', [], 0],
  ])('%s', (_, rows, row) => {
    expect(headerOf(rows).row).toBe(row);
  });
});

describe('numbers that are days', () => {
  test.each([
    [1, 'day', false, '1900-01-01'],
    [59, 'day', false, '1900-02-28'],
    [61, 'day', false, '1900-03-01'],
    [0, 'day', true, '1904-01-01'],
    [46024.25, 'day', false, '2026-01-02T06:00:00'],
    [46024, 'moment', false, '2026-01-02T00:00:00'],
    [0.5, 'time', false, '12:00:00'],
    [3_000_000, 'day', false, undefined],
    [-1, 'day', false, undefined],
  ] as const)('%f as a %s', (count, shown, from1904, text) => {
    expect(dayText(count, shown, from1904)).toBe(text);
  });

  test('every moment comes back', () => {
    const moment = fc.integer({ min: 0, max: Date.UTC(9999, 0) / 1000 });
    fc.assert(
      fc.property(moment, (seconds) => {
        const text = dayText(seconds / 86_400 + 25_569, 'moment', false);
        expect(Date.parse(`${text}Z`)).toBe(seconds * 1000);
      }),
    );
  });

  test.each([
    ['yyyy-mm-dd', 'day'],
    ['mmm yy', 'day'],
    ['dd.mm.yyyy hh:mm', 'moment'],
    ['h:mm AM/PM', 'time'],
    ['mm:ss', 'time'],
    ['[h]:mm:ss', 'number'],
    ['#,##0.00 "days"', 'number'],
    ['[Red]0.0;-0.0', 'number'],
    ['General', 'number'],
    ['0.00E+00', 'number'],
    ['\\d0', 'number'],
  ])('%s is a %s', (code, shown) => {
    expect(shownBy(code)).toBe(shown);
  });
});
