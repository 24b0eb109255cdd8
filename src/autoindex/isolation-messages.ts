// What the worker that reads files and the thread that asks it say to each other. One reading at a time; the worker goes on
// when it is asked for more.
import type { SniffResult } from './sniff.js';

/** A FileRecord as the worker hands it out: a text is moved many times faster than an object of many members. */
export interface IsolatedRecord {
  readonly at: string;
  /** The document, an object of a depth that every program on its way can walk. */
  readonly json: string;
  /** What lay deeper was cut off. */
  readonly isCut: boolean;
}

/** A ByteSource without its bytes. */
export interface SourceAbout {
  readonly path: string;
  readonly size: number;
  /** The worker reads the file itself; otherwise it asks for chunks. */
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
  /** Nothing more of it is wanted. */
  | { readonly kind: 'stop'; readonly reading: number }
  /** Undefined: the stream has ended; `problem`: it has failed. */
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
      /** Of the thread below /proc, where there is one: the processor time it has taken is read there. */
      readonly thread: string | undefined;
    }
  /** The reader of the format has loaded its library: its time begins. */
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
      /** The end is that of a broken file. */
      readonly problem: string | undefined;
    }
  | {
      readonly kind: 'tables';
      readonly reading: number;
      readonly tables: readonly string[];
      readonly problem: string | undefined;
    }
  /** The next chunk of a stream, which begins with the first. */
  | { readonly kind: 'need'; readonly reading: number; readonly stream: number };
