// Indexes without an engine: bytes by file, which a test may change, remove or have fail; and
// folders that restores fill.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  FilledCopy,
  IndexCopies,
  PinnedFile,
  RestoreFolder,
} from '../../src/backend/index.ts';
import { QuarryError } from '../../src/errors.ts';

export interface FakeIndex {
  readonly uuid: string;
  readonly shards: number;
  /** `shard/name` to content; a file other than MANIFEST has its content as its key. */
  readonly files: Readonly<Record<string, string>>;
}

export class FakeCopies implements IndexCopies {
  readonly indices = new Map<string, FakeIndex>();
  readonly pinned = new Map<number, FakeIndex>();
  /** Names of files in the order of their first read. */
  readonly read1: string[] = [];
  /** Throws the error for that point: "pin a", "read seg-1.data", "verify", "finish b" … */
  trouble: (point: string) => void = () => {};
  /** Restored indexes: name to the content of its files. */
  readonly restored = new Map<string, Record<string, string>>();
  readonly folders = new Map<number, string>();
  #last = 0;

  async pin(name: string) {
    this.trouble(`pin ${name}`);
    const index = this.indices.get(name);
    if (index === undefined) throw new QuarryError('index_not_found_exception', `no [${name}]`);
    const pin = ++this.#last;
    this.pinned.set(pin, index);
    return {
      pin,
      uuid: index.uuid,
      shards: index.shards,
      documents: 1,
      description: { name, number_of_shards: index.shards },
      files: this.#filesOf(index),
    };
  }
  async read(pin: number, at: number, offset: number, length: number): Promise<Uint8Array> {
    const index = this.pinned.get(pin);
    if (index === undefined) throw new Error('read after release');
    const [path = '', content = ''] = Object.entries(index.files)[at] ?? [];
    if (offset === 0) this.read1.push(path);
    this.trouble(`read ${path}`);
    return Buffer.from(content).subarray(offset, offset + length);
  }
  async release(pin: number): Promise<void> {
    this.pinned.delete(pin);
  }

  rename(pattern: string, replacement: string, name: string) {
    return { name: name.replace(new RegExp(pattern, 'gu'), replacement), steps: 1 };
  }
  checkRestore(): void {}
  async prepare(shards: number): Promise<RestoreFolder> {
    this.trouble('prepare');
    const folder = mkdtempSync(join(tmpdir(), 'quarry-restored-'));
    for (let i = 0; i < shards; i++) mkdirSync(join(folder, String(i)));
    const number = ++this.#last;
    this.folders.set(number, folder);
    return { number, folder };
  }
  async verify(
    target: RestoreFolder,
    _shards: number,
    files: readonly PinnedFile[],
  ): Promise<void> {
    this.trouble('verify');
    for (const { shard, name, key } of files) {
      const text = readFileSync(join(target.folder, String(shard), name), 'utf8');
      if (key === '' || keyOf(text) === key) continue;
      throw new QuarryError('corrupt_index_exception', `[${shard}/${name}] is damaged: x`);
    }
  }
  async finish(copies: readonly FilledCopy[]): Promise<void> {
    for (const { restore } of copies) this.trouble(`finish ${restore.name}`);
    for (const { target, restore } of copies) {
      this.restored.set(restore.name, {});
      this.#remove(target);
    }
  }
  async abort(target: RestoreFolder): Promise<void> {
    this.#remove(target);
  }

  #remove({ number, folder }: RestoreFolder): void {
    rmSync(folder, { recursive: true });
    this.folders.delete(number);
  }
  #filesOf(index: FakeIndex): readonly PinnedFile[] {
    return Object.entries(index.files).map(([path, content]) => {
      const [shard, name = ''] = path.split('/');
      const key = name === 'MANIFEST' ? '' : keyOf(content);
      return { shard: Number(shard), name, key, bytes: content.length };
    });
  }
}

/** A well-formed key that differs for different contents. */
export function keyOf(content: string): string {
  const hex = Buffer.from(content.padEnd(8).slice(0, 8)).toString('hex');
  return `${hex}-01234567-${content.length}`;
}
