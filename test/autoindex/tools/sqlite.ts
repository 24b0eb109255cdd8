// Creates SQLite databases with SQLite itself.
import init from '@sqlite.org/sqlite-wasm';

export async function sqliteOf(sql: string): Promise<Uint8Array> {
  const quiet = (): void => undefined;
  const { capi, oo1 } = await init({ print: quiet, printErr: quiet });
  const db = new oo1.DB(':memory:');
  try {
    db.exec(`PRAGMA page_size = 4096; ${sql}`);
    return capi.sqlite3_js_db_export(db);
  } finally {
    db.close();
  }
}
