// A cursor over the item results of a bulk, which are read in place: items that are only counted or
// printed need no object. native/core/engine/item_results.h owns the format.

export const OPS = ['index', 'create', 'update', 'delete'] as const;
export const RESULTS = ['created', 'updated', 'deleted', 'not_found', 'noop', 'error'] as const;
export type ItemOp = (typeof OPS)[number];
export type ItemOutcome = (typeof RESULTS)[number];

/** The index number of an item whose index name was rejected. */
export const NO_INDEX = 0xffffffff;
/** Bytes of an item before its strings. */
const HEAD_BYTES = 32;
/** High words from this value on do not fit a safe integer. */
const UNSAFE = 2 ** 21;
const WORD = 2 ** 32;

/**
 * The cursor starts before the first item. Reading past the end is a bug in one of the sides, so it
 * throws a plain Error.
 */
export class ItemRows {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly count: number;
  readonly #view: DataView<ArrayBuffer>;
  readonly #first: number;
  #left: number;
  #at = 0;
  #next: number;
  #idAt = 0;
  #idEnd = 0;
  #bare = false;

  /** The `count` items start at byte `first`. */
  constructor(bytes: Uint8Array<ArrayBuffer>, first: number, count: number) {
    this.bytes = bytes;
    this.count = count;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#first = first;
    this.#left = count;
    this.#next = first;
  }

  /** Moves to the next item; returns false after the last one. */
  next(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    const at = this.#next;
    this.#at = at;
    const name = this.#text(at + HEAD_BYTES);
    this.#idAt = name + 4;
    this.#idEnd = this.#text(name);
    const fails = this.#u16(this.#idEnd) !== 0;
    const error = this.#idEnd + 2;
    const get = fails ? this.#text(this.#text(error)) : error;
    this.#next = this.#text(get);
    this.#bare = !fails && this.#next === get + 4;
    return true;
  }
  /** Moves before the first item. */
  rewind(): void {
    this.#left = this.count;
    this.#next = this.#first;
  }

  /** The offset of the current item in `bytes`. */
  get at(): number {
    return this.#at;
  }
  get op(): number {
    return this.#view.getUint8(this.#at);
  }
  get result(): number {
    return this.#view.getUint8(this.#at + 1);
  }
  get status(): number {
    return this.#view.getUint16(this.#at + 2, true);
  }
  get index(): number {
    return this.#view.getUint32(this.#at + 4, true);
  }
  get primaryTerm(): number {
    return this.#view.getUint32(this.#at + 12, true);
  }
  get version(): number {
    return this.#number(16);
  }
  get seqNo(): number {
    return this.#number(24);
  }
  /** The id is the bytes from `idAt` to `idEnd`. */
  get idAt(): number {
    return this.#idAt;
  }
  get idEnd(): number {
    return this.#idEnd;
  }
  /**
   * Whether the item is fully described by this class: no error, no document, and only safe
   * integers.
   */
  get bare(): boolean {
    return this.#bare && this.index !== NO_INDEX && this.#isSafe(16) && this.#isSafe(24);
  }

  #isSafe(offset: number): boolean {
    return this.#view.getUint32(this.#at + offset + 4, true) < UNSAFE;
  }
  #number(offset: number): number {
    const low = this.#view.getUint32(this.#at + offset, true);
    return this.#view.getUint32(this.#at + offset + 4, true) * WORD + low;
  }
  #u16(at: number): number {
    if (at + 2 > this.bytes.length) throw this.#malformed();
    return this.#view.getUint16(at, true);
  }
  /** Returns the end of the string whose length is at `at`. */
  #text(at: number): number {
    if (at + 4 > this.bytes.length) throw this.#malformed();
    const end = at + 4 + this.#view.getUint32(at, true);
    if (end > this.bytes.length) throw this.#malformed();
    return end;
  }
  #malformed(): Error {
    return new Error(`malformed item results from the native core at byte ${this.#at}`);
  }
}
