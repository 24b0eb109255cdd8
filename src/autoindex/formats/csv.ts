// CSV and similar formats: a document for each row, with field names from the first row. An empty
// cell gives no field.
import { parse } from 'csv-parse';
import type { Dialect } from '../dialect.js';
import {
  BrokenFile,
  type ByteSource,
  type FileRecord,
  MAX_RECORD_BYTES,
  textOf,
} from '../source.js';

export async function* readCsv(
  source: ByteSource,
  encoding: string,
  dialect: Dialect,
): AsyncIterable<FileRecord> {
  const parser = parse({
    delimiter: dialect.delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_BYTES,
    bom: true,
  });
  const feeding = feed(source, encoding, parser);
  let names: readonly string[] | undefined;
  let row = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row += 1;
      names ??= dialect.header ? columnNames(cells) : cells.map((_, i) => `column_${i + 1}`);
      if (dialect.header && row === 1) continue;
      yield { at: String(row), doc: documentOf(cells, names) };
    }
  } catch (error) {
    if (error instanceof BrokenFile) throw error;
    throw new BrokenFile(`after row ${row}: ${(error as Error).message.slice(0, 200)}`);
  } finally {
    parser.destroy();
    await feeding;
  }
}

/**
 * Feeds the parser with back-pressure. An error of the source destroys the parser with that error.
 */
async function feed(
  source: ByteSource,
  encoding: string,
  parser: ReturnType<typeof parse>,
): Promise<void> {
  try {
    for await (const text of textOf(source, encoding)) {
      if (parser.destroyed) return;
      if (parser.write(text)) continue;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          parser.off('drain', done);
          parser.off('close', done);
          resolve();
        };
        parser.once('drain', done);
        parser.once('close', done);
      });
    }
    if (!parser.destroyed) parser.end();
  } catch (error) {
    parser.destroy(error as Error);
  }
}

/** Valid and unique field names: without dots, duplicates and empty names. */
export function columnNames(cells: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return cells.map((cell, i) => {
    const plain = cell
      .trim()
      .replace(/[.\s]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 200);
    let name = plain === '' ? `column_${i + 1}` : plain;
    while (seen.has(name)) name = `${name}_${i + 1}`;
    seen.add(name);
    return name;
  });
}

function documentOf(cells: readonly string[], names: readonly string[]): Record<string, unknown> {
  const doc: Record<string, unknown> = {};
  for (const [i, cell] of cells.entries()) {
    const value = cell.trim();
    if (value !== '') doc[names[i] ?? `column_${i + 1}`] = value;
  }
  return doc;
}
