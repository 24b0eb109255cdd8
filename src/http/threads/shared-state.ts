// Numbers that all threads see at once: the version of the state that they share, whether recorded
// times are in the future, the latest time of the main thread, and the bytes that each thread holds.

/** The version, and 1 if recorded times are in the future. */
const VERSION_BYTES = 8;
const TIME_BYTES = 8;
const HEAD_BYTES = VERSION_BYTES + TIME_BYTES;

export class SharedState {
  readonly buffer: SharedArrayBuffer;
  /** Bytes of requests and answers by thread; each writes only its own. */
  readonly heldBytes: Float64Array;
  readonly #version: Int32Array;
  readonly #latestMs: Float64Array;

  private constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#version = new Int32Array(buffer, 0, 2);
    this.#latestMs = new Float64Array(buffer, VERSION_BYTES, 1);
    this.heldBytes = new Float64Array(buffer, HEAD_BYTES);
  }

  static create(threads: number): SharedState {
    return new SharedState(new SharedArrayBuffer(HEAD_BYTES + threads * 8));
  }
  static of(buffer: SharedArrayBuffer): SharedState {
    return new SharedState(buffer);
  }

  /** A clock reading that is not behind the latest of the main thread, if the clock was set back. */
  notBefore(nowMs: number): number {
    return Math.max(nowMs, this.#latestMs[0] ?? 0);
  }
  /** The same on the main thread, whose readings other threads follow. */
  pass(nowMs: number): number {
    const latest = this.notBefore(nowMs);
    this.#latestMs[0] = latest;
    return latest;
  }

  /** A time that an earlier process has recorded is in the future. */
  get isAhead(): boolean {
    return Atomics.load(this.#version, 1) === 1;
  }
  setAhead(): void {
    Atomics.store(this.#version, 1, 1);
  }

  get version(): number {
    return Atomics.load(this.#version, 0);
  }
  /** Set when the change was sent to every thread. */
  set version(version: number) {
    Atomics.store(this.#version, 0, version);
  }
}
