// `pretty`, YAML and `filter_path`: reprints the JSON of an answer. A short answer is printed at
// once; a long one in pieces as the client reads them, so that the reprinted text is never held in
// memory as a whole.
import { Readable } from 'node:stream';
import type { Printers, PrintStyle } from '../../backend/index.js';
import { isYaml } from './media-types.js';
import type { UrlParams } from './params.js';

export interface Print {
  readonly style: PrintStyle;
  /** The value of `filter_path`; empty keeps everything. */
  readonly filter: string;
}

/** Maximum bytes of JSON that are printed at once. */
const SHORT = 64 * 1024;
/**
 * Maximum product of JSON bytes and filter characters to print at once, since the filter may be
 * evaluated for each byte.
 */
const SHORT_FILTERED = 512 * SHORT;
const NOTHING = new Uint8Array(0);

/** How an answer of the media type `type` is reprinted; undefined if it is sent unchanged. */
export function printOf(params: UrlParams, type: string): Print | undefined {
  const filter = params.text('filter_path');
  const pretty = params.flag('pretty') ?? false;
  if (filter === undefined && !pretty && !isYaml(type)) return undefined;
  return { style: isYaml(type) ? 'yaml' : pretty ? 'indented' : 'compact', filter: filter ?? '' };
}

/**
 * Prints a short answer completely, and returns the pieces of a long one. The caller must read them
 * to the end or destroy them.
 */
export function startPrinting(
  printers: Printers,
  { style, filter }: Print,
  json: Buffer,
): Buffer | PrintedPieces {
  const printer = printers.open(style, filter);
  if (json.length > SHORT || json.length * filter.length > SHORT_FILTERED) {
    return new PrintedPieces(printers, printer, json);
  }
  let first: Buffer | undefined;
  try {
    first = printers.print(printer, json, true);
  } finally {
    if (first?.length !== printers.pieceBytes) printers.close(printer);
  }
  return first.length === printers.pieceBytes
    ? new PrintedPieces(printers, printer, NOTHING, first)
    : first;
}

/** Prints into one buffer, synchronously on this thread; only for answers that are always short. */
export function printAtOnce(printers: Printers, { style, filter }: Print, json: Buffer): Buffer {
  const printer = printers.open(style, filter);
  try {
    const pieces = [printers.print(printer, json, true)];
    while (pieces.at(-1)?.length === printers.pieceBytes) {
      pieces.push(printers.print(printer, NOTHING, true));
    }
    return Buffer.concat(pieces);
  } finally {
    printers.close(printer);
  }
}

/**
 * A stream of the pieces of one answer, each printed on demand. The printer is closed when the
 * stream ends or is destroyed.
 */
export class PrintedPieces extends Readable {
  readonly #printers: Printers;
  readonly #printer: number;
  readonly #json: Uint8Array;
  #at = 0;
  /** The printer still holds output for the input that it has read. */
  #isFull: boolean;
  #isOver = false;
  #first: Buffer | undefined;

  /** Takes ownership of the printer. `first` is a piece that was already printed; more follow. */
  constructor(printers: Printers, printer: number, json: Uint8Array, first?: Buffer) {
    super();
    this.#printers = printers;
    this.#printer = printer;
    this.#json = json;
    this.#isFull = first !== undefined;
    this.#first = first;
  }

  /** Bytes held while the answer is sent, in addition to the JSON. */
  get heldBytes(): number {
    return 3 * this.#printers.pieceBytes;
  }

  override _read(): void {
    this.#next().then(
      (piece) => {
        if (!this.destroyed) this.push(piece);
      },
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#printers.close(this.#printer);
    callback(error);
  }

  async #next(): Promise<Buffer | null> {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined) return first;
    while (!this.#isOver && !this.destroyed) {
      const json = this.#isFull ? new Uint8Array(0) : this.#cut();
      const last = this.#at === this.#json.length;
      const piece = await this.#printers.printLater(this.#printer, json, last);
      this.#isFull = piece.length === this.#printers.pieceBytes;
      this.#isOver = last && !this.#isFull;
      // A filter may leave nothing of a piece of the input.
      if (piece.length > 0) return piece;
    }
    return null;
  }

  /** A copy of the next piece of input, whose ownership can be transferred. */
  #cut(): Uint8Array<ArrayBuffer> {
    const end = Math.min(this.#at + this.#printers.pieceBytes, this.#json.length);
    const piece = new Uint8Array(this.#json.subarray(this.#at, end));
    this.#at = end;
    return piece;
  }
}
