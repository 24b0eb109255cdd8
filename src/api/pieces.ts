// An answer in the making: text and bytes, joined once at its end.
import { PACE } from '../ops/turns.js';

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
    this.#flush();
    return this.#pieces.length === 1 && this.#pieces[0] !== undefined
      ? this.#pieces[0]
      : Buffer.concat(this.#pieces);
  }
  #flush(): void {
    if (this.#text !== '') this.#pieces.push(Buffer.from(this.#text));
    this.#text = '';
  }
}
