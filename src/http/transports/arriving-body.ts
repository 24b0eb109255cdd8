// The body of a request that is handled while it arrives.
import { Readable } from 'node:stream';

export class ArrivingBody extends Readable {
  readonly #wants: () => void;
  #missing: number;
  #over: () => void = () => {};

  /** `length` in bytes, above 0; `wants` is called when there is room for more bytes. */
  constructor(length: number, wants: () => void) {
    super();
    // Whoever reads it listens as well, if anybody does.
    this.on('error', () => {});
    this.#missing = length;
    this.#wants = wants;
  }

  /** Bytes that have not arrived. */
  get missing(): number {
    return this.#missing;
  }

  /**
   * Takes what arrived, as far as it belongs to the body. False: no more should be read from the
   * connection until bytes are wanted.
   */
  receive(bytes: Buffer): boolean {
    const own = bytes.length > this.#missing ? bytes.subarray(0, this.#missing) : bytes;
    this.#missing -= own.length;
    // Nobody reads the rest of a body that was given up.
    const hasRoom = this.destroyed || this.push(own);
    if (this.#missing > 0) return hasRoom;
    if (!this.destroyed) this.push(null);
    this.#over();
    return true;
  }

  /** Gives the body up: the rest is thrown away as it arrives, and `over` called behind it. */
  discard(over: () => void): void {
    this.#over = over;
    this.destroy();
    this.#wants();
  }

  /** The connection ended before the body. */
  cutOff(): void {
    if (this.#missing > 0) this.destroy(new Error('the client is gone'));
  }

  override _read(): void {
    this.#wants();
  }
}
