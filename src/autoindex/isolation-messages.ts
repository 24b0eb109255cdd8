// The messages between the worker that reads files and the main thread. There is one reading at a
// time, and the worker sends a batch only on request.
import type { SniffResult } from './sniff.js';

/**
 * A FileRecord as the worker sends it: a string is transferred many times faster than an object
 * with many members.
 */
export interface IsolatedRecord {
  readonly at: string;
  /** The document, an object of limited nesting. */
  readonly json: string;
  /** Members that were nested deeper were cut off. */
  readonly isCut: boolean;
}

/** A ByteSource without its bytes. */
export interface SourceAbout {
  readonly path: string;
  readonly size: number;
  /** Path of a file that the worker reads itself; undefined: the worker requests chunks. */
  readonly absolute: string | undefined;
}

export type ToWorker =
  | {
      readonly kind: 'sniff';
      readonly reading: number;
      readonly head: Uint8Array;
      readonly path: string;
    }
  | {
      readonly kind: 'read' | 'tables';
      readonly reading: number;
      readonly source: SourceAbout;
      readonly sniffed: SniffResult;
    }
  | { readonly kind: 'more'; readonly reading: number }
  /** Ends the reading early. */
  | { readonly kind: 'stop'; readonly reading: number }
  /** `bytes` undefined: the stream has ended; `problem`: it has failed. */
  | {
      readonly kind: 'chunk';
      readonly stream: number;
      readonly bytes: Uint8Array | undefined;
      readonly problem: string | undefined;
    };

export type FromWorker =
  /** The worker has loaded its modules. */
  | {
      readonly kind: 'ready';
      /** Path of the thread below /proc, where available: its processor time is read there. */
      readonly thread: string | undefined;
    }
  /** The reader of the format has loaded its library, and its time begins. */
  | { readonly kind: 'loaded'; readonly reading: number }
  | {
      readonly kind: 'sniffed';
      readonly reading: number;
      readonly found: SniffResult | string;
    }
  | {
      readonly kind: 'records';
      readonly reading: number;
      readonly records: readonly IsolatedRecord[];
      readonly end: boolean;
      /** Set if the end was caused by a broken file. */
      readonly problem: string | undefined;
    }
  | {
      readonly kind: 'tables';
      readonly reading: number;
      readonly tables: readonly string[];
      readonly problem: string | undefined;
    }
  /** Requests the next chunk of a stream; a new number starts a new stream. */
  | { readonly kind: 'need'; readonly reading: number; readonly stream: number };
