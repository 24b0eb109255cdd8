// The entries of a zip archive. Nothing is written to this machine; names that leave the archive
// are rejected nevertheless.
import { type Entry, openPromise } from 'yauzl';
import { bounded } from './bounded.js';
import { type BadPart, type FilePart, partOf, type Sniffer } from './file-part.js';
import { isPackage } from './formats/office.js';
import { packagePart } from './packages.js';
import { BrokenFile, type ByteSource, fileSource } from './source.js';
import type { FileFound } from './walk.js';

const MAX_ENTRIES = 20_000;
/**
 * Limit for the declared size of all entries relative to the file, against overlapping entries and
 * the like.
 */
const MAX_RATIO_ALL = 1000;

export async function zipParts(
  file: FileFound,
  sniffer: Sniffer,
): Promise<readonly (FilePart | BadPart)[]> {
  let entries: readonly Entry[];
  try {
    entries = await entriesOf(file);
  } catch (error) {
    return [{ entry: undefined, problem: `the zip is broken: ${(error as Error).message}` }];
  }
  if (isPackage(entries.map(({ fileName }) => fileName))) {
    const source = fileSource(file.path, file.absolute, file.size);
    const part = await packagePart(undefined, source);
    if (part !== undefined) return [part];
  }
  const parts: (FilePart | BadPart)[] = [];
  for (const entry of entries) {
    parts.push(await partOf(entry.fileName, entrySource(file, entry), sniffer));
  }
  return parts;
}

function entrySource(file: FileFound, entry: Entry): ByteSource {
  const path = `${file.path}/${entry.fileName}`;
  return { path, size: entry.uncompressedSize, chunks: () => readEntry(file, entry) };
}

async function* readEntry(file: FileFound, entry: Entry): AsyncIterable<Uint8Array> {
  if (entry.generalPurposeBitFlag & 1) throw new BrokenFile('is encrypted');
  const zip = await openPromise(file.absolute, { autoClose: false, lazyEntries: true });
  try {
    const stream = await zip.openReadStreamPromise(entry);
    yield* bounded(stream as AsyncIterable<Uint8Array>, entry.compressedSize);
  } catch (error) {
    if (error instanceof BrokenFile) throw error;
    throw new BrokenFile(`cannot be unpacked: ${(error as Error).message}`);
  } finally {
    zip.close();
  }
}

/**
 * The files in the archive. The library rejects names that leave the archive and inconsistent
 * lengths.
 */
async function entriesOf(file: FileFound): Promise<readonly Entry[]> {
  const zip = await openPromise(file.absolute, { autoClose: false, lazyEntries: true });
  const entries: Entry[] = [];
  try {
    if (zip.entryCount > MAX_ENTRIES) throw new BrokenFile(`more than ${MAX_ENTRIES} entries`);
    let bytes = 0;
    for await (const entry of zip.eachEntry()) {
      bytes += entry.uncompressedSize;
      if (bytes > zip.fileSize * MAX_RATIO_ALL) {
        throw new BrokenFile(`promises more than ${MAX_RATIO_ALL} times its size`);
      }
      if (!entry.fileName.endsWith('/')) entries.push(entry);
    }
    return entries;
  } finally {
    zip.close();
  }
}
