// Builds an answer of text and bytes, which are joined once at the end.
import {
  type CooperativeTask,
  ITEMS_PER_YIELD,
  runToCompletion,
} from '../../base/cooperative-task.js';

/** Bytes copied, or characters encoded, in one time slice. */
const COPIED_AT_ONCE = 256 * 1024;
/** Default initial buffer size in bytes. */
const FIRST_BYTES = 1024;
const MOST_SHARED_BYTES = 64 * 1024;
/**
 * Maximum initial buffer for an answer of estimated length. Pieces copied into it need not be
 * joined later.
 */
const MOST_BYTES = 16 * 1024 * 1024;
/** Larger pieces that do not fit into the buffer are not copied until the final join. */
const LARGE_PIECE = 16 * 1024;
/** Maximum UTF-8 bytes per UTF-16 code unit. */
const LETTER_BYTES = 3;

export class Pieces {
  readonly #pieces: Buffer[] = [];
  #text = '';
  #items = 0;
  /** Small pieces are appended here; it mostly holds a whole answer with a page of hits. */
  #shared: Buffer;
  /** The range in `#shared` of the piece that is being written. */
  #from = 0;
  #end = 0;

  /** `bytes` is the estimated length of the answer. */
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
  /**
   * Counts a written hit or value; returns true when it is time for the cooperative task to yield.
   */
  counted(): boolean {
    this.#items += 1;
    if (this.#items % ITEMS_PER_YIELD !== 0 && this.#text.length < COPIED_AT_ONCE) return false;
    // A string concatenated from thousands of parts is flattened at once when it is encoded, so it
    // is flushed regularly.
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
  /** Makes room for `bytes` more bytes in `#shared`. */
  #room(bytes: number): void {
    if (this.#has(bytes)) return;
    this.#cut();
    const next = Math.min(2 * this.#shared.length, MOST_SHARED_BYTES);
    this.#shared = Buffer.allocUnsafe(Math.max(bytes, next, FIRST_BYTES));
    this.#from = 0;
    this.#end = 0;
  }
  /** Completes the current piece; the next one starts after it. */
  #cut(): void {
    if (this.#end > this.#from) this.#pieces.push(this.#shared.subarray(this.#from, this.#end));
    this.#from = this.#end;
  }
}

/** Buffer.concat() as a cooperative task: the first use of megabytes of memory is slow. */
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
