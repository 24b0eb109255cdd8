// Writes the vectors of remote embedders for the core, which finds them by the hash of their text.
// native/core/mapping/vectors/vector_table.h owns the format:
// u32 magic "QVEC", list<(str embedder, u32 dims, list<(u64 high, u64 low of XXH3-128(text), u8
// kind, kind 0: f32[dims], kind 1: str reason why there is none)>)>;
// list = u32 count, str = u32 length + UTF-8
import { ByteWriter } from './byte-writer.js';

const MAGIC = 0x43455651;
const VECTOR = 0;
const FAILURE = 1;
/** Hash and kind. */
const ENTRY_BYTES = 17;

export interface MadeVectors {
  readonly embedder: string;
  readonly texts: readonly string[];
  /** For each text a vector, or the reason why there is none. */
  readonly results: readonly (Float32Array | string)[];
}

/** XXH3-128 of UTF-8 text: 16 bytes, most significant first. */
export type Hash128 = (text: Uint8Array) => ArrayBuffer;

const encoder = new TextEncoder();

/**
 * The result owns its memory. A vector is written as a failure if its length differs from that of
 * the first vector of its embedder.
 */
export function writeVectors(
  made: readonly MadeVectors[],
  hash128: Hash128,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOf(made));
  writer.u32(MAGIC).list(made, (one) => writeEmbedder(writer, one, hash128));
  return writer.release();
}

function writeEmbedder(writer: ByteWriter, made: MadeVectors, hash128: Hash128): void {
  const dims = dimsOf(made);
  writer.str(made.embedder).u32(dims).u32(made.texts.length);
  for (const [i, text] of made.texts.entries()) {
    const hash = new DataView(hash128(encoder.encode(text)));
    writer.u64(hash.getBigUint64(0)).u64(hash.getBigUint64(8));
    const result = made.results[i] ?? 'the text was not embedded';
    if (typeof result === 'string') {
      writer.u8(FAILURE).str(result);
    } else if (result.length !== dims) {
      writer
        .u8(FAILURE)
        .str(`vectors of ${dims} and of ${result.length} numbers came for one request`);
    } else {
      writer.u8(VECTOR).raw(littleEndian(result));
    }
  }
}

function dimsOf({ results }: MadeVectors): number {
  for (const result of results) if (typeof result !== 'string') return result.length;
  return 0;
}

/** Returns the vector's memory: the core runs on little-endian machines only. */
function littleEndian(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The exact size if all texts have vectors and names are ASCII; otherwise the writer grows. */
function sizeOf(made: readonly MadeVectors[]): number {
  let bytes = 8;
  for (const { embedder, results } of made) {
    bytes += 12 + embedder.length;
    for (const result of results) {
      bytes += ENTRY_BYTES;
      bytes += typeof result === 'string' ? 4 + 3 * result.length : result.byteLength;
    }
  }
  return bytes;
}
