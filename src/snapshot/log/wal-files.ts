// The files of the engine's log (native/core/wal/log_format.h) as bytes: which there are, and what
// lies between two positions. Frames below a durable position never change. The engine removes a
// file once its operations are in segments, so each gets a second name, a hard link in wal.held,
// until its bytes are shipped.
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isCode } from '../../base/durable-file.js';

export interface WalFile {
  readonly number: number;
  /** Position of its first frame. */
  readonly start: bigint;
  readonly header: Buffer;
}

/** What is held of the log. A file may have been written and removed before it could be held. */
export interface WalFiles {
  readonly files: readonly WalFile[];
  /** Number of the last file of the engine, 0 if it has none. */
  readonly last: number;
}

export interface WalRange {
  readonly file: WalFile;
  readonly from: bigint;
  readonly to: bigint;
}

export const HEADER_BYTES = 64;
const FOLDER = 'wal';
const HELD_FOLDER = 'wal.held';
const NAME = /^(\d{10})\.log$/;
/** Bytes of wal.files (native/core/wal/log_bounds.h), and where the number of the last file is. */
const BOUNDS_BYTES = 24;
const LAST_AT = 16;

export class HeldLog {
  readonly #dataDir: string;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  get folder(): string {
    return join(this.#dataDir, FOLDER);
  }

  /** Gives a second name to every file that has none. Cheap where there is nothing new. */
  async hold(): Promise<void> {
    const held = new Set(await namesIn(this.#held));
    const names = (await namesIn(this.folder)).sort();
    const last = names.at(-1);
    if (last !== undefined && held.has(last) && !(await this.#isSame(last))) {
      // The file had no frame yet and was made anew.
      await unlink(join(this.#held, last));
      held.delete(last);
    }
    const fresh = names.filter((name) => !held.has(name));
    if (fresh.length === 0) return;
    await mkdir(this.#held, { recursive: true, mode: 0o700 });
    for (const name of fresh) {
      await link(join(this.folder, name), join(this.#held, name)).catch((error: unknown) => {
        // It is gone already, or two calls met.
        if (!isCode(error, 'ENOENT', 'EEXIST')) throw error;
      });
    }
  }

  /** The files in the order of their numbers. What was durable before the call is in them. */
  async files(): Promise<WalFiles> {
    await this.hold();
    const last = await this.#lastNumber();
    const files: WalFile[] = [];
    for (const name of (await namesIn(this.#held)).sort()) {
      const header = await headerOf(join(this.#held, name));
      // One whose header is not written yet has no frame.
      if (header !== undefined) files.push({ number: Number(NAME.exec(name)?.[1]), ...header });
    }
    return { files, last };
  }

  /** Position of the first frame that the engine itself keeps; undefined if it keeps none. */
  async firstKept(): Promise<bigint | undefined> {
    for (const name of (await namesIn(this.folder)).sort()) {
      const header = await headerOf(join(this.folder, name));
      if (header !== undefined) return header.start;
    }
    return undefined;
  }

  /** Gives up the files that end at or below the position. */
  async release(position: bigint): Promise<void> {
    const names = (await namesIn(this.#held)).sort();
    for (const [i, name] of names.entries()) {
      const next = names[i + 1];
      if (next === undefined) return;
      const header = await headerOf(join(this.#held, next));
      if (header === undefined || header.start > position) return;
      await unlink(join(this.#held, name));
    }
  }

  /** Gives up every file. */
  async releaseAll(): Promise<void> {
    for (const name of await namesIn(this.#held)) await unlink(join(this.#held, name));
  }

  /** Bytes of the files that only this holds. */
  async bytes(): Promise<number> {
    const kept = new Set(await namesIn(this.folder));
    let bytes = 0;
    for (const name of await namesIn(this.#held)) {
      if (!kept.has(name)) bytes += (await stat(join(this.#held, name))).size;
    }
    return bytes;
  }

  /** The file is opened when the bytes are first asked for. */
  async *read({ file, from, to }: WalRange): AsyncIterable<Uint8Array> {
    const start = HEADER_BYTES + Number(from - file.start);
    const path = join(this.#held, walName(file.number));
    yield* createReadStream(path, { start, end: start + Number(to - from) - 1 });
  }

  get #held(): string {
    return join(this.#dataDir, HELD_FOLDER);
  }

  async #isSame(name: string): Promise<boolean> {
    const [one, other] = await Promise.all(
      [this.folder, this.#held].map((folder) => stat(join(folder, name)).catch(() => undefined)),
    );
    return one === undefined || other === undefined || one.ino === other.ino;
  }

  /** 0: there is none. */
  async #lastNumber(): Promise<number> {
    try {
      const bounds = await readFile(join(this.#dataDir, `${FOLDER}.files`));
      if (bounds.length !== BOUNDS_BYTES) return 0;
      const [first, last] = [bounds.readUInt32LE(LAST_AT - 4), bounds.readUInt32LE(LAST_AT)];
      return first > last ? 0 : last;
    } catch (error) {
      if (isCode(error, 'ENOENT')) return 0;
      throw error;
    }
  }
}

/** Whether everything from one durable position to another is in the files. */
export function covers({ files, last }: WalFiles, from: bigint, to: bigint): boolean {
  if (from >= to) return from === to;
  const first = files.findLastIndex(({ start }) => start <= from);
  const needed = files.slice(Math.max(0, first));
  const numbers = needed.map(({ number }) => number);
  const isWhole = numbers.every((number, i) => number === (numbers[0] ?? 0) + i);
  return first >= 0 && isWhole && last <= (numbers.at(-1) ?? 0);
}

/** What lies between two positions, file by file; empty parts are left out. */
export function rangesBetween(
  files: readonly WalFile[],
  from: bigint,
  to: bigint,
): readonly WalRange[] {
  return files.flatMap((file, i) => {
    const end = files[i + 1]?.start ?? to;
    const part = {
      file,
      from: from > file.start ? from : file.start,
      to: end < to ? end : to,
    };
    return part.from < part.to ? [part] : [];
  });
}

export function walName(number: number): string {
  return `${String(number).padStart(10, '0')}.log`;
}

/** Position of the first frame, and the least length of the file, from its header. */
export function readHeader(header: Buffer): { readonly start: bigint; readonly reserved: number } {
  return { start: header.readBigUInt64LE(16), reserved: header.readUInt32LE(40) };
}

async function namesIn(folder: string): Promise<readonly string[] & string[]> {
  try {
    return (await readdir(folder)).filter((name) => NAME.test(name));
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
}

async function headerOf(path: string): Promise<Omit<WalFile, 'number'> | undefined> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0);
    const isWhole = bytesRead === HEADER_BYTES && header.toString('latin1', 0, 8) === 'QUARRYWL';
    return isWhole ? { start: readHeader(header).start, header } : undefined;
  } finally {
    await file.close();
  }
}
