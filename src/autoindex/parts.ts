// A file as what can be read of it: itself, what a gzip holds, or the entries of an archive, each with its kind. Archives
// inside archives are told, not opened.
import { createGunzip } from 'node:zlib';
import { HEAD_BYTES, type Sniffed } from './sniff.js';
import { BrokenFile, type ByteSource, fileSource, headOf } from './source.js';
import type { FileFound } from './walk.js';

export interface Part {
  /** Inside an archive; undefined for the file itself. */
  readonly entry: string | undefined;
  /** What its dataset may be called after, where that is not the path of the source. */
  readonly name?: string;
  readonly source: ByteSource;
  readonly sniffed: Sniffed;
}

/** A part that cannot be read. */
export interface BadPart {
  readonly entry: string | undefined;
  readonly problem: string;
  /** Nothing is wrong with it: there is nothing in it to read. */
  readonly isNothing?: true;
}

/** A stream may be so many times larger than what it was packed to, once it is large at all. */
const MAX_RATIO = 200;
const RATIO_FROM_BYTES = 16 << 20;
const MAX_UNPACKED_BYTES = 64 * 2 ** 30;

/** Tells the kind of a file by its first bytes; a text says why it is none that can be read. */
export interface Sniffer {
  sniff(head: Uint8Array, path: string): Promise<Sniffed | string>;
}

export async function partsOfFile(
  file: FileFound,
  sniffer: Sniffer,
): Promise<readonly (Part | BadPart)[]> {
  const source = fileSource(file.path, file.absolute, file.size);
  let sniffed: Sniffed | string;
  try {
    sniffed = await kindOf(source, sniffer);
  } catch (error) {
    if (error instanceof BrokenFile) return [{ entry: undefined, problem: error.message }];
    throw error;
  }
  if (typeof sniffed === 'string') {
    return [{ entry: undefined, problem: sniffed, isNothing: true }];
  }
  if (sniffed.format === 'zip') {
    return (await import('./zip.js')).zipParts(file, sniffer);
  }
  if (sniffed.format === 'tar') return (await import('./tar.js')).tarParts(source, sniffer);
  if (sniffed.format !== 'gzip') return [{ entry: undefined, source, sniffed }];
  const inner = gunzipped(source);
  const part = await partOf(undefined, inner, sniffer);
  if ('problem' in part || part.sniffed.format !== 'tar') return [part];
  return (await import('./tar.js')).tarParts(inner, sniffer);
}

/** Of what an archive holds. */
export async function partOf(
  entry: string | undefined,
  source: ByteSource,
  sniffer: Sniffer,
): Promise<Part | BadPart> {
  try {
    const sniffed = await kindOf(source, sniffer);
    if (typeof sniffed === 'string') return { entry, problem: sniffed, isNothing: true };
    const part = { entry, source, sniffed };
    if (sniffed.format !== 'zip') return part;
    return (await (await import('./packages.js')).packagePart(entry, source)) ?? part;
  } catch (error) {
    return { entry, problem: (error as Error).message };
  }
}

async function kindOf(source: ByteSource, sniffer: Sniffer): Promise<Sniffed | string> {
  return sniffer.sniff(await headOf(source, HEAD_BYTES), source.path);
}

function gunzipped(packed: ByteSource): ByteSource {
  return {
    path: packed.path.replace(/\.gz$/i, ''),
    size: packed.size,
    chunks: () => gunzip(packed),
  };
}

async function* gunzip(packed: ByteSource): AsyncIterable<Uint8Array> {
  const { Readable, pipeline } = await import('node:stream');
  const unpacked = createGunzip();
  // The failure of any of them is that of the last, which is read here.
  pipeline(Readable.from(packed.chunks()), unpacked, () => undefined);
  try {
    yield* bounded(unpacked, packed.size);
  } catch (error) {
    if (error instanceof BrokenFile) throw error;
    throw new BrokenFile(`the gzip is broken: ${(error as Error).message}`);
  }
}

/** Refuses what was packed to hurt, while it is unpacked: what the archive promises is not believed. */
export async function* bounded(
  chunks: AsyncIterable<Uint8Array>,
  packedBytes: number,
): AsyncIterable<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    const bomb = bytes > RATIO_FROM_BYTES && bytes > packedBytes * MAX_RATIO;
    if (bomb) throw new BrokenFile(`unpacks to more than ${MAX_RATIO} times its size`);
    if (bytes > MAX_UNPACKED_BYTES) throw new BrokenFile('unpacks to more than 64 GiB');
    yield chunk;
  }
}
