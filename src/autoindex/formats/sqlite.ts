// SQLite: a document for each row of a table. The file is loaded into the memory of SQLite in
// WebAssembly, which has no access to the disk or anything else. Views, virtual tables and
// generated columns are not read, because they execute SQL from the file.
import { stat } from 'node:fs/promises';
import init, { type Database, type Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import { BrokenFile, type ByteSource, type FileRecord, MAX_RECORD_BYTES } from '../source.js';
import { columnNames } from './csv.js';

const MAX_SQLITE_BYTES = 512 << 20;
const MAX_TABLES = 1000;
/**
 * Offsets of the file format versions in the header: 2 means WAL mode, which needs a second file
 * and locks.
 */
const LOG_FLAGS = [18, 19];
/** Size of a WAL file without content. */
const LOG_HEADER_BYTES = 32;

/** Tables that have a row or cannot be read. */
export async function tablesOfSqlite(source: ByteSource): Promise<readonly string[]> {
  return withDatabase(source, (db) => {
    const listed = db.selectObjects('PRAGMA main.table_list');
    const names = listed.flatMap(({ name, type }) => {
      const own = typeof name === 'string' && type === 'table' && !name.startsWith('sqlite_');
      return own ? [name] : [];
    });
    if (names.length > MAX_TABLES) throw new BrokenFile(`more than ${MAX_TABLES} tables`);
    // The table list has no defined order.
    return names.filter((name) => hasRows(db, name)).sort();
  });
}

function hasRows(db: Database, table: string): boolean {
  try {
    return db.selectValue(`SELECT 1 FROM main.${quoted(table)} LIMIT 1`) !== undefined;
  } catch {
    return true;
  }
}

export async function* readSqlite(
  source: ByteSource,
  table: string | undefined,
): AsyncIterable<FileRecord> {
  const { db, close } = await opened(source);
  let row = 0;
  try {
    const columns = columnsOf(db, table ?? '');
    const names = columnNames(columns.map(({ name }) => name));
    const statement = db.prepare(selectOf(columns, table ?? ''));
    try {
      while (statement.step()) {
        row += 1;
        yield { at: String(row), doc: documentOf(statement.get([]), columns, names) };
      }
    } finally {
      statement.finalize();
    }
  } catch (error) {
    throw new BrokenFile(`after row ${row}: ${reasonOf(error)}`);
  } finally {
    close();
  }
  if (await hasLog(source)) {
    throw new BrokenFile('what its program has not yet moved here from its log is not read');
  }
}

interface Column {
  readonly name: string;
  /** Derived from the declared type; a column may nevertheless contain values of any type. */
  readonly kind: 'flag' | 'moment' | 'other';
}

function columnsOf(db: Database, table: string): readonly Column[] {
  const listed = db.selectObjects(`PRAGMA main.table_xinfo(${quoted(table)})`);
  const columns = listed.flatMap(({ name, type, hidden }): readonly Column[] =>
    typeof name === 'string' && hidden === 0 ? [{ name, kind: kindOf(String(type)) }] : [],
  );
  if (columns.length === 0) throw new BrokenFile(`no table [${table}]`);
  return columns;
}

function kindOf(type: string): Column['kind'] {
  if (/^bool/i.test(type)) return 'flag';
  return /date|time/i.test(type) ? 'moment' : 'other';
}

/** Replaces blobs by NULL, so that they are not loaded at all. */
function selectOf(columns: readonly Column[], table: string): string {
  const values = columns.map(({ name }) => {
    const column = quoted(name);
    return `CASE typeof(${column}) WHEN 'blob' THEN NULL ELSE ${column} END`;
  });
  return `SELECT ${values.join(', ')} FROM main.${quoted(table)}`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function documentOf(
  values: readonly unknown[],
  columns: readonly Column[],
  names: readonly string[],
): Record<string, unknown> {
  const doc: Record<string, unknown> = {};
  for (const [i, { kind }] of columns.entries()) {
    const value = valueOfKind(values[i], kind);
    if (value !== undefined && value !== '') doc[names[i] ?? ''] = value;
  }
  return doc;
}

function valueOfKind(value: unknown, kind: Column['kind']): unknown {
  if (value === null || value === undefined) return undefined;
  // An integer that a JSON number cannot hold exactly.
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) return undefined;
  if (kind === 'flag' && (value === 0 || value === 1)) return value === 1;
  return kind === 'moment' ? (momentOf(value) ?? value) : value;
}

/**
 * Converts seconds, milliseconds or microseconds since 1970, distinguished by their magnitude:
 * covers 1973 to 2286.
 */
function momentOf(value: number): string | undefined {
  for (const [unit, ms] of [
    [1, 1000],
    [1000, 1],
    [1_000_000, 0.001],
  ] as const) {
    if (value >= 1e8 * unit && value < 1e10 * unit) return new Date(value * ms).toISOString();
  }
  return undefined;
}

async function withDatabase<T>(source: ByteSource, use: (db: Database) => T): Promise<T> {
  const { db, close } = await opened(source);
  try {
    return use(db);
  } catch (error) {
    throw error instanceof BrokenFile ? error : new BrokenFile(reasonOf(error));
  } finally {
    close();
  }
}

async function opened(source: ByteSource): Promise<{ db: Database; close(): void }> {
  const quiet = (): void => undefined;
  const sqlite = await init({ print: quiet, printErr: quiet });
  const { capi, oo1 } = sqlite;
  const { pointer, length } = await inMemory(sqlite, source);
  const db = new oo1.DB(':memory:');
  const close = (): void => db.close();
  try {
    capi.sqlite3_limit(db, capi.SQLITE_LIMIT_LENGTH, MAX_RECORD_BYTES);
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
    const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_READONLY;
    db.checkRc(capi.sqlite3_deserialize(db, 'main', pointer, length, length, flags));
    return { db, close };
  } catch (error) {
    close();
    throw new BrokenFile(reasonOf(error));
  }
}

/** Copies the file in chunks into the memory of SQLite. */
async function inMemory(
  { wasm }: Sqlite3Static,
  source: ByteSource,
): Promise<{ pointer: number; length: number }> {
  // The size that an archive declares may be wrong.
  let room = Math.max(4096, Math.min(source.size, MAX_SQLITE_BYTES));
  let pointer = wasm.alloc(room);
  let length = 0;
  for await (const chunk of source.chunks()) {
    if (length + chunk.length > MAX_SQLITE_BYTES) {
      throw new BrokenFile(
        `larger than ${MAX_SQLITE_BYTES >> 20} MiB, the most that is read of it`,
      );
    }
    if (length + chunk.length > room) {
      room = Math.min(MAX_SQLITE_BYTES, Math.max(room * 2, length + chunk.length));
      pointer = wasm.realloc(pointer, room);
    }
    wasm.heap8u().set(chunk, pointer + length);
    length += chunk.length;
  }
  for (const place of LOG_FLAGS) if (length > place) wasm.heap8u()[pointer + place] = 1;
  return { pointer, length };
}

function reasonOf(error: unknown): string {
  const { message } = error as Error;
  return message.replace(/^.*sqlite3? result code \d+: |^SQLITE_[A-Z]+: /, '').slice(0, 300);
}

/** Whether the newest rows are in a WAL file next to it. */
async function hasLog({ absolute }: ByteSource): Promise<boolean> {
  if (absolute === undefined) return false;
  const log = await stat(`${absolute}-wal`).catch(() => undefined);
  return log !== undefined && log.size > LOG_HEADER_BYTES;
}
