// Messages between the main thread and the HTTP workers. Connections travel as numbers of descriptors,
// which the receiver owns. A request that a worker forwards is known by a number of that worker.
import type { Config } from '../../config/schema.js';
import type { AuditEntry } from '../../ops/audit.js';
import type { SlowSearch } from '../../ops/slow-searches.js';
import type { TlsOptions } from '../../ops/tls.js';

/** What every thread must know before it answers a later request. */
export type StateChange =
  | {
      readonly kind: 'indexes';
      readonly put: readonly string[];
      readonly removed: readonly string[];
    }
  | { readonly kind: 'config'; readonly config: Config };

/** The head of a request, and its body if that is complete. */
export interface ForwardedHead {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly address: string | undefined;
  /** `pieces`: the body follows, each piece once it was asked for. */
  readonly body: Uint8Array | 'pieces' | undefined;
}

/** The head of an answer, and its body if that is complete. */
export interface ForwardedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `pieces`: the body follows, each piece once it was asked for. */
  readonly body: Uint8Array | 'pieces' | undefined;
  /** Whether the worker reports that the answer was sent: it is long, and held until then. */
  readonly isReported: boolean;
}

/** One piece of a body that is asked for: the next bytes, its end, or its failure. */
export type Piece =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed' };

export type ForwardToMain =
  | { readonly kind: 'request'; readonly id: number; readonly head: ForwardedHead }
  | { readonly kind: 'requestPiece'; readonly id: number; readonly piece: Piece }
  | { readonly kind: 'wantsAnswer'; readonly id: number }
  /** The client has taken all of an answer that is reported. */
  | { readonly kind: 'sent'; readonly id: number }
  /** The client is gone. */
  | { readonly kind: 'gone'; readonly id: number };

export type ForwardToWorker =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: ForwardedAnswer }
  | { readonly kind: 'answerPiece'; readonly id: number; readonly piece: Piece }
  | { readonly kind: 'wantsRequest'; readonly id: number };

export type ToWorker =
  | ForwardToWorker
  | { readonly kind: 'state'; readonly version: number; readonly change: StateChange }
  | { readonly kind: 'connection'; readonly fd: number }
  | { readonly kind: 'metrics'; readonly id: number }
  /** There are too many connections. */
  | { readonly kind: 'closeIdle' }
  /** Answer what is there, and close every connection. */
  | { readonly kind: 'drain' };

export type ToMain =
  | ForwardToMain
  | { readonly kind: 'ready' }
  /** A connection was closed. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'metrics'; readonly id: number; readonly values: unknown }
  | { readonly kind: 'audit'; readonly entry: AuditEntry }
  | { readonly kind: 'slowSearch'; readonly search: SlowSearch }
  | { readonly kind: 'drained' };

/** How an HTTP worker is started. */
export interface WorkerSettings {
  readonly config: Config;
  readonly tls: TlsOptions | undefined;
  readonly shared: SharedArrayBuffer;
  /** Of EngineUse. */
  readonly engineUse: SharedArrayBuffer;
  /** 1 and up; 0 is the main thread. */
  readonly thread: number;
  /** Numbers of the indexes that exist, as of the version of the shared state. */
  readonly indexes: readonly number[];
  readonly asOf: number;
  readonly node: { readonly name: string; readonly clusterUuid: string; readonly nodeId: string };
  /** Of the service. */
  readonly version: string;
}
