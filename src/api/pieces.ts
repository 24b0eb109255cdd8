// An answer in the making: text and bytes, joined once at its end.
import { atOnce, PACE, type Steps } from '../ops/turns.js';

/** Bytes, or letters. */
const COPIED_AT_ONCE = 256 * 1024;

export class Pieces {
  readonly #pieces: Buffer[] = [];
  #text = '';
  #items = 0;

  add(text: string): this {
    this.#text += text;
    return this;
  }
  bytes(bytes: Uint8Array): this {
    this.#flush();
    this.#pieces.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return this;
  }
  /** Counts a hit or a value that was written; true now and then, where the writer may be left for a while. */
  counted(): boolean {
    this.#items += 1;
    if (this.#items % PACE !== 0 && this.#text.length < COPIED_AT_ONCE) return false;
    // A text made of thousands of others is put together when its bytes are asked for: all at once.
    this.#flush();
    return true;
  }
  join(): Buffer {
    return atOnce(this.joinSteps());
  }
  *joinSteps(): Steps<Buffer> {
    this.#flush();
    return yield* joinSteps(this.#pieces);
  }
  #flush(): void {
    if (this.#text !== '') this.#pieces.push(Buffer.from(this.#text));
    this.#text = '';
  }
}

/** Buffer.concat() that may be left: memory for megabytes is slow when it is used for the first time. */
export function* joinSteps(pieces: readonly Buffer[]): Steps<Buffer> {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return first;
  const joined = Buffer.allocUnsafe(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  let copied = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; from += COPIED_AT_ONCE) {
      const end = Math.min(from + COPIED_AT_ONCE, piece.length);
      at += piece.copy(joined, at, from, end);
      copied += end - from;
      if (copied < COPIED_AT_ONCE) continue;
      copied = 0;
      yield;
    }
  }
  return joined;
}
