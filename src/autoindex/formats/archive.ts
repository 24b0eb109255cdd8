// A zip archive in memory whose entries are read by name, as office documents and books need it.
// The decompressed bytes are counted while they are read.
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { bounded } from '../bounded.js';
import { BrokenFile, type ByteSource, wholeOf } from '../source.js';

export interface Archive {
  readonly names: ReadonlySet<string>;
  /**
   * The content of an entry; throws BrokenFile when there is no such entry or it cannot be
   * decompressed.
   */
  chunks(name: string): AsyncIterable<Uint8Array>;
}

export interface ArchiveLimits {
  readonly packedBytes: number;
  readonly entries: number;
  /** Limit for all decompressed bytes; an entry that is read twice counts twice. */
  readonly unpackedBytes: number;
}

const LIMITS: ArchiveLimits = {
  packedBytes: 128 << 20,
  entries: 20_000,
  unpackedBytes: 2 ** 31,
};

export async function openArchive(source: ByteSource, limits = LIMITS): Promise<Archive> {
  const bytes = await wholeOf(source, limits.packedBytes);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let zip: ZipFile;
  let entries: ReadonlyMap<string, Entry>;
  try {
    zip = await fromBufferPromise(buffer, { lazyEntries: true, autoClose: false });
    entries = await entriesOf(zip, limits.entries);
  } catch (error) {
    throw new BrokenFile(`the zip is broken: ${(error as Error).message}`);
  }
  let unpacked = 0;
  async function* chunks(name: string): AsyncIterable<Uint8Array> {
    for await (const chunk of unpackedEntry(zip, entries.get(name), name)) {
      unpacked += chunk.length;
      if (unpacked > limits.unpackedBytes) {
        throw new BrokenFile(`unpacks to more than ${limits.unpackedBytes} bytes`);
      }
      yield chunk;
    }
  }
  return { names: new Set(entries.keys()), chunks };
}

async function entriesOf(zip: ZipFile, most: number): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > most) throw new BrokenFile(`more than ${most} entries`);
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
  }
  return entries;
}

async function* unpackedEntry(
  zip: ZipFile,
  entry: Entry | undefined,
  name: string,
): AsyncIterable<Uint8Array> {
  if (entry === undefined) throw new BrokenFile(`the part [${name}] is missing`);
  if (entry.generalPurposeBitFlag & 1) throw new BrokenFile('is encrypted');
  try {
    const stream = await zip.openReadStreamPromise(entry);
    yield* bounded(stream as AsyncIterable<Uint8Array>, entry.compressedSize);
  } catch (error) {
    if (error instanceof BrokenFile) throw error;
    throw new BrokenFile(`the part [${name}] cannot be unpacked: ${(error as Error).message}`);
  }
}

/**
 * Undefined when there is no such entry; throws BrokenFile when it is longer than `limit` bytes.
 */
export async function textEntry(
  archive: Archive,
  name: string,
  limit: number,
): Promise<string | undefined> {
  if (!archive.names.has(name)) return undefined;
  const path = name;
  const bytes = await wholeOf({ path, size: 0, chunks: () => archive.chunks(name) }, limit);
  return new TextDecoder(wideBy(bytes)).decode(bytes);
}

/**
 * The encoding according to the byte order mark; without one it is UTF-8 in all formats that are
 * read here.
 */
export function wideBy(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}
