// The JSON printers of the core. Short responses are printed on the calling thread, pieces of long
// ones by a worker pool, or on a thread without a pool in time slices.
import type { Printers, PrintStyle } from '../../backend/index.js';
import { turn } from '../../base/cooperative-task.js';
import type { Addon, NativeErrors } from '../../native/addon.js';
import type { TaskRunner } from '../shards/pools.js';

/** The piece size of native/core/engine/printers.h. */
const PIECE_BYTES = 256 * 1024;

export interface CorePrintersOptions {
  readonly addon: Pick<Addon, 'openPrinter' | 'print' | 'closePrinter'>;
  readonly errors: Pick<NativeErrors, 'fromThrown'>;
  /** Absent: pieces are printed on this thread. */
  readonly pool?: TaskRunner;
}

export class CorePrinters implements Printers {
  readonly pieceBytes = PIECE_BYTES;
  readonly #options: CorePrintersOptions;

  constructor(options: CorePrintersOptions) {
    this.#options = options;
  }

  open(style: PrintStyle, filter: string): number {
    const { addon, errors } = this.#options;
    try {
      return addon.openPrinter(style, filter);
    } catch (error) {
      throw errors.fromThrown(error);
    }
  }

  print(printer: number, json: Uint8Array, last: boolean): Buffer {
    const { addon, errors } = this.#options;
    try {
      return Buffer.from(addon.print(printer, json, last));
    } catch (error) {
      throw errors.fromThrown(error);
    }
  }

  async printLater(printer: number, json: Uint8Array<ArrayBuffer>, last: boolean): Promise<Buffer> {
    const { pool } = this.#options;
    if (pool === undefined) {
      await turn();
      return this.print(printer, json, last);
    }
    return Buffer.from(await pool.run('print', { printer, json, last }, [json.buffer]));
  }

  close(printer: number): void {
    this.#options.addon.closePrinter(printer);
  }
}
