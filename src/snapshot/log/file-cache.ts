// Files of a shipped log that a standby keeps between two moments, by their path in the repository.
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isCode, UNFINISHED } from '../../base/durable-file.js';

type Write = (bytes: Uint8Array) => Promise<void>;

export class FileCache {
  readonly #folder: string;
  /** Files that are there. */
  #known: Set<string> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The path of a file; `fetch` writes it first if it is not there, and rejects if it cannot. */
  async get(blob: string, fetch: (write: Write) => Promise<void>): Promise<string> {
    this.#known ??= await this.#list();
    const path = join(this.#folder, blob);
    if (this.#known.has(blob)) return path;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(`${path}${UNFINISHED}`, 'w', 0o600);
    try {
      await fetch(async (bytes) => {
        await file.writeFile(bytes);
      });
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}${UNFINISHED}`, path);
    this.#known.add(blob);
    return path;
  }

  /** Removes all files but these. */
  async keepOnly(blobs: readonly string[]): Promise<void> {
    const kept = new Set(blobs);
    this.#known ??= await this.#list();
    for (const blob of this.#known) {
      if (kept.has(blob)) continue;
      await rm(join(this.#folder, blob), { force: true });
      this.#known.delete(blob);
    }
  }

  async #list(): Promise<Set<string>> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true }).catch(
      (error: unknown) => {
        if (isCode(error, 'ENOENT')) return [];
        throw error;
      },
    );
    const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(UNFINISHED));
    return new Set(
      files.map(({ name, parentPath }) => join(parentPath, name).slice(this.#folder.length + 1)),
    );
  }
}
