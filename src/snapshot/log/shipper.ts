// Ships the log of a running engine to a repository: at each interval what was written since, with
// the changes of indexes and lists, as a mark (marks.ts); from time to time a base, a copy of all
// files of indexes, from which a mark is brought back. A base is copied while marks go on.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isCode, readChecked, writeChecked } from '../../base/durable-file.js';
import type { BlobStore } from '../blob-store.js';
import {
  contentOf,
  type FolderState,
  folderState,
  indexFolder,
  indexNumbers,
  numberOf,
  segmentFiles,
} from './data-files.js';
import {
  LogRepository,
  type Mark,
  markName,
  type ShippedFile,
  type ShippedLog,
  type ShippedShard,
  timeOfMark,
} from './marks.js';
import { ShippedFiles } from './shipped-files.js';
import { covers, HeldLog, rangesBetween, type WalFile } from './wal-files.js';

export interface ShipperOptions {
  readonly dataDir: string;
  readonly store: BlobStore;
  /** Makes the log durable; resolves to the durable position. */
  readonly durable: () => Promise<bigint>;
  readonly nowMs: () => number;
  /** Waits before bytes of a base are copied. */
  readonly pace: (bytes: number) => Promise<void>;
  /** A base older than this, or with more log behind it, is followed by another one. */
  readonly baseMs: number;
  readonly baseLogBytes: number;
  /** Moments up to this age can be brought back. */
  readonly keepMs: () => number;
  /** Bytes of the log that wait for the repository; with more the moments until then are lost. */
  readonly heldBytes: () => number;
}

/** What a tick has found and done. */
export interface Tick {
  /**
   * What was acknowledged until then can be brought back; undefined: nothing yet, the first base is
   * being copied.
   */
  readonly moment: number | undefined;
  readonly bytes: number;
  /** Files of the log were lost before they were shipped: moments between are missing. */
  readonly hasGap: boolean;
}

interface History {
  readonly repository: LogRepository;
  readonly files: ShippedFiles;
}

interface ShipState {
  readonly id: string;
  readonly mark: string;
  readonly writer: string;
}

interface LastMark {
  readonly name: string;
  readonly position: bigint;
  readonly indexes: ReadonlySet<number>;
}

interface Base {
  /** What its indexes need of the log begins here. */
  readonly from: bigint;
  readonly begun: number;
  shards: ReadonlyMap<number, readonly ShippedShard[]> | undefined;
  failure: unknown;
}

/** The state in the data folder: {"id", "mark", "writer"}. */
const STATE_FILE = 'ship.json';
const COPY_TRIES = 50;
/** How long an interval waits for a base. */
const SHORT_COPY_MS = 1000;

export class LogShipper {
  readonly #options: ShipperOptions;
  readonly #log: HeldLog;
  readonly #writer = randomBytes(12).toString('hex');
  #history: History | undefined;
  #last: LastMark | undefined;
  /** META and lists as they were shipped, by path. */
  readonly #seen = new Map<string, string>();
  /** Names of lists that the last mark has. */
  #lists: ReadonlySet<string> = new Set();
  /** Parts of the log that the next base may need. */
  #parts: readonly ShippedLog[] = [];
  #base: Base | undefined;
  #copying: Promise<void> = Promise.resolve();
  #sweeping: Promise<void> = Promise.resolve();
  #lastBase: { readonly time: number; readonly position: bigint } | undefined;
  readonly #stop = new AbortController();

  constructor(options: ShipperOptions) {
    this.#options = options;
    this.#log = new HeldLog(options.dataDir);
  }

  /** Must be called before the engine opens the folder, which removes files of the log. */
  async hold(): Promise<void> {
    await this.#log.hold();
  }

  /** One interval. Rejects with why nothing was shipped; the next one tries again. */
  async tick(): Promise<Tick> {
    this.#history ??= await this.#open();
    const history = this.#history;
    const { repository, files: shipped } = history;
    const { bytes } = shipped;
    await this.#checkOwner(repository);
    const isGivenUp = await this.#giveUpIfTooMuch();
    if (this.#base?.failure !== undefined) {
      const { failure } = this.#base;
      this.#base = undefined;
      throw failure;
    }
    if (this.#base === undefined && this.#needsBase()) await this.#beginBase(shipped);
    const state = await folderState(this.#options.dataDir, this.#seen);
    let base = this.#base?.shards === undefined ? undefined : this.#base;
    const shards = await this.#shardsOf(shipped, state, base);
    // Everything that was acknowledged until then is in the log below this position, and so is what
    // the copies above have.
    const time = this.#options.nowMs();
    const position = await this.#options.durable();
    const held = await this.#log.files();
    const isLost =
      (this.#last !== undefined && !covers(held, this.#last.position, position)) ||
      (this.#last === undefined && base !== undefined && !covers(held, base.from, position));
    if (isLost) this.#forgetLast();
    else if (base !== undefined && !covers(held, base.from, position)) {
      // The marks go on without it; the next interval begins another one.
      this.#base = undefined;
      base = undefined;
    }
    if (!isLost && (this.#last !== undefined || base !== undefined)) {
      await this.#ship(history, { time, state, base, shards, position, files: held.files });
    }
    await this.#log.release(this.#neededFrom());
    return {
      moment: this.#last === undefined ? undefined : time,
      bytes: shipped.bytes - bytes,
      hasGap: isGivenUp || isLost,
    };
  }

  /** Ends a copy that is under way. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('the service stops'));
    await this.#copying;
    await this.#sweeping;
  }

  /** Continues the history of the folder, or begins one. */
  async #open(): Promise<History> {
    const { dataDir, store } = this.#options;
    const stored = await readChecked(join(dataDir, STATE_FILE)).catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    });
    const { id, mark, writer } = (stored ?? {}) as Partial<ShipState>;
    const known = new LogRepository(store, id ?? '');
    const newest = id === undefined ? undefined : (await known.marks()).at(-1);
    if (newest !== undefined) {
      const last = await known.mark(newest);
      // A process may have ended between a mark and the note of it.
      if (newest === mark || (last.previous === mark && last.writer === writer)) {
        const files = new ShippedFiles(known);
        await files.load();
        this.#last = {
          name: newest,
          position: BigInt(last.position),
          indexes: new Set(last.indexes),
        };
        await this.#note(known, newest, last.time);
        return { repository: known, files };
      }
    }
    const fresh = new LogRepository(store, randomBytes(12).toString('hex'));
    await store.open([]);
    await this.#log.releaseAll();
    await this.#log.hold();
    await writeChecked(join(dataDir, STATE_FILE), {
      id: fresh.id,
      mark: '',
      writer: this.#writer,
    });
    return { repository: fresh, files: new ShippedFiles(fresh) };
  }

  /** Two writers of one history would each lose what the other wrote. */
  async #checkOwner(repository: LogRepository): Promise<void> {
    const latest = this.#last === undefined ? undefined : await repository.latest();
    const [theirs = 0, ours = 0] = [latest?.mark, this.#last?.name].map((one) =>
      timeOfMark(one ?? ''),
    );
    // One that is older is ours: the note of a mark may have failed.
    if (theirs <= ours) return;
    throw new Error(
      `another process ships into [${repository.path()}], as a copy of this data folder would: remove ship.json from the copy`,
    );
  }

  /** The repository did not answer for so long that the log would fill the disk. */
  async #giveUpIfTooMuch(): Promise<boolean> {
    if ((await this.#log.bytes()) <= this.#options.heldBytes()) return false;
    await this.#log.releaseAll();
    await this.#log.hold();
    this.#forgetLast();
    return true;
  }

  /** The next mark is a base. */
  #forgetLast(): void {
    this.#last = undefined;
    this.#parts = [];
    this.#base = undefined;
  }

  #needsBase(): boolean {
    const { nowMs, baseMs, baseLogBytes } = this.#options;
    if (this.#last === undefined || this.#lastBase === undefined) return true;
    const { time, position } = this.#lastBase;
    const logged = this.#last.position - position;
    return nowMs() - time > baseMs || logged > BigInt(baseLogBytes);
  }

  /** Copies all files of indexes in the background. */
  async #beginBase(files: ShippedFiles): Promise<void> {
    await this.#copying;
    await this.#log.hold();
    const from = (await this.#log.firstKept()) ?? (await this.#options.durable());
    const begun = this.#options.nowMs();
    const base: Base = { from, begun, shards: undefined, failure: undefined };
    this.#base = base;
    this.#copying = this.#copyAll(files)
      .then((shards) => {
        base.shards = shards;
      })
      .catch((error: unknown) => {
        base.failure = error;
      });
    // A small folder is copied within the same interval.
    await Promise.race([this.#copying, pause(SHORT_COPY_MS, undefined, { ref: false })]);
  }

  async #copyAll(files: ShippedFiles): Promise<ReadonlyMap<number, readonly ShippedShard[]>> {
    const shards = new Map<number, readonly ShippedShard[]>();
    for (const number of await indexNumbers(this.#options.dataDir)) {
      const copied = await this.#copyIndex(files, number);
      if (copied !== undefined) shards.set(number, copied);
    }
    return shards;
  }

  /** Undefined if the index was dropped meanwhile. */
  async #copyIndex(
    files: ShippedFiles,
    number: number,
  ): Promise<readonly ShippedShard[] | undefined> {
    const folder = indexFolder(this.#options.dataDir, number);
    const meta = await contentOf(join(folder, 'META'));
    if (meta === undefined) return undefined;
    const { uuid, number_of_shards: count } = indexOf(meta);
    const shards: ShippedShard[] = [];
    for (let shard = 0; shard < count; shard++) {
      const copied = await this.#copyShard(files, join(folder, String(shard)), `${uuid}-${shard}`);
      if (copied === undefined) return undefined;
      shards.push(copied);
    }
    return shards;
  }

  /** The files that a manifest names, which is the same before and after they are copied. */
  async #copyShard(
    files: ShippedFiles,
    folder: string,
    key: string,
  ): Promise<ShippedShard | undefined> {
    for (let tries = 0; tries < COPY_TRIES; tries++) {
      this.#stop.signal.throwIfAborted();
      const before = await contentOf(join(folder, 'MANIFEST'));
      if (before === undefined) return undefined;
      const segments: Record<string, ShippedFile> = {};
      let isWhole = true;
      for (const file of await segmentFiles(folder)) {
        const shipped = await files.putSegment(file, key, (bytes) => this.#pace(bytes));
        if (shipped === undefined) isWhole = false;
        else segments[file.name] = shipped;
      }
      const after = await contentOf(join(folder, 'MANIFEST'));
      if (isWhole && after?.equals(before) === true) {
        return { manifest: await files.putSmall(before), segments };
      }
    }
    throw new Error(`the files of [${folder}] change faster than they can be copied`);
  }

  /** The files of all indexes for a base, otherwise of those that the last mark does not have. */
  async #shardsOf(
    files: ShippedFiles,
    { seen }: FolderState,
    base: Base | undefined,
  ): Promise<ReadonlyMap<number, readonly ShippedShard[]>> {
    const shards = new Map<number, readonly ShippedShard[]>();
    if (this.#last === undefined && base === undefined) return shards;
    for (const number of numbersIn(seen)) {
      const known = base?.shards?.get(number);
      if (known === undefined && base === undefined && this.#last?.indexes.has(number)) continue;
      const copied = known ?? (await this.#copyIndex(files, number));
      if (copied !== undefined) shards.set(number, copied);
    }
    return shards;
  }

  async #ship({ repository, files: shipped }: History, moment: Moment): Promise<void> {
    const { state, base, shards, position, files } = moment;
    const from = this.#last?.position ?? base?.from ?? position;
    const fresh = await shipped.putRanges(this.#log, rangesBetween(files, from, position));
    // An index that was dropped while it was copied is left out.
    const indexes = numbersIn(state.seen).filter((number) => {
      return shards.has(number) || (base === undefined && this.#last?.indexes.has(number));
    });
    const { metas, lists } = await this.#putState(shipped, state, base !== undefined);
    const changes = fresh.length + shards.size + Object.keys({ ...metas, ...lists }).length;
    const last = this.#last;
    if (base === undefined && changes === 0 && indexes.length === last?.indexes.size) {
      await repository.writeLatest({ mark: last.name, time: moment.time });
      return;
    }
    const parts = await this.#partsFor(shipped, base, files, fresh);
    const time = Math.max(moment.time, (timeOfMark(last?.name ?? '') ?? 0) + 1);
    const name = markName(time, base !== undefined);
    await shipped.sync();
    await repository.writeMark(name, {
      format: 1,
      time,
      previous: last?.name ?? null,
      writer: this.#writer,
      position: String(position),
      indexes,
      metas,
      shards: Object.fromEntries(shards),
      lists,
      log: base === undefined ? fresh : parts,
    });
    this.#last = { name, position, indexes: new Set(indexes) };
    this.#parts = parts;
    for (const [path, seen] of state.seen) this.#seen.set(path, seen);
    this.#lists = new Set([...state.seen.keys()].filter((path) => numberOf(path) === undefined));
    if (base !== undefined) this.#endBase(shipped, base, position);
    await this.#note(repository, name, time);
  }

  #endBase(files: ShippedFiles, { begun }: Base, position: bigint): void {
    const { nowMs, keepMs } = this.#options;
    this.#lastBase = { time: begun, position };
    this.#base = undefined;
    this.#sweeping = this.#sweeping
      .then(() => files.sweep(nowMs() - keepMs(), this.#stop.signal))
      .catch(() => {
        // What is left is removed after the next base.
      });
  }

  async #note(repository: LogRepository, name: string, time: number): Promise<void> {
    await writeChecked(join(this.#options.dataDir, STATE_FILE), {
      id: repository.id,
      mark: name,
      writer: this.#writer,
    });
    await repository.writeLatest({ mark: name, time });
  }

  /** The parts that a base at this moment needs: from the beginning of the first file. */
  async #partsFor(
    shipped: ShippedFiles,
    base: Base | undefined,
    files: readonly WalFile[],
    fresh: readonly ShippedLog[],
  ): Promise<readonly ShippedLog[]> {
    const known = [...this.#parts, ...fresh];
    if (base === undefined) return known;
    const first = files.findLast(({ start }) => start <= base.from) ?? files[0];
    const start = first?.start ?? base.from;
    const kept = known.filter(({ number }) => number >= (first?.number ?? 0));
    const begin = kept[0] === undefined ? start : BigInt(kept[0].from);
    const missing = rangesBetween(files, start, begin);
    return [...(await shipped.putRanges(this.#log, missing)), ...kept];
  }

  #pace(bytes: number): Promise<void> {
    this.#stop.signal.throwIfAborted();
    return this.#options.pace(bytes);
  }

  async #putState(
    files: ShippedFiles,
    { seen, changed }: FolderState,
    isBase: boolean,
  ): Promise<Pick<Mark, 'metas' | 'lists'>> {
    const metas: Record<string, ShippedFile> = {};
    const lists: Record<string, ShippedFile | null> = {};
    for (const path of seen.keys()) {
      const read = changed.get(path);
      if (read === undefined && !isBase) continue;
      const content = read ?? (await contentOf(join(this.#options.dataDir, path)));
      if (content === undefined) continue;
      const number = numberOf(path);
      if (number === undefined) lists[path] = await files.putSmall(content);
      else metas[number] = await files.putSmall(content);
    }
    for (const name of this.#lists) if (!seen.has(name)) lists[name] = null;
    return { metas, lists };
  }

  /** Everything from here on is needed: by the next mark, and by a base that is being copied. */
  #neededFrom(): bigint {
    const last = this.#last?.position;
    const base = this.#base?.from;
    if (last === undefined || base === undefined) return last ?? base ?? 0n;
    return last < base ? last : base;
  }
}

/** What a mark is made of. */
interface Moment {
  /** Everything that was acknowledged until then is in it, epoch milliseconds. */
  readonly time: number;
  readonly state: FolderState;
  readonly base: Base | undefined;
  readonly shards: ReadonlyMap<number, readonly ShippedShard[]>;
  readonly position: bigint;
  readonly files: readonly WalFile[];
}

function numbersIn(seen: FolderState['seen']): readonly number[] {
  return [...seen.keys()].flatMap((path) => numberOf(path) ?? []);
}

function indexOf(meta: Buffer): { readonly uuid: string; readonly number_of_shards: number } {
  const text = meta.toString('utf8');
  const { uuid, spec } = JSON.parse(text.slice(0, text.lastIndexOf('\n'))) as {
    readonly uuid: string;
    readonly spec: { readonly number_of_shards?: number };
  };
  return { uuid, number_of_shards: spec.number_of_shards ?? 1 };
}
