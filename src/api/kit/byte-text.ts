// A growing text of UTF-8 bytes, for answers of many small items. No intermediate string is made
// per item.
import { quote } from '../../base/json-text.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const ZERO = 0x30;
const TEN = 10;
/** Number of digits of the largest safe integer. */
const DIGITS = 16;

/**
 * Size of each further buffer once the expected size is used up. Full buffers are kept as they are,
 * never copied.
 */
const MORE_BYTES = 256 * 1024;

export class ByteText {
  readonly #full: Buffer[] = [];
  #bytes: Buffer;
  #length = 0;

  /** `expected` is the estimated length in bytes. */
  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(expected, 256));
  }

  text(text: string): void {
    this.bytes(Buffer.from(text));
  }
  bytes(bytes: Uint8Array): void {
    const at = this.#grow(bytes.length);
    this.#bytes.set(bytes, at);
  }
  /** Appends a non-negative safe integer. */
  number(value: number): void {
    const at = this.#grow(DIGITS);
    let end = at + 1;
    for (let bound = TEN; value >= bound && end < at + DIGITS; bound *= TEN) end += 1;
    this.#length = end;
    let rest = value;
    for (let i = end - 1; i >= at; i--) {
      const digit = rest % TEN;
      this.#bytes[i] = ZERO + digit;
      rest = (rest - digit) / TEN;
    }
  }
  /** Appends the UTF-8 in `bytes` from `from` to `end` (exclusive) as a JSON string. */
  quoted(bytes: Uint8Array, from: number, end: number): void {
    const start = this.#grow(end - from + 2);
    let at = start;
    const out = this.#bytes;
    out[at++] = QUOTE;
    for (let i = from; i < end; i++) {
      const byte = bytes[i] ?? 0;
      if (byte < SPACE || byte === QUOTE || byte === BACKSLASH) {
        this.#length = start;
        this.text(quote(Buffer.from(bytes.subarray(from, end)).toString()));
        return;
      }
      out[at++] = byte;
    }
    out[at] = QUOTE;
  }
  /**
   * Returns the whole text as consecutive buffers that share the memory; nothing may be appended
   * afterwards.
   */
  done(): readonly Buffer[] {
    return [...this.#full, this.#bytes.subarray(0, this.#length)];
  }

  /** Reserves `bytes` contiguous bytes and returns the offset of the first. */
  #grow(bytes: number): number {
    if (this.#length + bytes > this.#bytes.length) {
      this.#full.push(this.#bytes.subarray(0, this.#length));
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(bytes, MORE_BYTES));
      this.#length = 0;
    }
    const at = this.#length;
    this.#length += bytes;
    return at;
  }
}
