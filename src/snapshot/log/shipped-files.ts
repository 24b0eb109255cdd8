// The files of a shipped log in its repository: each is written once, named by its content or place,
// and removed when no mark that is kept names it.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { isCode, sha256 } from '../../base/durable-file.js';
import { writeWhole } from '../blob-store.js';
import type { SegmentFile } from './data-files.js';
import {
  isBaseMark,
  type LogRepository,
  type Mark,
  type ShippedFile,
  type ShippedLog,
  timeOfMark,
} from './marks.js';
import type { HeldLog, WalRange } from './wal-files.js';

const FOLDERS = ['wal', 'files', 'segments'] as const;

export class ShippedFiles {
  readonly #repository: LogRepository;
  /** Small files by their checksum, files of segments by their path. */
  readonly #small = new Set<string>();
  readonly #segments = new Map<string, ShippedFile>();
  /** Used by marks of this process, which a sweep may not know. */
  readonly #used = new Set<string>();
  #bytes = 0;

  constructor(repository: LogRepository) {
    this.#repository = repository;
  }

  /** Bytes that were written. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Finds what earlier processes have written. */
  async load(): Promise<void> {
    const { store } = this.#repository;
    for (const { name } of await store.list(this.#repository.path('files'))) this.#small.add(name);
    const base = (await this.#repository.marks()).findLast(isBaseMark);
    if (base === undefined) return;
    const { shards } = await this.#repository.mark(base);
    for (const shard of Object.values(shards).flat()) {
      for (const file of Object.values(shard.segments)) this.#segments.set(file.blob, file);
    }
  }

  async putSmall(bytes: Buffer): Promise<ShippedFile> {
    const sum = sha256(bytes);
    const blob = `files/${sum}`;
    this.#used.add(blob);
    if (!this.#small.has(sum)) {
      await writeWhole(this.#repository.store, this.#repository.path(blob), bytes);
      this.#bytes += bytes.length;
      this.#small.add(sum);
    }
    return { blob, bytes: bytes.length, sha256: sum };
  }

  /** `shard` names it among all shards. Undefined if a merge has removed the file meanwhile. */
  async putSegment(
    file: SegmentFile,
    shard: string,
    pace: (bytes: number) => Promise<void>,
  ): Promise<ShippedFile | undefined> {
    const blob = `segments/${shard}-${file.key}`;
    this.#used.add(blob);
    const known = this.#segments.get(blob);
    if (known !== undefined) return known;
    try {
      const pieces = piecesOf(file, pace);
      const shipped = await this.#put(blob, file.bytes, pieces);
      this.#segments.set(blob, shipped);
      return shipped;
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  async putRanges(log: HeldLog, ranges: readonly WalRange[]): Promise<readonly ShippedLog[]> {
    const shipped: ShippedLog[] = [];
    for (const range of ranges) {
      const { file, from, to } = range;
      const blob = `wal/${file.number}-${from}-${to}`;
      this.#used.add(blob);
      shipped.push({
        number: file.number,
        header: file.header.toString('base64'),
        from: String(from),
        to: String(to),
        ...(await this.#put(blob, Number(to - from), log.read(range))),
      });
    }
    return shipped;
  }

  /** Makes what was written durable. */
  async sync(): Promise<void> {
    const { store } = this.#repository;
    for (const folder of FOLDERS) await store.sync(this.#repository.path(folder));
  }

  /** Removes what no moment since `oldest` (epoch milliseconds) needs. May run beside writes. */
  async sweep(oldest: number, signal: AbortSignal): Promise<void> {
    const repository = this.#repository;
    const { store } = repository;
    const there = new Map<string, readonly string[]>();
    for (const folder of FOLDERS) {
      const files = await store.list(repository.path(folder));
      there.set(
        folder,
        files.map(({ name }) => name),
      );
    }
    const marks = await repository.marks();
    const first = marks.findLast((name) => isBaseMark(name) && (timeOfMark(name) ?? 0) <= oldest);
    const old = first === undefined ? [] : marks.slice(0, marks.indexOf(first));
    await store.remove(repository.path('marks'), old);
    const needed = new Set<string>();
    for (const name of marks.slice(old.length)) {
      signal.throwIfAborted();
      for (const blob of blobsOf(await repository.mark(name))) needed.add(blob);
    }
    for (const folder of FOLDERS) {
      const garbage = (there.get(folder) ?? []).filter((name) => {
        const blob = `${folder}/${name}`;
        if (needed.has(blob) || this.#used.has(blob)) return false;
        this.#small.delete(name);
        this.#segments.delete(blob);
        return true;
      });
      await store.remove(repository.path(folder), garbage);
    }
    for (const blob of needed) this.#used.delete(blob);
  }

  async #put(blob: string, bytes: number, pieces: AsyncIterable<Uint8Array>): Promise<ShippedFile> {
    const hash = createHash('sha256');
    async function* hashed(): AsyncIterable<Uint8Array> {
      let sent = 0;
      for await (const piece of pieces) {
        hash.update(piece);
        sent += piece.length;
        yield piece;
      }
      if (sent !== bytes) throw new Error(`[${blob}] has ${sent} bytes instead of ${bytes}`);
    }
    await this.#repository.store.write(this.#repository.path(blob), bytes, hashed());
    this.#bytes += bytes;
    return { blob, bytes, sha256: hash.digest('hex') };
  }
}

async function* piecesOf(
  { path, bytes }: SegmentFile,
  pace: (bytes: number) => Promise<void>,
): AsyncIterable<Uint8Array> {
  for await (const piece of createReadStream(path, { end: Math.max(0, bytes - 1) })) {
    await pace((piece as Buffer).length);
    yield piece as Buffer;
  }
}

/** Every file that a mark needs. */
function* blobsOf({ metas, lists, shards, log }: Mark): Generator<string> {
  for (const { blob } of Object.values(metas)) yield blob;
  for (const file of Object.values(lists)) if (file !== null) yield file.blob;
  for (const { manifest, segments } of Object.values(shards).flat()) {
    yield manifest.blob;
    for (const { blob } of Object.values(segments)) yield blob;
  }
  for (const { blob } of log) yield blob;
}
