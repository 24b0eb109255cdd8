// Streams that unpack something, bounded by what was packed.
import { BrokenFile } from './source.js';

/** A stream may be so many times larger than what it was packed to, once it is large at all. */
const MAX_RATIO = 200;
const RATIO_FROM_BYTES = 16 << 20;
const MAX_UNPACKED_BYTES = 64 * 2 ** 30;

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
