// Lays out a data folder as it was at a moment: from the newest base before it, the changes of the
// marks after that, and the log up to the moment. The engine starts on it as after the end of a
// process. NODE comes last, without which no engine opens a folder that holds data.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isCode, makeFolder, syncFolder } from '../../base/durable-file.js';
import type { BlobStore } from '../blob-store.js';
import type { FileCache } from './file-cache.js';
import {
  isBaseMark,
  LOG_FOLDER,
  LogRepository,
  type Mark,
  type ShippedFile,
  type ShippedLog,
  timeOfMark,
} from './marks.js';
import { type LogPlaceOptions, openLogPlace } from './place.js';
import { writeRestored } from './restored-mark.js';
import { HEADER_BYTES, readHeader, walName } from './wal-files.js';

export interface RestoreLogOptions {
  readonly store: BlobStore;
  /** Must be empty or missing. */
  readonly dataDir: string;
  /** Epoch milliseconds; undefined: the newest moment. */
  readonly time: number | undefined;
  /** Which history, where there are several. */
  readonly id: string | undefined;
  readonly onProgress: (bytes: number, ofBytes: number) => void;
  /** Files of earlier moments, on the same file system; none: nothing is kept. */
  readonly cache?: FileCache | undefined;
}

export interface RestoredLog {
  readonly id: string;
  readonly mark: string;
  /** The moment that was reached, epoch milliseconds. */
  readonly moment: number;
  /** Until then nothing else was written, as far as the repository knows. */
  readonly until: number;
  readonly indexes: number;
  readonly bytes: number;
}

/** Everything that a folder holds at a moment. */
interface Layout {
  readonly indexes: readonly number[];
  readonly metas: ReadonlyMap<number, ShippedFile>;
  readonly shards: ReadonlyMap<number, Mark['shards'][string]>;
  readonly lists: ReadonlyMap<string, ShippedFile>;
  readonly log: readonly ShippedLog[];
}

export type RestoreShippedOptions = Omit<RestoreLogOptions, 'store'> &
  Pick<LogPlaceOptions, 'place' | 'region'>;

/** Like restoreLog(), from a place as operators write it. */
export async function restoreFromPlace(options: RestoreShippedOptions): Promise<RestoredLog> {
  const { signal } = new AbortController();
  const { store, close } = await openLogPlace({ ...options, signal });
  try {
    return await restoreLog({ ...options, store });
  } finally {
    await close();
  }
}

/** Rejects with a description of what is missing or damaged; what was written then is no data folder. */
export async function restoreLog(options: RestoreLogOptions): Promise<RestoredLog> {
  const { store, dataDir } = options;
  await refuseUsed(dataDir);
  const repository = await historyOf(options);
  const names = await repository.marks();
  const name = names.findLast((one) => {
    return options.time === undefined || (timeOfMark(one) ?? 0) <= options.time;
  });
  if (name === undefined) throw new Error(nothingBefore(options, names, store));
  const layout = layoutOf(await chainTo(repository, name));
  const node = layout.lists.get('NODE');
  if (node === undefined) throw new Error(`the moments up to [${name}] have no file [NODE]`);
  const writer = new LayoutWriter(repository, layout, options);
  const bytes = await writer.write();
  await options.cache?.keepOnly([...filesOf(layout)].map(({ blob }) => blob));
  const moment = timeOfMark(name) ?? 0;
  await writeRestored(dataDir, { moment, place: store.location });
  await writer.file('NODE.copy', node);
  await writer.file('NODE', node);
  await syncFolder(dataDir);
  return {
    id: repository.id,
    mark: name,
    moment,
    until: await untilOf(repository, names, name),
    indexes: layout.indexes.length,
    bytes,
  };
}

async function refuseUsed(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error: unknown): string[] => {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  });
  if (names.length === 0) return;
  throw new Error(`the folder [${dataDir}] is not empty: give an empty one, or remove it first`);
}

/** The history of that id, or the only one. Rejects with those that there are. */
export async function historyOf({
  store,
  id,
}: Pick<RestoreLogOptions, 'store' | 'id'>): Promise<LogRepository> {
  const ids = (await store.folders(LOG_FOLDER)).toSorted();
  if (ids.length === 0) throw new Error(`no log was shipped to [${store.location}]`);
  if (id !== undefined) {
    if (ids.includes(id)) return new LogRepository(store, id);
    throw new Error(
      `there is no history [${id}] in [${store.location}], there are ${ids.join(', ')}`,
    );
  }
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) return new LogRepository(store, only);
  const shown: string[] = [];
  for (const one of ids) {
    const latest = await new LogRepository(store, one).latest();
    const until = latest === undefined ? 'nothing' : new Date(latest.time).toISOString();
    shown.push(`${one} (until ${until})`);
  }
  throw new Error(
    `[${store.location}] has several histories, choose one by --history: ${shown.join(', ')}`,
  );
}

function nothingBefore(
  { time }: RestoreLogOptions,
  names: readonly string[],
  { location }: BlobStore,
): string {
  const first = timeOfMark(names[0] ?? '');
  if (first === undefined)
    return `[${location}] has no moment yet: the first copy was not complete`;
  const [wanted, oldest] = [time ?? 0, first].map((one) => new Date(one).toISOString());
  return `nothing of [${wanted}] is in [${location}], the oldest moment is ${oldest}`;
}

/** The marks from the newest base on, oldest first. */
async function chainTo(repository: LogRepository, name: string): Promise<readonly Mark[]> {
  const chain: Mark[] = [];
  for (let at: string | null = name; ; ) {
    const mark: Mark = await repository.mark(at);
    chain.unshift(mark);
    if (isBaseMark(at)) return chain;
    if (mark.previous === null) throw new Error(`the mark [${at}] has no base before it`);
    at = mark.previous;
  }
}

function layoutOf(chain: readonly Mark[]): Layout {
  const metas = new Map<number, ShippedFile>();
  const shards = new Map<number, Mark['shards'][string]>();
  const lists = new Map<string, ShippedFile>();
  for (const mark of chain) {
    for (const [number, file] of Object.entries(mark.metas)) metas.set(Number(number), file);
    for (const [number, all] of Object.entries(mark.shards)) shards.set(Number(number), all);
    for (const [path, file] of Object.entries(mark.lists)) {
      if (file === null) lists.delete(path);
      else lists.set(path, file);
    }
  }
  const last = chain.at(-1);
  return {
    indexes: last?.indexes ?? [],
    metas,
    shards,
    lists,
    log: chain.flatMap(({ log }) => log),
  };
}

/** The last time at which the moment was still the newest state. */
async function untilOf(
  repository: LogRepository,
  names: readonly string[],
  name: string,
): Promise<number> {
  const next = names[names.indexOf(name) + 1];
  const latest = next === undefined ? await repository.latest() : undefined;
  const moment = timeOfMark(name) ?? 0;
  return latest?.mark === name ? Math.max(moment, latest.time) : moment;
}

class LayoutWriter {
  readonly #repository: LogRepository;
  readonly #layout: Layout;
  readonly #options: RestoreLogOptions;
  #bytes = 0;
  readonly #ofBytes: number;

  constructor(repository: LogRepository, layout: Layout, options: RestoreLogOptions) {
    this.#repository = repository;
    this.#layout = layout;
    this.#options = options;
    this.#ofBytes = [...filesOf(layout)].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Everything but NODE. Resolves to the number of bytes. */
  async write(): Promise<number> {
    const { indexes, metas, shards, lists } = this.#layout;
    await makeFolder(this.#options.dataDir);
    await mkdir(join(this.#options.dataDir, 'indices'), { mode: 0o700 });
    for (const number of indexes) {
      const [meta, all] = [metas.get(number), shards.get(number)];
      if (meta === undefined || all === undefined) {
        throw new Error(`the files of index number [${number}] are missing`);
      }
      const folder = `indices/${number}`;
      for (const [shard, { manifest, segments }] of all.entries()) {
        const files = Object.entries(segments).filter(([name]) => /^seg-\d+\.\w+$/.test(name));
        for (const [name, file] of files) await this.file(`${folder}/${shard}/${name}`, file);
        await this.file(`${folder}/${shard}/MANIFEST`, manifest);
        await syncFolder(join(this.#options.dataDir, folder, String(shard)));
      }
      await this.file(`${folder}/META.copy`, meta);
      await this.file(`${folder}/META`, meta);
      await syncFolder(join(this.#options.dataDir, folder));
    }
    for (const [name, file] of lists) {
      if (name !== 'NODE' && /^[\w.-]+$/.test(name)) await this.file(name, file);
    }
    await this.#log();
    await syncFolder(join(this.#options.dataDir, 'indices'));
    return this.#bytes;
  }

  /** A file of the folder, verified by its checksum. */
  async file(path: string, file: ShippedFile): Promise<void> {
    const full = join(this.#options.dataDir, path);
    await mkdir(dirname(full), { recursive: true, mode: 0o700 });
    if (this.#options.cache !== undefined && file.blob.startsWith('segments/')) {
      await link(await this.#cached(this.#options.cache, file), full);
      return;
    }
    const to = await open(full, 'wx', 0o600);
    try {
      await this.#copy(file, async (bytes) => {
        await to.writeFile(bytes);
      });
      await to.sync();
    } finally {
      await to.close();
    }
  }

  async #log(): Promise<void> {
    const folder = join(this.#options.dataDir, 'wal');
    await mkdir(folder, { mode: 0o700 });
    const files = new Map<number, ShippedLog[]>();
    for (const part of this.#layout.log) {
      const parts = files.get(part.number);
      if (parts === undefined) files.set(part.number, [part]);
      else parts.push(part);
    }
    let end: bigint | undefined;
    for (const [number, parts] of [...files].sort(([a], [b]) => a - b)) {
      end = await this.#logFile(join(folder, walName(number)), parts, end);
    }
    await syncFolder(folder);
  }

  /** Resolves to the position at which the file ends; `begin` is where it must begin. */
  async #logFile(
    path: string,
    parts: readonly ShippedLog[],
    begin: bigint | undefined,
  ): Promise<bigint> {
    const header = Buffer.from(parts[0]?.header ?? '', 'base64');
    if (header.length !== HEADER_BYTES) throw new Error(`the header of [${path}] is damaged`);
    const { start, reserved } = readHeader(header);
    let at = start;
    if (begin !== undefined && begin !== start) throw gap(begin, start);
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(header);
      for (const part of parts) {
        if (BigInt(part.from) !== at) throw gap(at, BigInt(part.from));
        await this.#copy(part, async (bytes) => {
          await file.writeFile(bytes);
        });
        at = BigInt(part.to);
      }
      // The engine takes a file that is shorter than it was made for one that was cut.
      await file.truncate(Math.max(reserved, HEADER_BYTES + Number(at - start)));
      await file.sync();
    } finally {
      await file.close();
    }
    return at;
  }

  async #copy(file: ShippedFile, write: (bytes: Uint8Array) => Promise<void>): Promise<void> {
    const { cache } = this.#options;
    if (cache === undefined) return this.#fetch(file, write);
    for await (const piece of createReadStream(await this.#cached(cache, file))) {
      await write(piece as Buffer);
    }
  }

  /** The path of a file in the cache, which is fetched if it is not there. */
  #cached(cache: FileCache, file: ShippedFile): Promise<string> {
    return cache.get(file.blob, (write) => this.#fetch(file, write));
  }

  /** Reads a file from the repository, and rejects unless it has its checksum. */
  async #fetch(
    { blob, bytes, sha256 }: ShippedFile,
    write: (bytes: Uint8Array) => Promise<void>,
  ): Promise<void> {
    const { store, onProgress } = this.#options;
    const path = this.#repository.path(blob);
    const hash = createHash('sha256');
    for (let at = 0; at < bytes || at === 0; ) {
      const range = await store.read(path, at, store.pieceBytes);
      if (range === undefined) throw new Error(`the file [${path}] is missing`);
      if (range.total !== bytes) {
        throw new Error(`the file [${path}] is damaged: it has ${range.total} bytes, not ${bytes}`);
      }
      hash.update(range.bytes);
      await write(range.bytes);
      at += range.bytes.length;
      this.#bytes += range.bytes.length;
      onProgress(this.#bytes, this.#ofBytes);
      if (range.bytes.length === 0) break;
    }
    if (hash.digest('hex') === sha256) return;
    throw new Error(`the file [${path}] is damaged: it does not match its checksum`);
  }
}

function gap(end: bigint, begin: bigint): Error {
  return new Error(`the log has a gap between the positions ${end} and ${begin}`);
}

function* filesOf({ metas, shards, lists, log }: Layout): Generator<ShippedFile> {
  yield* metas.values();
  yield* lists.values();
  for (const { manifest, segments } of [...shards.values()].flat()) {
    yield manifest;
    yield* Object.values(segments);
  }
  yield* log;
}
