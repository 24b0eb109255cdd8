// Reads the texts of a write that remote embedders have to embed first:
// list<(str embedder, list<str text>)>, list = u32 count, str = u32 length + UTF-8
// (native/core/shard/pending_texts.h).
import { ByteReader } from './byte-reader.js';

export interface WantedTexts {
  /** The name in the mapping. */
  readonly embedder: string;
  /** Without duplicates. */
  readonly texts: readonly string[];
}

/** A string takes at least the bytes of its length. */
const MIN_STRING_BYTES = 4;
/** Keeps a byte order mark: the core looks the vector up by every byte of its text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function readWantedTexts(buffer: ArrayBuffer): readonly WantedTexts[] {
  const reader = new ByteReader(new Uint8Array(buffer), 'texts to embed');
  const count = reader.count(2 * MIN_STRING_BYTES);
  return Array.from({ length: count }, () => {
    const embedder = reader.str();
    const texts = Array.from({ length: reader.count(MIN_STRING_BYTES) }, () =>
      decoder.decode(reader.strBytes()),
    );
    return { embedder, texts };
  });
}
