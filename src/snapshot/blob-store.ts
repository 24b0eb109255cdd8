// Where the files of a repository are: the seam between repositories, which know the layout
// (records.ts), and the media, which know how to read, write, list and delete files
// (folder-store.ts, s3/s3-store.ts). Paths have `/` between names, and are relative to the place of
// the repository.

/** A complete file. */
export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
}

export interface FileRange {
  /** Shorter than requested only at the end of the file. May be overwritten by the next read. */
  readonly bytes: Uint8Array;
  /** Length of the whole file. */
  readonly total: number;
}

export interface Removed {
  readonly files: number;
  readonly bytes: number;
}

export interface BlobStore {
  /** The place in messages; two stores with the same place have the same files. */
  readonly location: string;
  /** A good length for one read, which is held in memory. */
  readonly pieceBytes: number;

  /** Creates what must be there before the first write; `folders` are those of every repository. */
  open(folders: readonly string[]): Promise<void>;
  /** Undefined if there is no such file. */
  read(path: string, offset: number, length: number): Promise<FileRange | undefined>;
  /**
   * Writes or replaces a file of `bytes` bytes, which `pieces` must have: until the promise
   * resolves there is the earlier file or none, also after a crash. See sync().
   */
  write(path: string, bytes: number, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /** Makes the writes and removals of files directly in the folder durable. */
  sync(folder: string): Promise<void>;
  /** The files directly in a folder; none if there is no such folder. '' is the repository. */
  list(folder: string): Promise<readonly StoredFile[]>;
  /** The names of the folders directly in a folder. */
  folders(folder: string): Promise<readonly string[]>;
  /** Files that are missing are ignored. Folders disappear with their last file. */
  remove(folder: string, names: readonly string[]): Promise<void>;
  /** Removes what interrupted writes to the folder have left. */
  removeUnfinished(folder: string): Promise<Removed>;
  /** Free and total space; undefined if the medium has no limit that could be told. */
  space(): Promise<{ readonly free: number; readonly bytes: number } | undefined>;
}

/**
 * The place of a repository cannot be used, in words for the caller: because of the settings, or
 * because it does not answer for now, or because its answers make no sense.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly fault: 'settings' | 'unavailable' | 'answer';

  constructor(fault: StoreError['fault'], message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Largest file that is read into memory: records have a few hundred bytes for each file. */
const MAX_WHOLE_BYTES = 256 * 1024 * 1024;

/** Reads a whole small file; undefined if there is none. */
export async function readWhole(store: BlobStore, path: string): Promise<Buffer | undefined> {
  const first = await store.read(path, 0, store.pieceBytes);
  if (first === undefined) return undefined;
  const { total } = first;
  if (total > MAX_WHOLE_BYTES) {
    throw new Error(`it has [${total}] bytes, more than the [${MAX_WHOLE_BYTES}] of a record`);
  }
  const whole = Buffer.allocUnsafe(total);
  for (let at = 0, range: FileRange | undefined = first; at < total; ) {
    if (range === undefined || range.total !== total || range.bytes.length === 0) {
      throw new Error('it changed while it was read');
    }
    whole.set(range.bytes, at);
    at += range.bytes.length;
    if (at < total) range = await store.read(path, at, Math.min(store.pieceBytes, total - at));
  }
  return whole;
}

export async function writeWhole(store: BlobStore, path: string, bytes: Uint8Array): Promise<void> {
  await store.write(path, bytes.length, oneOf(bytes));
}

async function* oneOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
