// SQLite databases: rows as records, and broken or hostile files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSqlite, tablesOfSqlite } from '../../src/autoindex/formats/sqlite.ts';
import { fileSource } from '../../src/autoindex/source.ts';
import { sourceOf } from './tools/files.ts';
import { sqliteOf } from './tools/sqlite.ts';

async function docsOf(bytes: Uint8Array, table: string): Promise<Record<string, unknown>[]> {
  const docs: Record<string, unknown>[] = [];
  for await (const { doc } of readSqlite(sourceOf(bytes), table)) docs.push(doc);
  return docs;
}

const SHIPS = `
  CREATE TABLE ships (id INTEGER PRIMARY KEY, "home.port" TEXT, tons REAL, at_sea BOOLEAN,
    built DATE, seen DATETIME, seen_ms TIMESTAMP, photo BLOB, twice AS (tons * 2));
  INSERT INTO ships VALUES
    (1, 'Kiel', 1.5, 1, '2026-01-02', 1767323045, 1767323045678, x'00ff'),
    (9007199254740993, NULL, 9e999, 0, NULL, 12, 'never', NULL);
`;

describe('a database', () => {
  test('values of all kinds', async () => {
    expect(await docsOf(await sqliteOf(SHIPS), 'ships')).toEqual([
      {
        id: 1,
        home_port: 'Kiel',
        tons: 1.5,
        at_sea: true,
        built: '2026-01-02',
        seen: '2026-01-02T03:04:05.000Z',
        seen_ms: '2026-01-02T03:04:05.678Z',
      },
      { id: '9007199254740993', at_sea: false, seen: 12, seen_ms: 'never' },
    ]);
  });

  test('its tables are those with rows, no views and no virtual ones', async () => {
    const bytes = await sqliteOf(`${SHIPS}
      CREATE TABLE empty (x); CREATE TABLE "a""b" (x); INSERT INTO "a""b" VALUES (1);
      CREATE VIEW seen AS SELECT * FROM ships;
      CREATE VIRTUAL TABLE words USING fts5(text); INSERT INTO words VALUES ('sea');`);
    expect(await tablesOfSqlite(sourceOf(bytes))).toEqual(['a"b', 'ships']);
    expect(await docsOf(bytes, 'a"b')).toEqual([{ x: 1 }]);
  });

  test('that is written to by way of a log', async () => {
    const bytes = await sqliteOf(SHIPS);
    bytes.fill(2, 18, 20);
    expect(await docsOf(bytes, 'ships')).toHaveLength(2);
    // Rows that exist only in the write-ahead log are reported as missing.
    const folder = mkdtempSync(join(tmpdir(), 'quarry-sqlite-'));
    const path = join(folder, 'a.db');
    writeFileSync(path, bytes);
    writeFileSync(`${path}-wal`, new Uint8Array(33));
    const read = readSqlite(fileSource('a.db', path, bytes.length), 'ships');
    const records = read[Symbol.asyncIterator]();
    for (const _ of [1, 2]) expect(await records.next()).toMatchObject({ done: false });
    await expect(records.next()).rejects.toThrow('from its log is not read');
    rmSync(folder, { recursive: true });
  });
});

describe('a hostile database', () => {
  const many = 'CREATE TABLE t (x); INSERT INTO t VALUES (1)';
  const rows = `${many}${", ('some words that fill a page')".repeat(2000)};`;

  test('a page of noise ends its table, not the others', async () => {
    const bytes = await sqliteOf(`CREATE TABLE a (x); INSERT INTO a VALUES (1); ${rows}`);
    const pages = bytes.length / 4096;
    bytes.fill(0xa5, (pages - 3) * 4096, (pages - 2) * 4096);
    expect(await tablesOfSqlite(sourceOf(bytes))).toEqual(['a', 't']);
    expect(await docsOf(bytes, 'a')).toEqual([{ x: 1 }]);
    await expect(docsOf(bytes, 't')).rejects.toThrow(/after row \d+: .*malformed/);
  });

  test('cut anywhere, it is told', async () => {
    const bytes = await sqliteOf(rows);
    for (const end of [16, 100, 3000, 4096, 5000, bytes.length - 4096]) {
      const read = tablesOfSqlite(sourceOf(bytes.subarray(0, end))).then((tables) =>
        docsOf(bytes.subarray(0, end), tables[0] ?? 't'),
      );
      await expect(read).rejects.toThrow();
    }
  });

  test('a schema of noise', async () => {
    const bytes = await sqliteOf(rows);
    bytes.fill(0xa5, 100, 4000);
    await expect(tablesOfSqlite(sourceOf(bytes))).rejects.toThrow();
  });

  test('a text larger than a record may be', async () => {
    const bytes = await sqliteOf(
      `CREATE TABLE t (x); INSERT INTO t VALUES ('ok'), (replace(hex(zeroblob(9 << 20)), '0', 'a'));`,
    );
    await expect(docsOf(bytes, 't')).rejects.toThrow(/after row 1: .*too big/);
  });

  test('a table that is not there', async () => {
    await expect(docsOf(await sqliteOf(many), 'x')).rejects.toThrow('no table [x]');
  });

  test('bytes that are no database', async () => {
    const bytes = Buffer.from(`SQLite format 3\0${'x'.repeat(5000)}`);
    await expect(tablesOfSqlite(sourceOf(bytes))).rejects.toThrow();
  });
});
