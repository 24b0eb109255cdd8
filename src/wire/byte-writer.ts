// A growing little-endian byte buffer, which every encoder of this folder uses.

const encoder = new TextEncoder();
/** Up to this length, writing characters one by one is faster than a TextEncoder. */
const SHORT_TEXT = 64;
const LAST_ASCII = 0x7f;

/**
 * Allocating memory outside the heap is slow, so the next writer reuses the buffer of a finished
 * one.
 */
const FIRST_BYTES = 512;
const MOST_SPARE_BYTES = 64 * 1024;
let spare: Uint8Array<ArrayBuffer> | undefined;

/** Integers are little-endian and unaligned; a string is its UTF-8 length as u32 and its bytes. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView<ArrayBuffer>;
  #size = 0;

  /** `capacity`: the total number of bytes, if it is known. */
  constructor(capacity?: number) {
    const lent = capacity === undefined ? spare : undefined;
    if (lent !== undefined) spare = undefined;
    this.#bytes = lent ?? new Uint8Array(capacity ?? FIRST_BYTES);
    this.#view = new DataView(this.#bytes.buffer);
  }

  get size(): number {
    return this.#size;
  }

  u8(value: number): this {
    const at = this.#grow(1);
    this.#view.setUint8(at, value);
    return this;
  }
  u16(value: number): this {
    const at = this.#grow(2);
    this.#view.setUint16(at, value, true);
    return this;
  }
  u32(value: number): this {
    const at = this.#grow(4);
    this.#view.setUint32(at, value, true);
    return this;
  }
  u64(value: bigint): this {
    const at = this.#grow(8);
    this.#view.setBigUint64(at, value, true);
    return this;
  }
  i64(value: bigint): this {
    const at = this.#grow(8);
    this.#view.setBigInt64(at, value, true);
    return this;
  }
  f32(value: number): this {
    const at = this.#grow(4);
    this.#view.setFloat32(at, value, true);
    return this;
  }
  f64(value: number): this {
    const at = this.#grow(8);
    this.#view.setFloat64(at, value, true);
    return this;
  }

  /** Unpaired surrogates become U+FFFD. */
  str(text: string): this {
    const { length } = text;
    const at = this.#grow(4 + length * 3);
    if (length <= SHORT_TEXT) {
      const bytes = this.#bytes;
      let characters = 0;
      for (; characters < length; characters++) {
        const code = text.charCodeAt(characters);
        if (code > LAST_ASCII) break;
        bytes[at + 4 + characters] = code;
      }
      if (characters === length) {
        this.#view.setUint32(at, length, true);
        this.#size = at + 4 + length;
        return this;
      }
    }
    const { written } = encoder.encodeInto(text, this.#bytes.subarray(at + 4));
    this.#view.setUint32(at, written, true);
    this.#size = at + 4 + written;
    return this;
  }
  /** Writes UTF-8 bytes as a string. */
  strBytes(text: Uint8Array): this {
    return this.u32(text.length).raw(text);
  }
  raw(bytes: Uint8Array): this {
    const at = this.#grow(bytes.length);
    this.#bytes.set(bytes, at);
    return this;
  }
  list<T>(items: readonly T[], write: (item: T) => void): this {
    this.u32(items.length);
    for (const item of items) write(item);
    return this;
  }
  /** Writes zero bytes up to a multiple of `alignment`, a power of two. */
  align(alignment: number): this {
    const padding = -this.#size & (alignment - 1);
    const at = this.#grow(padding);
    this.#bytes.fill(0, at, this.#size);
    return this;
  }
  /** Overwrites four bytes that have been written. */
  patchU32(at: number, value: number): this {
    this.#view.setUint32(at, value, true);
    return this;
  }

  /** Returns a copy that owns its memory, so that it may be transferred to another thread. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#size);
  }
  /** Like take(), but the writer must not be used afterwards. */
  finish(): Uint8Array<ArrayBuffer> {
    const taken = this.take();
    if (this.#bytes.length <= MOST_SPARE_BYTES) spare = this.#bytes;
    return taken;
  }
  /**
   * Like finish(), but without a copy if the capacity was exact. The writer must not be used
   * afterwards.
   */
  release(): Uint8Array<ArrayBuffer> {
    return this.#size === this.#bytes.length ? this.#bytes : this.take();
  }

  /**
   * Makes room for `bytes` more bytes and returns their offset. May replace the buffer and the
   * view.
   */
  #grow(bytes: number): number {
    const at = this.#size;
    this.#size += bytes;
    if (this.#size > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#size, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, at));
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }
}
