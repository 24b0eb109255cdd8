// The types of the native addon, its loader and the version handshake. The main thread has to load
// it before any worker, as the library holds the one engine of the process.
import { createRequire } from 'node:module';
import type { BuiltinId } from '../base/builtin-embedders.js';
import { ERROR_STATUS, type ErrorType, QuarryError } from '../errors.js';

/**
 * The functions of the engine; native/core/engine/engine.h has their contracts. Bytes are copied in
 * both directions.
 */
export interface Addon {
  readonly abiVersion: number;
  /** DSL name -> opcode number (native/core/query/plan/opcodes.def). */
  opcodes(): Readonly<Record<string, number>>;
  /** Rows of native/core/base/errors.def in wire-number order. */
  errorTypes(): readonly { readonly type: string; readonly status: number }[];
  /** XXH3-128 with seed 0: 16 bytes, most significant first. Needs no open engine. */
  hash128(bytes: Uint8Array): ArrayBuffer;
  /**
   * The built-in embedder (native/core/text/embedder/lexical_embedder.h): returns `dims` floats for
   * each text, zeros for a text without content words. Bytes are UTF-8. `weights` are by word; a
   * missing word has weight 1. `embedder`: `svc-lex-1` if it is left out. Needs no open engine.
   */
  embed(
    texts: readonly (string | Uint8Array)[],
    dims: number,
    weights?: Readonly<Record<string, number>>,
    embedder?: BuiltinId,
  ): Float32Array<ArrayBuffer>;
  /** Returns the words that `embed` weighs, once each, without stop words. */
  embedTerms(text: string | Uint8Array, embedder?: BuiltinId): EmbedTerm[];

  /** Duplicates an open file descriptor; the caller closes it. Throws if there are too many. */
  duplicateDescriptor(fd: number): number;
  /**
   * Writes `first`, then `second` to a connection without blocking. Returns the number of bytes
   * written; 0: the connection is not writable now; -1: it is broken.
   */
  sendNow(fd: number, first: Uint8Array, second: Uint8Array | undefined): number;

  /**
   * JSON printers, identified by number: native/core/engine/printers.h. They need no open engine.
   */
  openPrinter(style: 'compact' | 'indented' | 'yaml', filter: string): number;
  print(printer: number, json: Uint8Array, last: boolean): ArrayBuffer;
  closePrinter(printer: number): void;
  /** Returns the number of open printers. */
  openPrinters(): number;

  /**
   * Formats dates and computes keys of date histograms: native/core/engine/date_table.h. Needs no
   * open engine.
   */
  dateTable(request: Uint8Array): ArrayBuffer;

  /**
   * Checks a data directory that no server uses. If `salvageDir` is not "", also writes there what
   * can be read. Returns the report as JSON: native/core/engine/check/check.h. Needs no open
   * engine.
   */
  check(
    dataDir: string,
    salvageDir: string,
    progress: (done: number, total: number, file: string) => void,
  ): string;
  /**
   * Returns `name` with every match replaced, and the number of steps:
   * native/core/engine/recovery/rename.h. Needs no open engine.
   */
  rename(pattern: string, replacement: string, name: string, maxSteps: number): Renamed;
  /** Throws if creating an index with these settings and mappings would. Needs no open engine. */
  checkIndex(specJson: string): void;
  open(dataDir: string, optionsJson: string): void;
  /** Makes a last checkpoint within about `checkpointMs`; other operations stay in the log. */
  close(checkpointMs: number): void;
  createIndex(specJson: string): string;
  /**
   * Applies several changes of indexes as one durable record: a list of {"create"}, {"restore",
   * "spec"}, {"index", "members" or "mappings"} and {"drop"}. Returns the descriptions of new and
   * changed indexes, each followed by a line feed. Dropped indexes stay until finishChanges().
   */
  changeIndexes(changesJson: string): string;
  finishChanges(): void;
  putMapping(index: number, mappingsJson: string): string;
  putSpec(index: number, membersJson: string): string;
  /**
   * Returns the description after putSpec and putMapping with these arguments, either of which may
   * be ""; writes nothing.
   */
  checkChange(index: number, membersJson: string, mappingsJson: string): string;
  /**
   * Until the next start the index responds with `reason`, as a damaged one does, and can only be
   * dropped.
   */
  putOutOfService(index: number, reason: string): void;
  describe(index: number): string;
  /** Returns one line for each index; descriptions have no other line feeds. */
  describeAll(): string;
  /**
   * Returns what is out of service: [{"index": number, "shard": number or null for all shards,
   * "reason"}].
   */
  damages(): string;
  indexStats(index: number): string;
  nodeStats(): string;
  /** `index` -1: no index, built-in analyzers only; needs no open engine. */
  analyze(index: number, requestJson: string): string;

  /**
   * `vectors` has the vectors of the texts that pendingTexts returned
   * (native/core/mapping/vectors/vector_table.h); undefined: none.
   */
  bulk(request: Uint8Array, ndjson: Uint8Array, vectors?: Uint8Array): ArrayBuffer;
  write(operations: Uint8Array, vectors?: Uint8Array): ArrayBuffer;
  /**
   * Returns the texts of fields with a remote embedder that a bulk, or operations (without
   * `ndjson`), would store (native/core/shard/pending_texts.h). Stores nothing.
   */
  pendingTexts(request: Uint8Array, ndjson?: Uint8Array): ArrayBuffer;
  get(index: number, id: string, routing: string, realtime: boolean, plan: Uint8Array): ArrayBuffer;
  /** `shards`: pairs of index number and shard. */
  search(shards: Uint32Array, plan: Uint8Array, token?: number, deadlineUs?: number): ArrayBuffer;
  /**
   * An attempt: undefined once it has used `budgetUs` of processor time, or four times as much time
   * on the clock, without an answer, and at once if an index has to be opened. It then leaves
   * nothing behind, and the caller repeats the call without a budget. `token` and `deadlineUs` 0:
   * none.
   */
  search(
    shards: Uint32Array,
    plan: Uint8Array,
    token: number,
    deadlineUs: number,
    budgetUs: number,
  ): ArrayBuffer | undefined;
  fetch(
    index: number,
    shard: number,
    generation: bigint,
    docs: Uint32Array,
    plan: Uint8Array,
    token?: number,
    deadlineUs?: number,
  ): ArrayBuffer;
  /** An attempt, as of search. */
  fetch(
    index: number,
    shard: number,
    generation: bigint,
    docs: Uint32Array,
    plan: Uint8Array,
    token: number,
    deadlineUs: number,
    budgetUs: number,
  ): ArrayBuffer | undefined;
  /**
   * Ends calls with this token soon, without waiting for them. Has no effect if the engine is not
   * open.
   */
  cancel(token: number): void;
  /** Microseconds of the clock that deadlines refer to. */
  steadyMicros(): number;
  /** Pins the newest snapshot of the shard until releaseSnapshot(), and returns its generation. */
  acquireSnapshot(index: number, shard: number): bigint;
  releaseSnapshot(index: number, shard: number, generation: bigint): void;

  /** Copies of whole indexes, with metadata as JSON: engine.h. */
  pinIndex(index: number): string;
  readPinned(pin: number, file: number, offset: bigint, length: number): ArrayBuffer;
  unpin(pin: number): void;
  prepareRestore(requestJson: string): string;
  checkRestore(restore: number, requestJson: string): void;
  finishRestore(restore: number, specJson: string): string;
  abortRestore(restore: number): void;

  /** Words, counts and inputs for suggesters: native/core/query/suggest/suggest_plan.h. */
  suggest(index: number, request: Uint8Array, token?: number, deadlineUs?: number): ArrayBuffer;

  /**
   * Walks over links, and counts of all links: native/core/query/links/. `nodes` are the indexes
   * that hold the nodes.
   */
  walkLinks(index: number, request: Uint8Array, token?: number, deadlineUs?: number): ArrayBuffer;
  countLinks(
    index: number,
    nodes: Uint32Array,
    request: Uint8Array,
    token?: number,
    deadlineUs?: number,
  ): ArrayBuffer;

  refresh(index: number, shard: number): boolean;
  flush(index: number, shard: number): void;
  merge(index: number, shard: number, maxSegments: number): boolean;
  recover(index: number, shard: number): void;
  /** Pairs of index number and shard. */
  needsRecovery(): Uint32Array;
  /** Numbers of operations in the log, over all shards. */
  replayProgress(): { readonly done: number; readonly total: number };
  dirtyShards(): Uint32Array;
  flushCandidates(): Uint32Array;
  mergeCandidates(): Uint32Array;
  /** Damage that was found and worked around, to be logged. Each warning is returned once. */
  takeWarnings(): readonly string[];
  /** Shards with operations that only the log holds durably. */
  unflushedShards(): Uint32Array;
  /**
   * Closes some of the idle indexes and returns their number. If it is not 0, there may be more.
   */
  closeIdle(): number;
  /**
   * The rate limit of merges in bytes per second (native/core/base/work_pace.h); 0: no limit.
   * Applies to running merges at once.
   */
  setMergeLimit(bytesPerSecond: number): void;
  /** Rejects running merges soon and new ones at once. To be called when the process ends. */
  abortMerges(): void;
  /**
   * Runs off the calling thread; resolves to the durable position. A rejection is final for this
   * process.
   */
  syncWal(): Promise<bigint>;
  /** Null if writes are accepted, else the reason why they are not. */
  writeState(): { readonly errorType: number; readonly reason: string } | null;
}

/**
 * A word as folded by the embedder, its stem in the english analyzer, and its number of
 * occurrences.
 */
export interface EmbedTerm {
  readonly word: string;
  readonly stem: string;
  readonly count: number;
}

export interface Renamed {
  readonly name: string;
  readonly steps: number;
}

export const ABI_VERSION = 1;

/** The error that an administration call throws. */
interface NativeFailure {
  readonly errorType: number;
  readonly message: string;
  readonly causedBy?: string;
}

/**
 * Loads build/Release/addon.node and checks that both sides have the same version and error table.
 */
export function loadAddon(): Addon {
  const addon = createRequire(import.meta.url)('#native') as Addon;
  if (addon.abiVersion !== ABI_VERSION) {
    throw new Error(
      `the native addon has version ${addon.abiVersion}, this build needs ${ABI_VERSION}: run npm run build:native`,
    );
  }
  for (const row of addon.errorTypes()) {
    if (row.type !== '' && ERROR_STATUS[row.type as ErrorType] !== row.status) {
      throw new Error(`error type [${row.type}] differs between src/errors.ts and errors.def`);
    }
  }
  return addon;
}

/** Converts error type numbers of replies to QuarryError. Built once from the addon's table. */
export class NativeErrors {
  readonly #types: readonly string[];

  constructor(addon: Addon) {
    this.#types = addon.errorTypes().map((row) => row.type);
  }

  typeName(number: number): ErrorType {
    const name = this.#types[number];
    return name !== undefined && name in ERROR_STATUS
      ? (name as ErrorType)
      : 'internal_server_error';
  }

  /** `cause` is "type: reason" of an inner error, or only its reason; empty: none. */
  toError(number: number, reason: string, cause = ''): QuarryError {
    const type = this.typeName(number);
    if (cause === '') return new QuarryError(type, reason);
    const named = /^([a-z_]+_exception): (.*)$/s.exec(cause);
    const causedBy = {
      type: named?.[1] ?? 'illegal_argument_exception',
      reason: named?.[2] ?? cause,
    };
    return new QuarryError(type, reason, { causedBy });
  }

  /**
   * Converts an error thrown by an administration call to a QuarryError; returns anything else
   * unchanged.
   */
  fromThrown(thrown: unknown): unknown {
    if (thrown instanceof Error && 'errorType' in thrown) {
      const failure = thrown as unknown as NativeFailure;
      return this.toError(failure.errorType, failure.message, failure.causedBy ?? '');
    }
    return thrown;
  }

  /** The same function, which throws what fromThrown() makes of its errors. */
  converting<A extends readonly unknown[], R>(call: (...args: A) => R): (...args: A) => R {
    return (...args) => {
      try {
        return call(...args);
      } catch (thrown) {
        throw this.fromThrown(thrown);
      }
    };
  }
}
