// Parquet: a document for each row, read by row group, and within a row group some rows at a time.
import { open } from 'node:fs/promises';
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { BrokenFile, type ByteSource, type FileRecord, wholeOf } from '../source.js';
import { columnNames } from './csv.js';
import { checkFooter, checkGroup, PARQUET_LIMITS, type RowGroup } from './parquet-pages.js';

/** Limit for a file inside an archive, which has no random access and is read into memory. */
const MAX_WHOLE_BYTES = 256 << 20;
/** Limits for the rows that are in memory at once, according to the metadata. */
const SLICE_BYTES = 16 << 20;
const SLICE_VALUES = 500_000;
const MAX_DEPTH = 50;
/**
 * Old writers do not mark text columns. All byte columns are taken for text if they look like text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: text contains no control characters
const NO_TEXT = /[\0-\x08]|\ufffd{2}/;

export async function* readParquet(
  source: ByteSource,
  limits = PARQUET_LIMITS,
): AsyncIterable<FileRecord> {
  const { file, close } = await opened(source);
  let row = 0;
  try {
    await checkFooter(file, limits);
    const metadata = await parquetMetadataAsync(file, { parsers: PARSERS, geoparquet: false });
    const names = namesOf(metadata);
    for (const group of metadata.row_groups) {
      await checkGroup(file, group, limits);
      const end = row + Number(group.num_rows);
      const step = stepOf(group);
      while (row < end) {
        const rowEnd = Math.min(end, row + step);
        const rows = await rowsOf(file, metadata, row, rowEnd);
        for (const values of rows) {
          row += 1;
          yield { at: String(row), doc: documentOf(values, names) };
        }
        if (row < rowEnd) throw new BrokenFile('does not hold the rows that it promises');
      }
    }
  } catch (error) {
    if (error instanceof BrokenFile && row === 0) throw error;
    throw new BrokenFile(`after row ${row}: ${(error as Error).message.slice(0, 300)}`);
  } finally {
    await close();
  }
}

interface OpenedFile {
  readonly file: AsyncBuffer;
  close(): Promise<void>;
}

async function opened(source: ByteSource): Promise<OpenedFile> {
  if (source.absolute === undefined) {
    const bytes = await wholeOf(source, MAX_WHOLE_BYTES);
    const all = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const buffer = all as ArrayBuffer;
    const file = {
      byteLength: buffer.byteLength,
      slice: (start: number, end?: number) => buffer.slice(start, end),
    };
    return { file, close: async () => undefined };
  }
  const handle = await open(source.absolute, 'r');
  const { size } = await handle.stat();
  const slice = async (start: number, end = size): Promise<ArrayBuffer> => {
    const buffer = new ArrayBuffer(Math.max(0, Math.min(end, size) - start));
    const { bytesRead } = await handle.read(new Uint8Array(buffer), 0, buffer.byteLength, start);
    return bytesRead === buffer.byteLength ? buffer : buffer.slice(0, bytesRead);
  };
  return { file: { byteLength: size, slice }, close: () => handle.close() };
}

/** Number of rows that are read at once. */
function stepOf({ columns, num_rows: rows }: RowGroup): number {
  const bytes = columns.reduce(
    (sum, { meta_data: column }) => sum + Number(column?.total_uncompressed_size ?? 0n),
    0,
  );
  const perRow = bytes / Math.max(1, Number(rows));
  const most = Math.min(SLICE_BYTES / Math.max(1, perRow), SLICE_VALUES / columns.length);
  return Math.max(100, Math.floor(most));
}

function rowsOf(
  file: AsyncBuffer,
  metadata: FileMetaData,
  rowStart: number,
  rowEnd: number,
): Promise<readonly Record<string, unknown>[]> {
  return parquetReadObjects({
    file,
    metadata,
    rowStart,
    rowEnd,
    compressors,
    parsers: PARSERS,
    useOffsetIndex: true,
  });
}

const PARSERS = {
  dateFromDays: (days: number) => textOf(new Date(days * 86_400_000))?.slice(0, 10),
  // Geometries are left out, like all binary values.
  geometryFromBytes: () => undefined,
  geographyFromBytes: () => undefined,
};

function textOf(moment: Date): string | undefined {
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}

function namesOf({ schema }: FileMetaData): ReadonlyMap<string, string> {
  const top = topColumns(schema);
  const names = columnNames(top);
  return new Map(top.map((name, i) => [name, names[i] ?? name]));
}

/** The schema is a tree in depth-first order, with the number of children of each element. */
function topColumns(schema: FileMetaData['schema']): readonly string[] {
  const names: string[] = [];
  let at = 1;
  const skip = (depth: number): void => {
    const element = schema[at];
    if (element === undefined || depth > MAX_DEPTH) throw new BrokenFile('an invalid schema');
    at += 1;
    for (let i = 0; i < (element.num_children ?? 0); i++) skip(depth + 1);
  };
  while (at < schema.length) {
    names.push(schema[at]?.name ?? '');
    skip(0);
  }
  return names;
}

function documentOf(
  values: Readonly<Record<string, unknown>>,
  names: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const doc: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const shown = jsonOf(value, 0);
    if (shown !== undefined && shown !== '') doc[names.get(name) ?? name] = shown;
  }
  return doc;
}

/** The value in JSON. Undefined for what JSON cannot represent: bytes, NaN and infinity. */
function jsonOf(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new BrokenFile(`deeper than ${MAX_DEPTH} levels`);
  switch (typeof value) {
    case 'string':
      return NO_TEXT.test(value) ? undefined : value;
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : undefined;
    case 'bigint':
      // An integer that a JSON number cannot hold exactly becomes a string.
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    case 'object':
      break;
    default:
      return undefined;
  }
  if (value === null || ArrayBuffer.isView(value)) return undefined;
  if (value instanceof Date) return textOf(value);
  if (Array.isArray(value)) {
    return value.map((one) => jsonOf(one, depth + 1)).filter((one) => one !== undefined);
  }
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const shown = jsonOf(member, depth + 1);
    if (shown !== undefined) members[name.replace(/[.\s]+/g, '_')] = shown;
  }
  return members;
}
