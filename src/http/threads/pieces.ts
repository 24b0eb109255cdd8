// Bodies that travel between threads in pieces: the reader asks for each, so that no more is on its way
// than it can take.
import { Readable } from 'node:stream';
import type { Piece } from './messages.js';

/** Bytes that can be sent to another thread: a message copies the whole memory that a view is part of. */
export function exactBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
}

/** The bytes of a message. */
export function receivedBytes({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** A body of the other thread. */
export class ReceivedBody extends Readable {
  readonly #wants: () => void;
  readonly #gone: () => void;
  #isOver = false;

  /** `wants` asks for the next piece; `gone` tells that nobody reads the rest. */
  constructor(wants: () => void, gone: () => void = () => {}) {
    super();
    // Whoever reads it listens as well, if anybody does.
    this.on('error', () => {});
    this.#wants = wants;
    this.#gone = gone;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  receive(piece: Piece): void {
    if (piece.kind === 'bytes') {
      this.push(receivedBytes(piece.bytes));
      return;
    }
    this.#isOver = true;
    if (piece.kind === 'end') this.push(null);
    else this.destroy(new Error('the other thread could not send the rest'));
  }

  override _read(): void {
    this.#wants();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (!this.#isOver) this.#gone();
    callback(error);
  }
}

/** A body of this thread for another. */
export class SentBody {
  readonly #body: Readable;
  readonly #send: (piece: Piece) => void;
  #isWanted = false;
  /** The last piece. */
  #end: Piece | undefined;

  constructor(body: Readable, send: (piece: Piece) => void) {
    this.#body = body;
    this.#send = send;
    body.on('readable', this.#pump).on('end', this.#ended).on('error', this.#failed);
    body.on('close', this.#failed);
  }

  /** The other thread asks for the next piece. */
  next(): void {
    this.#isWanted = true;
    this.#pump();
  }

  /** Reads the rest and throws it away. */
  discard(): void {
    this.#leave();
    this.#body.on('error', () => {}).resume();
  }

  /** Nobody wants the rest. */
  cancel(): void {
    this.#leave();
    this.#body.on('error', () => {}).destroy();
  }

  readonly #pump = (): void => {
    if (!this.#isWanted) return;
    const next = this.#end === undefined ? (this.#body.read() as Buffer | string | null) : null;
    const bytes = next === null ? undefined : exactBytes(Buffer.from(next as string));
    const piece = bytes === undefined ? this.#end : ({ kind: 'bytes', bytes } as const);
    if (piece === undefined) return;
    this.#isWanted = false;
    this.#send(piece);
  };

  readonly #ended = (): void => {
    this.#end = { kind: 'end' };
    this.#pump();
  };

  readonly #failed = (): void => {
    this.#end ??= { kind: 'failed' };
    this.#pump();
  };

  #leave(): void {
    this.#body.off('readable', this.#pump).off('end', this.#ended);
    this.#body.off('error', this.#failed).off('close', this.#failed);
  }
}
