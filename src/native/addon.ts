// The typed face of the native addon, its loader and the version handshake. Load it on the main thread before any
// worker does: the engine lives in the library, once per process.
import { createRequire } from 'node:module';
import { ERROR_STATUS, type ErrorType, QuarryError } from '../errors.js';

/** What engine.h offers, one function each; see native/core/engine/engine.h for contracts. Bytes are copied both ways. */
export interface Addon {
  readonly abiVersion: number;
  /** DSL name -> opcode number (native/core/query/plan/opcodes.def). */
  opcodes(): Readonly<Record<string, number>>;
  /** Rows of native/core/base/errors.def in wire-number order. */
  errorTypes(): readonly { readonly type: string; readonly status: number }[];
  /** XXH3-128, seed 0: 16 bytes, most significant first. Needs no open engine. */
  hash128(bytes: Uint8Array): ArrayBuffer;
  /**
   * The built-in embedder: `dims` floats for each text (UTF-8 where bytes), zeros where a text has no content words.
   * `weights` by word; a word that it lacks weighs 1. Needs no open engine. native/core/text/embedder/lexical_embedder.h.
   */
  embed(
    texts: readonly (string | Uint8Array)[],
    dims: number,
    weights?: Readonly<Record<string, number>>,
  ): Float32Array<ArrayBuffer>;
  /** The words that `embed` weighs, once each, without stop words. */
  embedTerms(text: string | Uint8Array): EmbedTerm[];

  /** To two doubles: milliseconds of processor time of this thread, and how often it waited for the disk (major faults). */
  threadUsage(into: Float64Array): void;
  /** Another number for what an open one stands for; the caller closes it. Throws when there are too many. */
  duplicateDescriptor(fd: number): number;
  /** Bytes of both, one behind the other, that a connection took without waiting; 0: none just now, -1: it is broken. */
  sendNow(fd: number, first: Uint8Array, second: Uint8Array | undefined): number;

  /** Printers of JSON by number: native/core/engine/printers.h. Need no open engine. */
  openPrinter(style: 'compact' | 'indented' | 'yaml', filter: string): number;
  print(printer: number, json: Uint8Array, last: boolean): ArrayBuffer;
  closePrinter(printer: number): void;
  /** How many are open. */
  openPrinters(): number;

  /** Texts of moments, keys of date histograms: native/core/engine/date_table.h. Needs no open engine. */
  dateTable(request: Uint8Array): ArrayBuffer;

  /**
   * Checks a data folder that no service runs on; with `salvageDir` (else "") also writes there what can be read. The report
   * as JSON: native/core/engine/check/check.h. Needs no open engine.
   */
  check(
    dataDir: string,
    salvageDir: string,
    progress: (done: number, total: number, file: string) => void,
  ): string;
  /** `name` with every match replaced, and the steps that it took: native/core/engine/recovery/rename.h. Needs no open engine. */
  rename(pattern: string, replacement: string, name: string, maxSteps: number): Renamed;
  /** Throws what creating an index with these settings and mappings would. Needs no open engine. */
  checkIndex(specJson: string): void;
  open(dataDir: string, optionsJson: string): void;
  /** A last checkpoint for about `checkpointMs`; what is left over stays in the log. */
  close(checkpointMs: number): void;
  createIndex(specJson: string): string;
  /**
   * Several changes of indexes as one durable record: a list of {"create"}, {"restore", "spec"}, {"index", "members" or
   * "mappings"} and {"drop"}. The descriptions of what is new or changed, each ended by a line feed. What is dropped stays
   * until finishChanges().
   */
  changeIndexes(changesJson: string): string;
  finishChanges(): void;
  putMapping(index: number, mappingsJson: string): string;
  putSpec(index: number, membersJson: string): string;
  /** The description after putSpec and putMapping with these, either of which may be ""; writes nothing. */
  checkChange(index: number, membersJson: string, mappingsJson: string): string;
  /** Until the next start the index answers `reason` as a damaged one does, and can only be dropped. */
  putOutOfService(index: number, reason: string): void;
  describe(index: number): string;
  /** Each ends with a line feed and has no other. */
  describeAll(): string;
  /** What is out of service: [{"index": number, "shard": number or null for all of them, "reason"}]. */
  damages(): string;
  indexStats(index: number): string;
  nodeStats(): string;
  /** `index` -1: no index, built-in analyzers only. */
  analyze(index: number, requestJson: string): string;

  /** `vectors`: of the texts that pendingTexts listed (native/core/mapping/vectors/vector_table.h); without them: none. */
  bulk(request: Uint8Array, ndjson: Uint8Array, vectors?: Uint8Array): ArrayBuffer;
  write(operations: Uint8Array, vectors?: Uint8Array): ArrayBuffer;
  /**
   * The texts of fields with a remote embedder that a bulk, or operations (without `ndjson`), would store. Stores nothing;
   * native/core/shard/pending_texts.h.
   */
  pendingTexts(request: Uint8Array, ndjson?: Uint8Array): ArrayBuffer;
  get(index: number, id: string, routing: string, realtime: boolean, plan: Uint8Array): ArrayBuffer;
  /** `shards`: pairs of index number and shard. */
  search(shards: Uint32Array, plan: Uint8Array, token?: number, deadlineUs?: number): ArrayBuffer;
  fetch(
    index: number,
    shard: number,
    generation: bigint,
    docs: Uint32Array,
    plan: Uint8Array,
    token?: number,
    deadlineUs?: number,
  ): ArrayBuffer;
  /** Ends what was called with this token, soon; nothing where the engine is not open. Waits for nothing. */
  cancel(token: number): void;
  /** Microseconds of the clock that deadlines are of. */
  steadyMicros(): number;
  /** Keeps the newest snapshot of the shard until releaseSnapshot(); its generation. */
  hold(index: number, shard: number): bigint;
  releaseSnapshot(index: number, shard: number, generation: bigint): void;

  /** Copies of whole indexes, metadata as JSON: engine.h. */
  pinIndex(index: number): string;
  readPinned(pin: number, file: number, offset: bigint, length: number): ArrayBuffer;
  unpin(pin: number): void;
  prepareRestore(requestJson: string): string;
  checkRestore(restore: number, requestJson: string): void;
  finishRestore(restore: number, specJson: string): string;
  abortRestore(restore: number): void;

  /** Words, counts and inputs for suggesters: native/core/query/suggest/suggest_plan.h. */
  suggest(index: number, request: Uint8Array, token?: number, deadlineUs?: number): ArrayBuffer;

  /** Walks over links, and counts of all of them: native/core/query/links/. `nodes`: indexes of the nodes. */
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
  /** Operations of the log, those of all shards. */
  replayProgress(): { readonly done: number; readonly total: number };
  dirtyShards(): Uint32Array;
  flushCandidates(): Uint32Array;
  mergeCandidates(): Uint32Array;
  /** Damage that was found and worked around, for the log; each is given once. */
  takeWarnings(): readonly string[];
  /** Shards with operations that only the log holds durably. */
  unflushedShards(): Uint32Array;
  /** Closes some of the indexes that nobody uses; how many. Not 0: there may be more. */
  closeIdle(): number;
  /** Bytes that merges write in a second (native/core/base/work_pace.h), 0: no limit. Running ones go by it at once. */
  setMergeLimit(bytesPerSecond: number): void;
  /** Running merges are rejected soon, new ones at once: for the end of the process. */
  abortMerges(): void;
  /** Runs off the calling thread; resolves to the durable position. A rejection is final for this process. */
  syncWal(): Promise<bigint>;
  /** Null when writes are accepted, else why not. */
  writeState(): { readonly errorType: number; readonly reason: string } | null;
}

/** A word as the embedder folds it, its stem as the english analyzer has it, and how often it occurs. */
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

/** An administration call's failure as the addon throws it. */
interface NativeFailure {
  readonly errorType: number;
  readonly message: string;
  readonly causedBy?: string;
}

/** Loads build/Release/addon.node and checks that both sides speak the same version and error table. */
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

/** Error type numbers of replies to QuarryError. Built once from the addon's table. */
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

  /** `cause`: "type: reason" of an inner error, or only its reason; empty: none. */
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

  /** Turns what an administration call threw into a QuarryError; anything else passes through. */
  fromThrown(thrown: unknown): unknown {
    if (thrown instanceof Error && 'errorType' in thrown) {
      const failure = thrown as unknown as NativeFailure;
      return this.toError(failure.errorType, failure.message, failure.causedBy ?? '');
    }
    return thrown;
  }
}
