// The parts of a file: the file itself, the content of a gzip, or the entries of an archive.
// Archives inside archives are reported and not opened. Containers are handled here only.
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { bounded } from './bounded.js';
import { type BadPart, type FilePart, kindOf, partOf, type Sniffer } from './file-part.js';
import type { SniffResult } from './sniff.js';
import { BrokenFile, type ByteSource, fileSource } from './source.js';
import { tarParts } from './tar.js';
import type { FileFound } from './walk.js';
import { zipParts } from './zip.js';

export async function partsOfFile(
  file: FileFound,
  sniffer: Sniffer,
): Promise<readonly (FilePart | BadPart)[]> {
  const source = fileSource(file.path, file.absolute, file.size);
  let sniffed: SniffResult | string;
  try {
    sniffed = await kindOf(source, sniffer);
  } catch (error) {
    if (error instanceof BrokenFile) return [{ entry: undefined, problem: error.message }];
    throw error;
  }
  if (typeof sniffed === 'string') {
    return [{ entry: undefined, problem: sniffed, isNothing: true }];
  }
  if (sniffed.format === 'zip') return zipParts(file, sniffer);
  if (sniffed.format === 'tar') return tarParts(source, sniffer);
  if (sniffed.format !== 'gzip') return [{ entry: undefined, source, sniffed }];
  const inner = gunzipped(source);
  const part = await partOf(undefined, inner, sniffer);
  if ('problem' in part || part.sniffed.format !== 'tar') return [part];
  return tarParts(inner, sniffer);
}

function gunzipped(packed: ByteSource): ByteSource {
  return {
    path: packed.path.replace(/\.gz$/i, ''),
    size: packed.size,
    chunks: () => gunzip(packed),
  };
}

async function* gunzip(packed: ByteSource): AsyncIterable<Uint8Array> {
  const unpacked = createGunzip();
  // An error of any stage destroys the last one, from which it is read below.
  pipeline(Readable.from(packed.chunks()), unpacked, () => undefined);
  try {
    yield* bounded(unpacked, packed.size);
  } catch (error) {
    if (error instanceof BrokenFile) throw error;
    throw new BrokenFile(`the gzip is broken: ${(error as Error).message}`);
  }
}
