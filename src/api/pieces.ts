// An answer in the making: text and bytes, joined once at its end.
import { atOnce, PACE, type Steps } from '../ops/turns.js';

/** Bytes. */
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
    if (this.#items % PACE !== 0) return false;
    // A text made of thousands of others is put together when its bytes are asked for: all at once.
    this.#flush();
    return true;
  }
  join(): Buffer {
    return atOnce(this.joinSteps());
  }
  /** The same: memory for megabytes is slow when it is used for the first time. */
  *joinSteps(): Steps<Buffer> {
    this.#flush();
    const [first] = this.#pieces;
    if (this.#pieces.length === 1 && first !== undefined) return first;
    const joined = Buffer.allocUnsafe(this.#pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    let copied = 0;
    for (const piece of this.#pieces) {
      at += piece.copy(joined, at);
      copied += piece.length;
      if (copied < COPIED_AT_ONCE) continue;
      copied = 0;
      yield;
    }
    return joined;
  }
  #flush(): void {
    if (this.#text !== '') this.#pieces.push(Buffer.from(this.#text));
    this.#text = '';
  }
}
