// The files of a data folder beside its log, as a running engine has them: META of each index, the
// manifests and segments of its shards, and the lists of the node. The engine replaces the small
// ones atomically and never changes the large ones, so that they can be read while it writes.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isCode } from '../../base/durable-file.js';

/** Not shipped: what belongs to a running process, and secrets, which snapshots do not have either. */
const LEFT_OUT =
  /^(?:node\.lock|wal\.files|CHANGES.*|NODE\.copy|keys\.json|ship\.json|restored\.json)$|\.tmp$/;
const CHANGES_WAIT_MS = 20;
const CHANGES_TRIES = 500;
const READ_TRIES = 50;

export function indexFolder(dataDir: string, number: number): string {
  return join(dataDir, 'indices', String(number));
}

/** Numbers of all indexes. */
export async function indexNumbers(dataDir: string): Promise<readonly number[]> {
  const names = await readdir(join(dataDir, 'indices'));
  return names
    .filter((name) => /^[1-9]\d*$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/** Files directly in the folder that are shipped. */
async function listFiles(dataDir: string): Promise<readonly string[]> {
  const entries = await readdir(dataDir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !LEFT_OUT.test(entry.name))
    .map(({ name }) => name);
}

/** Undefined if there is no such file now. */
async function seenOf(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Undefined if there is no such file now. */
export async function contentOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Resolves when no change of several indexes at once is half made. */
async function settledChanges(dataDir: string): Promise<void> {
  for (let tries = 0; tries < CHANGES_TRIES; tries++) {
    if ((await seenOf(join(dataDir, 'CHANGES'))) === undefined) return;
    await pause(CHANGES_WAIT_MS);
  }
  throw new Error('a change of several indexes does not end');
}

export interface SegmentFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** Names the content within its shard. */
  readonly key: string;
}

/** The files of segments that are in the folder of a shard now, also unfinished ones. */
export async function segmentFiles(folder: string): Promise<readonly SegmentFile[]> {
  const names = (await readdir(folder)).filter((name) => /^seg-\d+\.\w+$/.test(name));
  const files: SegmentFile[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    });
    if (found === undefined) continue;
    const { size, mtimeMs } = found;
    files.push({ name, path, bytes: size, key: `${name}-${size}-${Math.floor(mtimeMs)}` });
  }
  return files;
}

export interface FolderState {
  /** Every META and list with the sign of its content, by path. */
  readonly seen: ReadonlyMap<string, string>;
  /** The contents of those that are new. */
  readonly changed: ReadonlyMap<string, Buffer>;
}

/**
 * META of all indexes and the lists, between two changes of several indexes. `shipped`: the signs of
 * those that need not be read.
 */
export async function folderState(
  dataDir: string,
  shipped: ReadonlyMap<string, string>,
): Promise<FolderState> {
  for (let tries = 0; tries < READ_TRIES; tries++) {
    await settledChanges(dataDir);
    const before = await seenPaths(dataDir);
    const changed = new Map<string, Buffer>();
    for (const [path, seen] of before) {
      if (shipped.get(path) === seen) continue;
      const content = await contentOf(join(dataDir, path));
      if (content !== undefined) changed.set(path, content);
    }
    await settledChanges(dataDir);
    const after = await seenPaths(dataDir);
    const isSame = after.size === before.size && [...after].every(([p, s]) => before.get(p) === s);
    if (isSame) return { seen: after, changed };
  }
  throw new Error('the indexes change faster than they can be read');
}

async function seenPaths(dataDir: string): Promise<Map<string, string>> {
  const numbers = await indexNumbers(dataDir);
  const paths = [
    ...numbers.map((number) => `indices/${number}/META`),
    ...(await listFiles(dataDir)),
  ];
  const seen = new Map<string, string>();
  for (const path of paths) {
    const one = await seenOf(join(dataDir, path));
    if (one !== undefined) seen.set(path, one);
  }
  return seen;
}

/** The number of the index whose META it is. */
export function numberOf(path: string): number | undefined {
  const [, number] = /^indices\/(\d+)\/META$/.exec(path) ?? [];
  return number === undefined ? undefined : Number(number);
}
