// Reprints JSON answers in pieces: indented, as YAML, or filtered by `filter_path`.

export type PrintStyle = 'compact' | 'indented' | 'yaml';

/** JSON printers by number; each prints one answer. */
export interface Printers {
  /** Length of every piece except the last. */
  readonly pieceBytes: number;
  /**
   * `filter` is a comma-separated list of patterns; empty keeps everything. The caller must close
   * the printer.
   */
  open(style: PrintStyle, filter: string): number;
  /**
   * Prints the next piece on this thread. A piece of exactly `pieceBytes` means that more output is
   * pending: call again with empty `json`. `last`: no further input follows.
   */
  print(printer: number, json: Uint8Array, last: boolean): Buffer;
  /** The same on another thread. `json` is transferred and must not be used afterwards. */
  printLater(printer: number, json: Uint8Array<ArrayBuffer>, last: boolean): Promise<Buffer>;
  close(printer: number): void;
}
