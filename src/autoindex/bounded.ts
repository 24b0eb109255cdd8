// Limits the output of streams that decompress, relative to the size of their input.
import { BrokenFile } from './source.js';

/** Maximum ratio of a decompressed stream to its input, applied above RATIO_FROM_BYTES. */
const MAX_RATIO = 200;
const RATIO_FROM_BYTES = 16 << 20;
const MAX_UNPACKED_BYTES = 64 * 2 ** 30;

/**
 * Rejects decompression bombs while they are decompressed, because the sizes that an archive
 * declares may be wrong.
 */
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
