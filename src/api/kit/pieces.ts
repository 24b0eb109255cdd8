// An answer in the making: text and bytes, joined once at its end.
import {
  type CooperativeTask,
  ITEMS_PER_YIELD,
  runToCompletion,
} from '../../base/cooperative-task.js';

/** Bytes, or letters. */
const COPIED_AT_ONCE = 256 * 1024;
/** Bytes of an answer of which nothing is known. */
const FIRST_BYTES = 1024;
const MOST_SHARED_BYTES = 64 * 1024;
/** Of answers whose length is known about: copied there once, they need not be joined. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Larger pieces for which there is no room stay where they are until all are joined. */
const LARGE_PIECE = 16 * 1024;
/** Of a letter in UTF-8. */
const LETTER_BYTES = 3;

export class Pieces {
  readonly #pieces: Buffer[] = [];
  #text = '';
  #items = 0;
  /** Small pieces are put one behind the other: an answer with a page of hits is mostly all of it. */
  #shared: Buffer;
  /** Where the piece begins that is being made, and where it ends so far. */
  #from = 0;
  #end = 0;

  /** `bytes`: about as long as the answer will be. */
  constructor(bytes = FIRST_BYTES) {
    this.#shared = Buffer.allocUnsafe(Math.min(bytes, MOST_BYTES));
  }

  add(text: string): this {
    this.#text += text;
    return this;
  }
  bytes(bytes: Uint8Array): this {
    this.#flush();
    if (bytes.length > LARGE_PIECE && !this.#has(bytes.length)) {
      this.#cut();
      this.#pieces.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      return this;
    }
    this.#room(bytes.length);
    this.#shared.set(bytes, this.#end);
    this.#end += bytes.length;
    return this;
  }
  /** Counts a hit or a value that was written; true now and then, where the writer may be left for a while. */
  counted(): boolean {
    this.#items += 1;
    if (this.#items % ITEMS_PER_YIELD !== 0 && this.#text.length < COPIED_AT_ONCE) return false;
    // A text made of thousands of others is put together when its bytes are asked for: all at once.
    this.#flush();
    return true;
  }

  join(): Buffer {
    this.#flush();
    this.#cut();
    const [first] = this.#pieces;
    return this.#pieces.length === 1 && first !== undefined
      ? first
      : runToCompletion(joinSteps(this.#pieces));
  }
  *joinSteps(): CooperativeTask<Buffer> {
    this.#flush();
    this.#cut();
    return yield* joinSteps(this.#pieces);
  }

  #flush(): void {
    const text = this.#text;
    if (text === '') return;
    this.#text = '';
    if (text.length > LARGE_PIECE && !this.#has(LETTER_BYTES * text.length)) {
      this.#cut();
      this.#pieces.push(Buffer.from(text));
      return;
    }
    this.#room(LETTER_BYTES * text.length);
    this.#end += this.#shared.write(text, this.#end);
  }
  #has(bytes: number): boolean {
    return this.#shared.length - this.#end >= bytes;
  }
  /** Makes room for `bytes` more. */
  #room(bytes: number): void {
    if (this.#has(bytes)) return;
    this.#cut();
    const next = Math.min(2 * this.#shared.length, MOST_SHARED_BYTES);
    this.#shared = Buffer.allocUnsafe(Math.max(bytes, next, FIRST_BYTES));
    this.#from = 0;
    this.#end = 0;
  }
  /** What was put together is a piece; the next one goes on behind it. */
  #cut(): void {
    if (this.#end > this.#from) this.#pieces.push(this.#shared.subarray(this.#from, this.#end));
    this.#from = this.#end;
  }
}

/** Buffer.concat() that may be left: memory for megabytes is slow when it is used for the first time. */
export function* joinSteps(pieces: readonly Buffer[]): CooperativeTask<Buffer> {
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
