// The layout of a shipped log in a repository, beside the snapshots of records.ts:
//   log/<id>/marks/<time>[-base].json   a moment that can be brought back, see Mark
//   log/<id>/latest.json                the newest mark, and when the writer last looked: {mark, time}
//   log/<id>/wal/<file>-<from>-<to>     bytes of the log between two positions of one of its files
//   log/<id>/files/<sha-256>            small files of the data folder: META, MANIFEST, lists, NODE
//   log/<id>/segments/<index>-<shard>-<name>-<bytes>-<time of change>   files of segments
// <id> is random, and belongs to one history of a data folder: a folder that was brought back has
// another one. Records end with a line with the SHA-256 of the text before (CHECKED). A mark is
// written last, once all that it names is there; each names the one before, so that a gap is seen.
import type { JsonObject } from '../../backend/index.js';
import { CHECKED } from '../../base/durable-file.js';
import { type BlobStore, readWhole, writeWhole } from '../blob-store.js';

/** A file in the repository. */
export interface ShippedFile {
  readonly blob: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A part of a file of the log: frames between two positions. */
export interface ShippedLog extends ShippedFile {
  readonly number: number;
  /** The 64 bytes of the file's header, in base64. */
  readonly header: string;
  readonly from: string;
  readonly to: string;
}

export interface ShippedShard {
  readonly manifest: ShippedFile;
  /** Files of segments by name. */
  readonly segments: Readonly<Record<string, ShippedFile>>;
}

/** What the data folder had at one moment, as far as it is new since the mark before. */
export interface Mark {
  readonly format: 1;
  /** Epoch milliseconds; rises from mark to mark. */
  readonly time: number;
  /** Null: nothing before it is needed, or known. */
  readonly previous: string | null;
  /** The process that wrote it. */
  readonly writer: string;
  /** The log up to here belongs to the moment. */
  readonly position: string;
  /** Numbers of all indexes. */
  readonly indexes: readonly number[];
  /** META of indexes where it changed. */
  readonly metas: Readonly<Record<string, ShippedFile>>;
  /** All files of indexes: in a base of all, otherwise of those that are new. */
  readonly shards: Readonly<Record<string, readonly ShippedShard[]>>;
  /** Files directly in the data folder that changed; null: removed. */
  readonly lists: Readonly<Record<string, ShippedFile | null>>;
  /** In a base everything from the beginning of the first file that its indexes need. */
  readonly log: readonly ShippedLog[];
}

/** The newest mark, and the last time at which nothing newer was there. */
export interface Latest {
  readonly mark: string;
  readonly time: number;
}

export const LOG_FOLDER = 'log';
const BASE = '-base.json';

/** Names sort by time, and have no colon, which not every medium takes. */
export function markName(time: number, isBase: boolean): string {
  return new Date(time).toISOString().replaceAll(':', '-') + (isBase ? BASE : '.json');
}
export function isBaseMark(name: string): boolean {
  return name.endsWith(BASE);
}
/** Undefined for a file of another kind. */
export function timeOfMark(name: string): number | undefined {
  const [, day, hour, minute, second] =
    /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})Z(?:-base)?\.json$/.exec(name) ?? [];
  return day === undefined ? undefined : Date.parse(`${day}T${hour}:${minute}:${second}Z`);
}

/** The marks and records of one history. */
export class LogRepository {
  readonly store: BlobStore;
  readonly id: string;

  constructor(store: BlobStore, id: string) {
    this.store = store;
    this.id = id;
  }

  path(...names: readonly string[]): string {
    return [LOG_FOLDER, this.id, ...names].join('/');
  }

  /** Names in the order of time. */
  async marks(): Promise<readonly string[]> {
    const files = await this.store.list(this.path('marks'));
    return files
      .map(({ name }) => name)
      .filter((name) => timeOfMark(name) !== undefined)
      .sort((a, b) => (timeOfMark(a) ?? 0) - (timeOfMark(b) ?? 0));
  }

  /** Rejects with a description of what is wrong with it. */
  async mark(name: string): Promise<Mark> {
    const read = await this.#read(this.path('marks', name));
    if (read === undefined) throw new Error(`the mark [${name}] is missing`);
    if (read['format'] !== 1) throw new Error(`the mark [${name}] has an unknown format`);
    return read as unknown as Mark;
  }

  async writeMark(name: string, mark: Mark): Promise<void> {
    await this.#write(this.path('marks', name), mark);
    await this.store.sync(this.path('marks'));
  }

  async latest(): Promise<Latest | undefined> {
    return (await this.#read(this.path('latest.json'))) as unknown as Latest | undefined;
  }

  async writeLatest(latest: Latest): Promise<void> {
    await this.#write(this.path('latest.json'), latest);
    await this.store.sync(this.path());
  }

  #write(path: string, record: object): Promise<void> {
    return writeWhole(this.store, path, Buffer.from(CHECKED.encode(record as JsonObject)));
  }

  async #read(path: string): Promise<JsonObject | undefined> {
    const bytes = await readWhole(this.store, path);
    if (bytes === undefined) return undefined;
    try {
      return CHECKED.decode(bytes.toString('utf8'));
    } catch (error) {
      throw new Error(`[${path}] is damaged: ${(error as Error).message}`);
    }
  }
}
