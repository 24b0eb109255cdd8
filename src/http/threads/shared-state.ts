// Numbers that all threads see at once: the version of the state that they share, and the bytes that
// each holds.

/** Size of the version, padded to the alignment of doubles. */
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
  /** Set when the change was sent to every thread. */
  set version(version: number) {
    Atomics.store(this.#version, 0, version);
  }
}
