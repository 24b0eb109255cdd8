// Item results of a bulk read where they lie, one after the other: of an item that is only counted or printed nothing is
// made. native/core/engine/item_results.h owns the format.

export const OPS = ['index', 'create', 'update', 'delete'] as const;
export const RESULTS = ['created', 'updated', 'deleted', 'not_found', 'noop', 'error'] as const;
export type ItemOp = (typeof OPS)[number];
export type ItemOutcome = (typeof RESULTS)[number];

/** Index number of an item whose name was refused. */
export const NO_INDEX = 0xffffffff;
/** Bytes of an item before its texts. */
const HEAD_BYTES = 32;
/** High words from here on make no safe integer. */
const UNSAFE = 2 ** 21;
const WORD = 2 ** 32;

/** A cursor; it stands before the first item. Reading past the end is a bug of one of the sides: a plain Error. */
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

  /** `count` items from byte `first` on. */
  constructor(bytes: Uint8Array<ArrayBuffer>, first: number, count: number) {
    this.bytes = bytes;
    this.count = count;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#first = first;
    this.#left = count;
    this.#next = first;
  }

  /** Moves on to the next item; false behind the last one. */
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
  /** Before the first item again. */
  rewind(): void {
    this.#left = this.count;
    this.#next = this.#first;
  }

  /** Where the item begins in `bytes`. */
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
  /** Nothing but what is told here: no error, no document, no number beyond the safe ones. */
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
  /** End of the text whose length stands at `at`. */
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
