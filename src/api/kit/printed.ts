// `pretty`, YAML and `filter_path`: an answer printed anew. A short one is printed at once; a long one in pieces, as its client takes
// them, so that it takes no more memory than it has, however much longer it becomes.
import { Readable } from 'node:stream';
import type { Printers, PrintStyle } from '../../backend/index.js';
import type { MaybePromise } from '../../base/maybe-promise.js';
import { Elsewhere } from '../../ops/elsewhere.js';
import { isYaml } from './media-types.js';
import type { UrlParams } from './params.js';

export interface Print {
  readonly style: PrintStyle;
  /** The value of `filter_path`; empty: all is kept. */
  readonly filter: string;
}

/** Bytes of JSON that are printed at once. */
const SHORT = 64 * 1024;
/** The same times letters of the filter, which may have to be looked at for each of them. */
const SHORT_FILTERED = 512 * SHORT;
/** Of an answer that becomes one buffer; longer ones are sent by a server that sends pieces. */
const MOST_JOINED = 16 * 1024 * 1024;

const NOTHING = new Uint8Array(0);

/** How an answer of the media type `type` is printed anew; undefined: it is sent as it is. */
export function printOf(params: UrlParams, type: string): Print | undefined {
  const filter = params.text('filter_path');
  const pretty = params.flag('pretty') ?? false;
  if (filter === undefined && !pretty && !isYaml(type)) return undefined;
  return { style: isYaml(type) ? 'yaml' : pretty ? 'indented' : 'compact', filter: filter ?? '' };
}

/** All of it where it is short, else pieces; whoever gets those destroys them, or reads them to the end. */
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

/** As one buffer, on this thread and at once: for answers that are short by their nature. */
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

/** As one buffer; `hold` is told of its pieces. Elsewhere when it becomes longer than is kept at a time. */
export function printJoined(
  printers: Printers,
  print: Print,
  json: Buffer,
  hold: (bytes: number) => void,
): MaybePromise<Buffer> {
  const printed = startPrinting(printers, print, json);
  if (!(printed instanceof PrintedPieces)) {
    hold(printed.length);
    return printed;
  }
  return join(printed, json.length, hold);
}

async function join(
  printed: PrintedPieces,
  jsonBytes: number,
  hold: (bytes: number) => void,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    hold(jsonBytes);
    for await (const piece of printed) {
      bytes += piece.length;
      if (bytes > MOST_JOINED) throw new Elsewhere('a printed answer that is long');
      hold(piece.length);
      pieces.push(piece);
    }
  } finally {
    printed.destroy();
  }
  return Buffer.concat(pieces, bytes);
}

/** The pieces of one answer, each printed when it is asked for. Closes its printer when it ends, however it does. */
export class PrintedPieces extends Readable {
  readonly #printers: Printers;
  readonly #printer: number;
  readonly #json: Uint8Array;
  #at = 0;
  /** What the printer has read is not printed to its end. */
  #isFull: boolean;
  #isOver = false;
  #first: Buffer | undefined;

  /** Owns the printer. `first`: was printed already; there is more. */
  constructor(printers: Printers, printer: number, json: Uint8Array, first?: Buffer) {
    super();
    this.#printers = printers;
    this.#printer = printer;
    this.#json = json;
    this.#isFull = first !== undefined;
    this.#first = first;
  }

  /** Bytes that are held while they are sent, beside those of the JSON. */
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
      // Of much of an answer a filter may leave nothing.
      if (piece.length > 0) return piece;
    }
    return null;
  }

  /** A copy of what comes next, which may be given away. */
  #cut(): Uint8Array<ArrayBuffer> {
    const end = Math.min(this.#at + this.#printers.pieceBytes, this.#json.length);
    const piece = new Uint8Array(this.#json.subarray(this.#at, end));
    this.#at = end;
    return piece;
  }
}
