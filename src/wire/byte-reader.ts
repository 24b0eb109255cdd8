// A bounds-checked cursor over a reply of the native core. Reading past the end means that the two
// sides disagree about a format, which is a bug, so it throws a plain Error.

/** Up to this length, numbers are read one by one. */
const FEW = 4;

export class ByteReader {
  readonly #view: DataView<ArrayBuffer>;
  /** Created on first use, as many replies have no strings. */
  #bytes: Buffer | undefined;
  readonly #what: string;
  #at = 0;

  /** `what` names the reply in error messages. */
  constructor(bytes: Uint8Array<ArrayBuffer>, what: string) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#what = what;
  }

  get at(): number {
    return this.#at;
  }
  get remaining(): number {
    return this.#view.byteLength - this.#at;
  }

  u8(): number {
    return this.#view.getUint8(this.#skip(1));
  }
  u16(): number {
    return this.#view.getUint16(this.#skip(2), true);
  }
  u32(): number {
    return this.#view.getUint32(this.#skip(4), true);
  }
  u64(): bigint {
    return this.#view.getBigUint64(this.#skip(8), true);
  }
  f32(): number {
    return this.#view.getFloat32(this.#skip(4), true);
  }
  f64(): number {
    return this.#view.getFloat64(this.#skip(8), true);
  }
  /** Reads u64 as a number; counters and versions stay below 2^53. */
  count64(): number {
    return Number(this.u64());
  }
  /** Keeps a byte order mark, which is an ordinary character here. */
  str(): string {
    const length = this.u32();
    if (length === 0) return '';
    const at = this.#skip(length);
    const { buffer, byteOffset, byteLength } = this.#view;
    this.#bytes ??= Buffer.from(buffer, byteOffset, byteLength);
    return this.#bytes.toString('utf8', at, at + length);
  }
  /** A view into the reply, not a copy. */
  strBytes(): Uint8Array<ArrayBuffer> {
    return this.bytes(this.u32());
  }
  bytes(length: number): Uint8Array<ArrayBuffer> {
    const at = this.#skip(length);
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, length);
  }
  /**
   * Reads a number of items of at least `minItemBytes` each, checked before anything is allocated
   * for them.
   */
  count(minItemBytes: number): number {
    const count = this.u32();
    if (count * minItemBytes > this.remaining) throw this.#malformed();
    return count;
  }
  /** Moves to an offset from the start of the bytes. */
  seek(at: number): this {
    this.#at = 0;
    this.#skip(at);
    return this;
  }
  skip(bytes: number): this {
    this.#skip(bytes);
    return this;
  }
  /** Skips padding up to a multiple of `alignment`, counted from the start of the reply. */
  align(alignment: number): this {
    return this.skip(-this.#at & (alignment - 1));
  }
  expect(magic: number, version?: number): this {
    if (this.u32() !== magic) throw this.#malformed();
    if (version !== undefined && this.u16() !== version) throw this.#malformed();
    return this;
  }

  /** The buffer of the whole reply. */
  get buffer(): ArrayBuffer {
    return this.#view.buffer;
  }
  /** Skips a column and returns its offset in the buffer, for a view that is created later. */
  column(itemBytes: number, count: number): number {
    return this.#view.byteOffset + this.#skip(itemBytes * count);
  }
  // Columns are views into the reply, which must start 8-aligned in its buffer.
  floats(count: number): Float32Array {
    return new Float32Array(this.#view.buffer, this.column(4, count), count);
  }
  doubles(count: number): Float64Array {
    return new Float64Array(this.#view.buffer, this.column(8, count), count);
  }
  /** Reads doubles; a short list becomes an array, which costs less than a view. */
  numbers(count: number): ArrayLike<number> {
    if (count > FEW) return this.doubles(count);
    const numbers: number[] = [];
    for (let i = 0; i < count; i++) numbers.push(this.f64());
    return numbers;
  }
  uint32s(count: number): Uint32Array {
    return new Uint32Array(this.#view.buffer, this.column(4, count), count);
  }
  int64s(count: number): BigInt64Array {
    return new BigInt64Array(this.#view.buffer, this.column(8, count), count);
  }
  uint64s(count: number): BigUint64Array {
    return new BigUint64Array(this.#view.buffer, this.column(8, count), count);
  }

  #skip(bytes: number): number {
    const at = this.#at;
    if (bytes > this.remaining) throw this.#malformed();
    this.#at += bytes;
    return at;
  }
  #malformed(): Error {
    return new Error(`malformed ${this.#what} from the native core at byte ${this.#at}`);
  }
}
