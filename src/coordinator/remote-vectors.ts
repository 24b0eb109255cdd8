// Vectors for a write from embedders beyond this process: the engine lists the texts, the services give vectors, the write
// carries them. Nothing is locked meanwhile; a document that changes in between is refused by the engine.
import type { TextResult } from '../embed/answer-reader.js';
import { type Hash128, writeVectors } from '../wire/vectors-writer.js';
import { readWantedTexts, type WantedTexts } from '../wire/wanted-texts.js';

export interface VectorMaker {
  whileEmbedded<T>(
    wanted: readonly WantedTexts[],
    work: (results: readonly (readonly TextResult[])[]) => Promise<T>,
  ): Promise<T>;
}

/**
 * Runs `write` with vectors for the texts that the engine listed. What a service did not give is in there as a failure,
 * which the engine makes the error of its document.
 */
export function withVectors<T>(
  listed: ArrayBuffer,
  maker: VectorMaker,
  hash128: Hash128,
  write: (vectors?: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  const wanted = readWantedTexts(listed);
  if (wanted.length === 0) return write();
  return maker.whileEmbedded(wanted, (results) => {
    const made = wanted.map((one, i) => ({ ...one, results: results[i] ?? [] }));
    return write(writeVectors(made, hash128));
  });
}

/**
 * False only where no line of an NDJSON body can name the index. Names are compared as they are written; a body with
 * escaped letters may name anything.
 */
export function mayMention(body: Uint8Array, name: string): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  return !/^[\x20-\x7e]*$/.test(name) || bytes.includes(name) || bytes.includes('\\u00');
}
