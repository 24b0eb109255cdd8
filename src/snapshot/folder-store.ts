// The files of a repository in a folder of this machine. A file gets its name when it is complete
// and synced; until then it has the suffix of unfinished files.
import { open, readdir, rename, rmdir, stat, statfs, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isCode, makeFolder, syncFolder, UNFINISHED } from '../base/durable-file.js';
import type { BlobStore, FileRange, Removed, StoredFile } from './blob-store.js';

const PIECE_BYTES = 1024 * 1024;

export class FolderStore implements BlobStore {
  readonly location: string;
  readonly pieceBytes = PIECE_BYTES;

  /** `location` must have been checked. */
  constructor(location: string) {
    this.location = location;
  }

  async open(folders: readonly string[]): Promise<void> {
    for (const folder of folders) await makeFolder(join(this.location, folder));
  }

  async read(path: string, offset: number, length: number): Promise<FileRange | undefined> {
    const file = await open(join(this.location, path), 'r').catch(unlessMissing);
    if (file === undefined) return undefined;
    try {
      const total = (await file.stat()).size;
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, total - offset)));
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await file.read(
          bytes,
          filled,
          bytes.length - filled,
          offset + filled,
        );
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return { bytes: bytes.subarray(0, filled), total };
    } finally {
      await file.close();
    }
  }

  async write(path: string, _bytes: number, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const final = join(this.location, path);
    const file = await this.#create(`${final}${UNFINISHED}`);
    try {
      for await (const piece of pieces) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${final}${UNFINISHED}`, final);
  }

  async #create(path: string) {
    try {
      return await open(path, 'w', 0o600);
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
      await makeFolder(dirname(path));
      return open(path, 'w', 0o600);
    }
  }

  async sync(folder: string): Promise<void> {
    await syncFolder(join(this.location, folder)).catch(unlessMissing);
  }

  async list(folder: string): Promise<readonly StoredFile[]> {
    const found: StoredFile[] = [];
    for (const name of await this.#names(folder, 'files')) {
      if (name.endsWith(UNFINISHED)) continue;
      const bytes = await this.#sizeOf(folder, name);
      if (bytes !== undefined) found.push({ name, bytes });
    }
    return found;
  }

  folders(folder: string): Promise<readonly string[]> {
    return this.#names(folder, 'folders');
  }

  async remove(folder: string, names: readonly string[]): Promise<void> {
    for (const name of names) {
      await unlink(join(this.location, folder, name)).catch(unlessMissing);
    }
    await this.#removeEmpty(folder);
  }

  async removeUnfinished(folder: string): Promise<Removed> {
    const names = (await this.#names(folder, 'files')).filter((name) => name.endsWith(UNFINISHED));
    let bytes = 0;
    for (const name of names) bytes += (await this.#sizeOf(folder, name)) ?? 0;
    await this.remove(folder, names);
    return { files: names.length, bytes };
  }

  async space(): Promise<{ readonly free: number; readonly bytes: number }> {
    const { bavail, blocks, bsize } = await statfs(this.location);
    return { free: bavail * bsize, bytes: blocks * bsize };
  }

  async #names(folder: string, kind: 'files' | 'folders'): Promise<readonly string[]> {
    const path = join(this.location, folder);
    const entries = (await readdir(path, { withFileTypes: true }).catch(unlessMissing)) ?? [];
    return entries
      .filter((entry) => entry.isDirectory() === (kind === 'folders'))
      .map(({ name }) => name);
  }

  async #sizeOf(folder: string, name: string): Promise<number | undefined> {
    return (await stat(join(this.location, folder, name)).catch(unlessMissing))?.size;
  }

  /** The folders directly in the repository are kept, because every change needs them again. */
  async #removeEmpty(folder: string): Promise<void> {
    if (!folder.includes('/')) return;
    await rmdir(join(this.location, folder)).catch((error: unknown) => {
      if (!isCode(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) throw error;
    });
  }
}

function unlessMissing(error: unknown): undefined {
  if (isCode(error, 'ENOENT')) return undefined;
  throw error;
}
