// Numbers that all threads see at once: how far what a reader has to know has changed, and how many bytes each thread holds.

/** Of the version, padded to where doubles may begin. */
const HEAD_BYTES = 8;

export class SharedState {
  readonly buffer: SharedArrayBuffer;
  /** Bytes of requests and answers by thread; each writes only its own. */
  readonly heldBytes: Float64Array;
  readonly #version: Int32Array;

  private constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#version = new Int32Array(buffer, 0, 1);
    this.heldBytes = new Float64Array(buffer, HEAD_BYTES);
  }

  static create(threads: number): SharedState {
    return new SharedState(new SharedArrayBuffer(HEAD_BYTES + threads * 8));
  }
  static of(buffer: SharedArrayBuffer): SharedState {
    return new SharedState(buffer);
  }

  get version(): number {
    return Atomics.load(this.#version, 0);
  }
  /** After everybody was told. */
  set version(version: number) {
    Atomics.store(this.#version, 0, version);
  }
}
