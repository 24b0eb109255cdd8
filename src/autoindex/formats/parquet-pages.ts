// Checks the headers of a Parquet file against its size before the library reads it, because the
// library allocates whatever a header declares.
import type { AsyncBuffer, ColumnMetaData, FileMetaData } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { BrokenFile } from '../source.js';

export interface ParquetLimits {
  readonly footerBytes: number;
  /** Limit for a decompressed page; libraries write pages of one or a few MiB. */
  readonly pageBytes: number;
  /** Limit for the compressed columns of a row group, which are in memory together. */
  readonly groupBytes: number;
  /** Limit for the values of a column in a row group. */
  readonly values: number;
  /** Maximum number of values per byte of the file, applied above VALUES_FREE. */
  readonly valuesPerByte: number;
}

export const PARQUET_LIMITS: ParquetLimits = {
  footerBytes: 64 << 20,
  pageBytes: 128 << 20,
  groupBytes: 512 << 20,
  values: 256 << 20,
  valuesPerByte: 1000,
};
/** Repeated values compress well in this format; up to this number no ratio is checked. */
const VALUES_FREE = 4 << 20;
const TAIL_BYTES = 8;

/**
 * Checks the end of the file before the library reads it: the length of the footer, and the magic
 * bytes.
 */
export async function checkFooter(file: AsyncBuffer, limits: ParquetLimits): Promise<void> {
  const { byteLength } = file;
  if (byteLength < TAIL_BYTES + 4) throw new BrokenFile('ends before it begins');
  const tail = new DataView(await file.slice(byteLength - TAIL_BYTES, byteLength));
  if (tail.getUint32(4, true) !== 0x31524150) throw new BrokenFile('ends before it is whole');
  const footer = tail.getUint32(0, true);
  if (footer > limits.footerBytes || footer > byteLength - TAIL_BYTES) {
    throw new BrokenFile(`its footer of ${footer} bytes is longer than the file or the limit`);
  }
}

export type RowGroup = FileMetaData['row_groups'][number];

/** Reads the headers of all pages of the row group, without their content. */
export async function checkGroup(
  file: AsyncBuffer,
  group: RowGroup,
  limits: ParquetLimits,
): Promise<void> {
  const rows = Number(group.num_rows);
  let bytes = 0;
  for (const { meta_data: column, file_path: elsewhere } of group.columns) {
    if (column === undefined || (elsewhere ?? '') !== '') {
      throw new BrokenFile('a column that lies in another file');
    }
    const [start, end] = rangeOf(column, file.byteLength);
    bytes += end - start;
    if (bytes > limits.groupBytes) {
      throw new BrokenFile(`a group of rows of more than ${limits.groupBytes >> 20} MiB`);
    }
    const values = valuesOf(await file.slice(start, end), Number(column.num_values), limits);
    const many = values > VALUES_FREE && values > file.byteLength * limits.valuesPerByte;
    if (values < rows || many) throw new BrokenFile('does not hold the rows that it promises');
  }
}

function rangeOf(column: ColumnMetaData, fileBytes: number): readonly [number, number] {
  const dictionary = Number(column.dictionary_page_offset ?? 0n);
  const data = Number(column.data_page_offset);
  const start = dictionary > 0 && dictionary < data ? dictionary : data;
  const end = start + Number(column.total_compressed_size);
  if (!(start >= 0 && end > start && end <= fileBytes)) {
    throw new BrokenFile('a column that begins or ends outside of the file');
  }
  return [start, end];
}

/** Number of values of all pages; throws BrokenFile for an impossible header. */
function valuesOf(buffer: ArrayBuffer, promised: number, limits: ParquetLimits): number {
  const reader = { view: new DataView(buffer), offset: 0 };
  let values = 0;
  while (values < promised && reader.offset < buffer.byteLength - 1) {
    const header = parquetHeader(reader);
    const left = buffer.byteLength - reader.offset;
    const packed = header.compressed_page_size;
    if (!isCount(packed, left) || !isCount(header.uncompressed_page_size, limits.pageBytes)) {
      throw new BrokenFile('a page larger than it can be');
    }
    reader.offset += packed;
    const count = countOf(header);
    if (!isCount(count, Math.min(promised, limits.values))) {
      throw new BrokenFile('a page of more values than it can hold');
    }
    if (header.type !== 'DICTIONARY_PAGE') values += count;
  }
  return values;
}

type PageHeader = ReturnType<typeof parquetHeader>;

/**
 * Number of values of a page. Throws BrokenFile for a header without members that the library
 * assumes to be present.
 */
function countOf(header: PageHeader): number {
  switch (header.type) {
    case 'DICTIONARY_PAGE': {
      const page = header.dictionary_page_header;
      if (page?.encoding !== undefined) return page.num_values;
      break;
    }
    case 'DATA_PAGE': {
      const page = header.data_page_header;
      const levels = [page?.definition_level_encoding, page?.repetition_level_encoding];
      if (page?.encoding !== undefined && !levels.includes(undefined)) return page.num_values;
      break;
    }
    case 'DATA_PAGE_V2': {
      const page = header.data_page_header_v2;
      if (page?.encoding === undefined) break;
      const { definition_levels_byte_length: depths, repetition_levels_byte_length: repeats } =
        page;
      const most = header.uncompressed_page_size;
      const fits = isCount(depths, most) && isCount(repeats, most - depths);
      if (fits && isCount(page.num_rows, page.num_values)) return page.num_values;
      break;
    }
  }
  throw new BrokenFile('a page that does not say what is in it');
}

function isCount(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= most;
}
