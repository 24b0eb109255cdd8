// One repository: lists snapshots, stores files, publishes a snapshot by one write, and removes
// files that no snapshot uses. Files of a published snapshot never change. The layout is described
// in records.ts; the files themselves are in a BlobStore.
//
// A change first records in pending/ which index folders it will touch; after a crash these are
// cleaned up.
import type { Json, JsonObject } from '../backend/index.js';
import { CHECKED } from '../base/durable-file.js';
import { QuarryError } from '../errors.js';
import { type BlobStore, type Removed, readWhole, StoreError, writeWhole } from './blob-store.js';
import {
  type IndexRecord,
  isUuid,
  readIndexRecord,
  readSnapshotRecord,
  type SnapshotRecord,
  storedName,
} from './records.js';
import { repositoryError } from './refusals.js';
import { sideBySide } from './side-by-side.js';

const JSON_END = '.json';
/** The folders of every repository. */
const FOLDERS = ['snapshots', 'pending', 'indices'];
/** Size of the file that _verify writes. */
const PROBE_BYTES = 4096;

export class Repository {
  readonly name: string;
  readonly store: BlobStore;

  constructor(name: string, store: BlobStore) {
    this.name = name;
    this.store = store;
  }

  /** The place in messages; two repositories with the same place have the same files. */
  get location(): string {
    return this.store.location;
  }

  create(): Promise<void> {
    return this.store.open(FOLDERS);
  }

  /** Verifies the repository by writing, listing, reading and removing a file. */
  async verify(probe: string): Promise<void> {
    await this.create();
    const name = `probe-${probe}`;
    const bytes = Buffer.alloc(PROBE_BYTES, probe);
    try {
      await writeWhole(this.store, name, bytes);
      const listed = (await this.store.list('')).find((file) => file.name === name);
      if (listed?.bytes !== PROBE_BYTES) throw new Error('a written file is not listed');
      const back = await readWhole(this.store, name);
      if (back === undefined || !bytes.equals(back)) {
        throw new Error('a file does not read as written');
      }
    } finally {
      await this.store.removeUnfinished('');
      await this.store.remove('', [name]);
    }
  }

  /** Snapshots by name. Rejects for an unreadable snapshot, with its file in the message. */
  async snapshots(): Promise<ReadonlyMap<string, SnapshotRecord>> {
    const records = await sideBySide(await this.#uuidsOf('snapshots'), (uuid) =>
      this.#read(`snapshots/${uuid}${JSON_END}`, (value) => readSnapshotRecord(value, uuid)),
    );
    const found = records.filter((record) => record !== undefined);
    return new Map(found.map((record) => [record.name, record]));
  }

  /** The record of an index in a snapshot that lists it. */
  async indexRecord(snapshot: string, index: string): Promise<IndexRecord> {
    const path = `${folderOf(index)}/${snapshot}${JSON_END}`;
    const record = await this.#read(path, readIndexRecord);
    if (record === undefined) throw this.#damaged(path, 'it is missing');
    return record;
  }

  /** Sizes of the files in the folder of an index by name. */
  async storedFiles(index: string): Promise<ReadonlyMap<string, number>> {
    const files = await this.store.list(folderOf(index));
    return new Map(files.map(({ name, bytes }) => [name, bytes]));
  }

  /** Stores a file in the folder of an index; storeIndexRecord() makes it durable. */
  async storeFile(
    index: string,
    name: string,
    bytes: number,
    pieces: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const path = `${folderOf(index)}/${name}`;
    await this.store.write(path, bytes, exactly(bytes, pieces));
  }

  /** Must be called after all files of the index have been stored. */
  async storeIndexRecord(snapshot: string, index: string, record: IndexRecord): Promise<void> {
    await this.#write(folderOf(index), `${snapshot}${JSON_END}`, record);
  }

  /** Must be called before the folders of `indices` are changed. */
  async begin(snapshot: string, indices: readonly string[]): Promise<void> {
    await this.#write('pending', `${snapshot}${JSON_END}`, indices);
  }
  /** Publishes the snapshot. */
  async commit(record: SnapshotRecord): Promise<void> {
    await this.store.sync('indices');
    await this.#write('snapshots', `${record.uuid}${JSON_END}`, record);
    await this.#end(record.uuid);
  }
  /** Removes the files of a snapshot that was not committed. */
  async rollBack(snapshot: string, indices: readonly string[]): Promise<void> {
    await this.#sweep(indices);
    await this.#end(snapshot);
  }

  async remove(record: SnapshotRecord): Promise<Removed> {
    const indices = record.indices.map(({ uuid }) => uuid);
    await this.begin(record.uuid, indices);
    await this.store.remove('snapshots', [`${record.uuid}${JSON_END}`]);
    await this.store.sync('snapshots');
    const removed = await this.#sweep(indices);
    await this.#end(record.uuid);
    return removed;
  }

  /** Cleans up after changes that a crash interrupted. */
  async recover(): Promise<void> {
    for (const folder of ['pending', 'snapshots']) await this.store.removeUnfinished(folder);
    for (const uuid of await this.#uuidsOf('pending')) {
      const indices = await this.#pendingIndices(uuid);
      await this.#sweep(indices ?? (await this.#indexFolders()));
      await this.#end(uuid);
    }
  }

  /** Removes the unused files of all index folders. */
  async cleanUp(): Promise<Removed> {
    await this.recover();
    return this.#sweep(await this.#indexFolders());
  }

  /** Undefined if the note cannot be read, so that any folder may have been changed. */
  async #pendingIndices(uuid: string): Promise<readonly string[] | undefined> {
    const bytes = await readWhole(this.store, `pending/${uuid}${JSON_END}`);
    try {
      const indices: Json = CHECKED.decode(bytes?.toString('utf8') ?? '');
      const known = Array.isArray(indices) && indices.every((one) => isUuid(String(one)));
      return known ? indices.map(String) : undefined;
    } catch {
      return undefined;
    }
  }

  async #end(snapshot: string): Promise<void> {
    await this.store.remove('pending', [`${snapshot}${JSON_END}`]);
  }

  async #indexFolders(): Promise<readonly string[]> {
    return (await this.store.folders('indices')).filter(isUuid);
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
    const folder = folderOf(index);
    const files = await this.store.list(folder);
    const needed = new Set<string>();
    for (const { name } of files.filter((one) => one.name.endsWith(JSON_END))) {
      const uuid = name.slice(0, -JSON_END.length);
      if (!snapshots.has(uuid)) continue;
      needed.add(name);
      // An unreadable record might refer to any file: rejects, and nothing is removed.
      const record = await this.indexRecord(uuid, index);
      for (const file of record.files) needed.add(storedName(uuid, file));
    }
    const unused = files.filter(({ name }) => !needed.has(name));
    const unfinished = await this.store.removeUnfinished(folder);
    await this.store.remove(
      folder,
      unused.map(({ name }) => name),
    );
    removed.files += unused.length + unfinished.files;
    removed.bytes += unused.reduce((sum, { bytes }) => sum + bytes, unfinished.bytes);
  }

  /** The uuids of the records in a folder of the repository. */
  async #uuidsOf(folder: string): Promise<readonly string[]> {
    return (await this.store.list(folder))
      .filter(({ name }) => name.endsWith(JSON_END))
      .map(({ name }) => name.slice(0, -JSON_END.length))
      .filter(isUuid);
  }

  /** Writes a record durably, together with the files that were written to its folder before. */
  async #write(folder: string, name: string, value: unknown): Promise<void> {
    const text = CHECKED.encode(value as JsonObject);
    await writeWhole(this.store, `${folder}/${name}`, Buffer.from(text));
    await this.store.sync(folder);
  }

  /** Undefined if the file does not exist. */
  async #read<T>(path: string, check: (value: unknown) => T): Promise<T | undefined> {
    try {
      const bytes = await readWhole(this.store, path);
      return bytes === undefined ? undefined : check(CHECKED.decode(bytes.toString('utf8')));
    } catch (error) {
      if (error instanceof QuarryError || error instanceof StoreError) throw error;
      throw this.#damaged(path, (error as Error).message);
    }
  }

  #damaged(path: string, why: string): Error {
    return repositoryError(this.name, `[${path}] cannot be read: ${why}`);
  }
}

/** The folder of an index. */
export function folderOf(index: string): string {
  return `indices/${index}`;
}

/** Passes the pieces on; throws if they have another number of bytes. */
async function* exactly(
  bytes: number,
  pieces: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  let left = bytes;
  for await (const piece of pieces) {
    left -= piece.length;
    if (left < 0) break;
    yield piece;
  }
  if (left !== 0) throw new Error(`a file of [${bytes}] bytes ended after [${bytes - left}]`);
}
