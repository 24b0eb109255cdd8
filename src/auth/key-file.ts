// The key file in the data folder: {version, keys} and a checksum, readable only by its owner,
// replaced as a whole. The command line changes it, also while a server uses the folder; the server
// detects changes by itself.
import { randomUUID } from 'node:crypto';
import { chown, link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../backend/index.js';
import { isCode, makeFolder, readChecked, writeChecked } from '../base/durable-file.js';
import { type KeyRecord, readRecord } from './key-record.js';

const VERSION = 1;
const NAME = 'keys.json';
/** A lock older than this is considered abandoned. */
const STALE_MS = 10_000;

export function keyFile(dataDir: string): string {
  return join(dataDir, NAME);
}

/** Empty if the file does not exist. Throws a description of what is wrong with the file. */
export async function readKeys(path: string): Promise<readonly KeyRecord[]> {
  try {
    const { version, keys } = (await readChecked(path)) as JsonObject;
    if (version !== VERSION) throw new Error(`it has version [${String(version)}], not ${VERSION}`);
    if (!Array.isArray(keys)) throw new Error('it has no list of keys');
    return keys.map(readRecord);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw new Error(`the keys in [${path}] cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Replaces the keys with the result of `change`, under a lock file that excludes other processes.
 */
export async function changeKeys(
  path: string,
  change: (keys: readonly KeyRecord[]) => readonly KeyRecord[],
): Promise<void> {
  await makeFolder(dirname(path));
  const lock = `${path}.lock`;
  await takeLock(lock);
  try {
    const keys = change(await readKeys(path));
    await writeChecked(path, { version: VERSION, keys });
    await giveToOwner(path);
  } finally {
    await rm(lock, { force: true });
  }
}

async function takeLock(lock: string): Promise<void> {
  for (const last of [false, true]) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      return;
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
    const { ino, mtimeMs } = await stat(lock);
    if (last || Date.now() - mtimeMs < STALE_MS) throw busy(lock);
    await removeStale(lock, ino);
  }
}

/** Two processes may find the same stale lock: only the file that was measured is removed, never the new one. */
async function removeStale(lock: string, ino: number): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
  } catch (error) {
    // Another process has removed it: the next attempt finds the lock free or taken.
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  const moved = await stat(aside);
  if (moved.ino !== ino) await link(aside, lock).catch(() => {});
  await rm(aside, { force: true });
  if (moved.ino !== ino) throw busy(lock);
}

function busy(lock: string): Error {
  return new Error(`another process is changing the keys ([${lock}] is there), try again`);
}

/**
 * If the process runs as root, gives the file to the owner of the folder, so that the server can
 * read it.
 */
async function giveToOwner(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  await chown(path, uid, gid);
}
