// What the main thread and the readers tell each other. Connections travel as numbers of descriptors, which are the receiver's to
// close.
import type { Config } from '../config/schema.js';

/** Searches in a row after which a connection may leave the main thread. */
export const PATIENCE = 16;

/** What every thread has to know before it answers a request that comes later. */
export type StateChange =
  | {
      readonly kind: 'indexes';
      readonly put: readonly string[];
      readonly removed: readonly string[];
    }
  | { readonly kind: 'config'; readonly config: Config };

export interface Handed {
  readonly kind: 'connection';
  readonly fd: number;
  /** Searches in a row that it has to send before it is handed to a reader. */
  readonly patience: number;
}

export type ToReader =
  | { readonly kind: 'state'; readonly version: number; readonly change: StateChange }
  | Handed
  | { readonly kind: 'metrics'; readonly id: number }
  /** There are too many connections. */
  | { readonly kind: 'closeIdle' }
  /** All connections back to the main thread. */
  | { readonly kind: 'leave' };

export type ToMain =
  | { readonly kind: 'ready' }
  /** `bytes`: what the main thread is to answer, and the server of it unless `isSearch`: they are one plain search. */
  | (Handed & { readonly bytes: Uint8Array; readonly isSearch: boolean })
  /** A connection was closed. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'metrics'; readonly id: number; readonly values: unknown }
  | { readonly kind: 'left' };

/** How a reader is started. */
export interface ReaderSettings {
  readonly config: Config;
  readonly shared: SharedArrayBuffer;
  /** Of WarmIndexes. */
  readonly warm: SharedArrayBuffer;
  /** 1 and up; 0 is the main thread. */
  readonly thread: number;
  /** Numbers of the indexes that there are, as of the version of the shared state. */
  readonly indexes: readonly number[];
  readonly asOf: number;
  readonly node: { readonly name: string; readonly clusterUuid: string; readonly nodeId: string };
  /** Of the service. */
  readonly version: string;
}
