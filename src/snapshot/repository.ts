// The folder of one repository: lists snapshots, stores files, publishes a snapshot by one rename,
// and removes files that no snapshot uses. Files of a published snapshot never change. The layout
// is described in records.ts.
//
// A change first records in pending/ which index folders it will touch; after a crash these are
// cleaned up.
import { open, readdir, readFile, rename, rm, rmdir, stat, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isCode,
  makeFolder,
  readChecked,
  syncFolder,
  UNFINISHED,
  writeChecked,
} from '../base/durable-file.js';
import {
  type IndexRecord,
  isUuid,
  readIndexRecord,
  readSnapshotRecord,
  type SnapshotRecord,
  storedName,
} from './records.js';
import { repositoryError } from './refusals.js';

export interface Removed {
  readonly files: number;
  readonly bytes: number;
}

const JSON_END = '.json';
/** Size of the file that _verify writes. */
const PROBE_BYTES = 4096;

export class Repository {
  readonly name: string;
  readonly location: string;

  /** `location` must have been checked. */
  constructor(name: string, location: string) {
    this.name = name;
    this.location = location;
  }

  async create(): Promise<void> {
    for (const folder of ['snapshots', 'pending', 'indices']) {
      await makeFolder(join(this.location, folder));
    }
  }

  /** Verifies the repository by writing, reading and removing a file. */
  async verify(probe: string): Promise<void> {
    await this.create();
    const path = join(this.location, `probe-${probe}`);
    const bytes = Buffer.alloc(PROBE_BYTES, probe);
    try {
      const file = await open(path, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      if (!bytes.equals(await readFile(path))) throw new Error('a file does not read as written');
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Snapshots by name. Rejects for an unreadable snapshot, with its file in the message. */
  async snapshots(): Promise<ReadonlyMap<string, SnapshotRecord>> {
    const found = new Map<string, SnapshotRecord>();
    for (const uuid of await this.#uuidsOf('snapshots')) {
      const record = await this.#read(`snapshots/${uuid}${JSON_END}`, (value) =>
        readSnapshotRecord(value, uuid),
      );
      if (record !== undefined) found.set(record.name, record);
    }
    return found;
  }

  /** The record of an index in a snapshot that lists it. */
  async indexRecord(snapshot: string, index: string): Promise<IndexRecord> {
    const path = `indices/${index}/${snapshot}${JSON_END}`;
    const record = await this.#read(path, readIndexRecord);
    if (record === undefined) throw this.#damaged(path, 'it is missing');
    return record;
  }

  /** Sizes of the files in the folder of an index by name; creates the folder. */
  async storedFiles(index: string): Promise<ReadonlyMap<string, number>> {
    const folder = this.indexFolder(index);
    await makeFolder(folder);
    const sizes = new Map<string, number>();
    for (const name of await readdir(folder)) {
      if (!name.endsWith(UNFINISHED)) sizes.set(name, (await stat(join(folder, name))).size);
    }
    return sizes;
  }

  /** Capacity of the repository's disk and the space available to this process. */
  async disk(): Promise<{ readonly free: number; readonly bytes: number }> {
    const { bavail, blocks, bsize } = await statfs(this.location);
    return { free: bavail * bsize, bytes: blocks * bsize };
  }

  indexFolder(index: string): string {
    return join(this.location, 'indices', index);
  }

  /**
   * Stores a file in the folder of an index: it gets its name only when it is complete. The caller
   * must sync the folder.
   */
  async store(index: string, name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const path = join(this.indexFolder(index), name);
    const file = await open(`${path}${UNFINISHED}`, 'w', 0o600);
    try {
      for await (const piece of pieces) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}${UNFINISHED}`, path);
  }

  /** Must be called after all files of the index have been stored. */
  async storeIndexRecord(snapshot: string, index: string, record: IndexRecord): Promise<void> {
    await writeChecked(join(this.indexFolder(index), `${snapshot}${JSON_END}`), record);
  }

  /** Must be called before the folders of `indices` are changed. */
  async begin(snapshot: string, indices: readonly string[]): Promise<void> {
    await writeChecked(this.#pending(snapshot), indices);
  }
  /** Publishes the snapshot. */
  async commit(record: SnapshotRecord): Promise<void> {
    await syncFolder(join(this.location, 'indices'));
    await writeChecked(join(this.location, 'snapshots', `${record.uuid}${JSON_END}`), record);
    await unlink(this.#pending(record.uuid));
  }
  /** Removes the files of a snapshot that was not committed. */
  async rollBack(snapshot: string, indices: readonly string[]): Promise<void> {
    await this.#sweep(indices);
    await rm(this.#pending(snapshot), { force: true });
  }

  async remove(record: SnapshotRecord): Promise<Removed> {
    const indices = record.indices.map(({ uuid }) => uuid);
    await this.begin(record.uuid, indices);
    await rm(join(this.location, 'snapshots', `${record.uuid}${JSON_END}`));
    await syncFolder(join(this.location, 'snapshots'));
    const removed = await this.#sweep(indices);
    await rm(this.#pending(record.uuid), { force: true });
    return removed;
  }

  /** Cleans up after changes that a crash interrupted. */
  async recover(): Promise<void> {
    for (const folder of ['pending', 'snapshots']) {
      const names = await listing(join(this.location, folder));
      for (const name of names.filter((one) => one.endsWith(UNFINISHED))) {
        await rm(join(this.location, folder, name), { force: true });
      }
    }
    for (const uuid of await this.#uuidsOf('pending')) {
      const path = `pending/${uuid}${JSON_END}`;
      const indices = await readChecked(join(this.location, path)).catch(() => null);
      const known = Array.isArray(indices) && indices.every((one) => isUuid(String(one)));
      await this.#sweep(known ? indices.map(String) : await this.#indexFolders());
      await rm(join(this.location, path), { force: true });
    }
  }

  /** Removes the unused files of all index folders. */
  async cleanUp(): Promise<Removed> {
    await this.recover();
    return this.#sweep(await this.#indexFolders());
  }

  async #indexFolders(): Promise<readonly string[]> {
    return (await readdir(join(this.location, 'indices'))).filter(isUuid);
  }

  async #sweep(indices: readonly string[]): Promise<Removed> {
    const snapshots = new Set(await this.#uuidsOf('snapshots'));
    const removed = { files: 0, bytes: 0 };
    for (const index of new Set(indices)) await this.#sweepIndex(index, snapshots, removed);
    return removed;
  }

  async #sweepIndex(
    index: string,
    snapshots: ReadonlySet<string>,
    removed: { files: number; bytes: number },
  ): Promise<void> {
    const folder = this.indexFolder(index);
    const names = await listing(folder);
    const needed = new Set<string>();
    for (const name of names.filter((one) => one.endsWith(JSON_END))) {
      const uuid = name.slice(0, -JSON_END.length);
      if (!snapshots.has(uuid)) continue;
      needed.add(name);
      // An unreadable record might refer to any file: rejects, and nothing is removed.
      const record = await this.indexRecord(uuid, index);
      for (const file of record.files) needed.add(storedName(uuid, file));
    }
    for (const name of names) {
      if (needed.has(name)) continue;
      const path = join(folder, name);
      removed.bytes += (await stat(path)).size;
      removed.files += 1;
      await unlink(path);
    }
    if (needed.size > 0) return;
    await rmdir(folder).catch((error: unknown) => {
      if (!isCode(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) throw error;
    });
  }

  /** The uuids of the records in a folder of the repository. */
  async #uuidsOf(folder: string): Promise<readonly string[]> {
    const names = await listing(join(this.location, folder));
    return names
      .filter((name) => name.endsWith(JSON_END))
      .map((name) => name.slice(0, -JSON_END.length))
      .filter(isUuid);
  }

  #pending(snapshot: string): string {
    return join(this.location, 'pending', `${snapshot}${JSON_END}`);
  }

  /** Undefined if the file does not exist. */
  async #read<T>(path: string, check: (value: unknown) => T): Promise<T | undefined> {
    try {
      return check(await readChecked(join(this.location, path)));
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw this.#damaged(path, (error as Error).message);
    }
  }

  #damaged(path: string, why: string): Error {
    return repositoryError(this.name, `[${path}] cannot be read: ${why}`);
  }
}

async function listing(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
}
