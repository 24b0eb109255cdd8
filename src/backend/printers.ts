// Answers that are printed anew, in pieces: indented, as YAML, or only what `filter_path` names.

export type PrintStyle = 'compact' | 'indented' | 'yaml';

/** Printers of JSON by number, each for one answer. */
export interface Printers {
  /** Bytes of a piece that is followed by others. */
  readonly pieceBytes: number;
  /** `filter`: patterns with commas between them; empty: all is kept. The caller closes it. */
  open(style: PrintStyle, filter: string): number;
  /**
   * Prints on, on this thread. A piece of `pieceBytes`: there is more, to be asked for without `json`. `last`: nothing comes behind
   * `json`.
   */
  print(printer: number, json: Uint8Array, last: boolean): Buffer;
  /** The same where it holds nobody up. `json` is given away. */
  printLater(printer: number, json: Uint8Array<ArrayBuffer>, last: boolean): Promise<Buffer>;
  close(printer: number): void;
}
