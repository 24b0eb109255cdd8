// Makes one snapshot: pins a few indexes at a time, copies the files that the repository lacks, and
// publishes the snapshot by a final write. Until then it is invisible; a failure removes what was
// written.
import type { IndexCopies, JsonObject, PinnedFile, PinnedIndex } from '../backend/index.js';
import { sha256 } from '../base/durable-file.js';
import { QuarryError } from '../errors.js';
import type { Pace } from './pace.js';
import {
  FORMAT,
  type IndexSummary,
  MANIFEST,
  type ShardCounts,
  type SnapshotFailure,
  type SnapshotRecord,
  storedName,
} from './records.js';
import { causeOf, statusOf } from './refusals.js';
import type { Repository } from './repository.js';
import { sideBySide } from './side-by-side.js';

export interface SnapshotPlan {
  readonly name: string;
  readonly uuid: string;
  readonly version: string;
  readonly indices: readonly {
    readonly name: string;
    readonly uuid: string;
    readonly shards: number;
  }[];
  /** Unreadable indexes are left out instead of failing the snapshot. */
  readonly partial: boolean;
  readonly metadata: JsonObject | null;
  readonly includesGlobalState: boolean;
  readonly globalState: JsonObject;
}

export interface SnapshotTools {
  readonly repository: Repository;
  readonly copies: IndexCopies;
  readonly pace: Pace;
  readonly nowMs: () => number;
  readonly nodeId: string;
  /** Bytes that must stay free on the repository's disk, if it has one: it may be that of the data. */
  readonly reserveBytes: number;
}

/** Progress of a shard. */
type ShardProgress = { -readonly [K in keyof ShardCounts]: number } & {
  doneFiles: number;
  doneBytes: number;
};

/** Progress of an index. */
export interface IndexProgress {
  readonly counts: readonly ShardProgress[];
  startMs: number;
  endMs: number;
  stage: 'INIT' | 'STARTED' | 'DONE' | 'FAILURE';
}

const PIECE_BYTES = 1024 * 1024;
/**
 * On a small disk at most this fraction (1/16) is reserved, as for the data in
 * native/core/wal/disk_space.h.
 */
const LARGEST_SHARE = 16;

/** A failure of the index, not of the repository. */
class IndexFailed extends Error {
  readonly thrown: unknown;
  constructor(thrown: unknown) {
    super((thrown as Error).message);
    this.thrown = thrown;
  }
}

export class SnapshotRun {
  readonly plan: SnapshotPlan;
  readonly startMs: number;
  readonly progress: ReadonlyMap<string, IndexProgress>;
  readonly #tools: SnapshotTools;
  readonly #failures: SnapshotFailure[] = [];
  readonly #abort = new AbortController();

  constructor(plan: SnapshotPlan, tools: SnapshotTools) {
    this.plan = plan;
    this.#tools = tools;
    this.startMs = tools.nowMs();
    this.progress = new Map(plan.indices.map(({ name, shards }) => [name, emptyProgress(shards)]));
  }

  /** Makes the run fail soon with the given reason. */
  abort(why: string): void {
    this.#abort.abort(new QuarryError('snapshot_exception', why));
  }

  /**
   * The caller must exclude other changes of the repository. Rejects after everything has been
   * rolled back.
   */
  async run(): Promise<SnapshotRecord> {
    const { repository } = this.#tools;
    const { plan } = this;
    const touched = plan.indices.map(({ uuid }) => uuid);
    try {
      this.#goOn();
      await repository.recover();
      await repository.begin(plan.uuid, touched);
      const summaries = await sideBySide(plan.indices, (index) => this.#attempt(index));
      const record = this.#record(summaries.filter((summary) => summary !== undefined));
      await repository.commit(record);
      return record;
    } catch (error) {
      // Files that cannot be removed now are removed before the next change of the repository.
      await repository.rollBack(plan.uuid, touched).catch(() => {});
      throw error;
    }
  }

  async #attempt(index: SnapshotPlan['indices'][number]): Promise<IndexSummary | undefined> {
    const progress = this.#progressOf(index.name);
    progress.startMs = this.#tools.nowMs();
    progress.stage = 'STARTED';
    try {
      const summary = await this.#copyIndex(index, progress);
      progress.stage = 'DONE';
      return summary;
    } catch (error) {
      progress.stage = 'FAILURE';
      if (!(error instanceof IndexFailed)) throw error;
      if (!this.plan.partial) throw error.thrown;
      for (let shard = 0; shard < index.shards; shard++) {
        this.#failures.push({
          index: index.name,
          index_uuid: index.uuid,
          shard_id: shard,
          reason: error.message,
          node_id: this.#tools.nodeId,
          status: 'INTERNAL_SERVER_ERROR',
        });
      }
      return undefined;
    } finally {
      progress.endMs = this.#tools.nowMs();
    }
  }

  async #copyIndex(
    index: SnapshotPlan['indices'][number],
    progress: IndexProgress,
  ): Promise<IndexSummary> {
    this.#goOn();
    const { copies } = this.#tools;
    const pinned = await copies.pin(index.name).catch((error: unknown) => {
      throw new IndexFailed(error);
    });
    try {
      if (pinned.uuid !== index.uuid) {
        const why = `index [${index.name}] was deleted and made again during the snapshot`;
        throw new IndexFailed(new QuarryError('snapshot_exception', why));
      }
      const manifests = await this.#copyFiles(pinned, progress);
      await this.#tools.repository.storeIndexRecord(this.plan.uuid, pinned.uuid, {
        format: FORMAT,
        name: index.name,
        description: pinned.description,
        shards: pinned.shards,
        files: pinned.files,
        manifests,
      });
      const counts = progress.counts.map(({ doneFiles: _f, doneBytes: _b, ...count }) => count);
      const { startMs } = progress;
      const { uuid, shards, documents } = pinned;
      const { name } = index;
      const endMs = this.#tools.nowMs();
      return { name, uuid, shards, documents, counts, startMs, endMs };
    } finally {
      await copies.release(pinned.pin);
    }
  }

  /** Returns the SHA-256 of the manifests by shard. */
  async #copyFiles(pinned: PinnedIndex, progress: IndexProgress): Promise<readonly string[]> {
    const { repository } = this.#tools;
    const stored = await repository.storedFiles(pinned.uuid);
    const isNew = (file: PinnedFile): boolean =>
      stored.get(storedName(this.plan.uuid, file)) !== file.bytes;
    for (const file of pinned.files) {
      const count = progress.counts[file.shard];
      if (file.name === MANIFEST || count === undefined) continue;
      count.files += 1;
      count.bytes += file.bytes;
      count.newFiles += isNew(file) ? 1 : 0;
      count.newBytes += isNew(file) ? file.bytes : 0;
    }
    await this.#checkRoom(progress.counts.reduce((sum, { newBytes }) => sum + newBytes, 0));
    const manifests: string[] = Array.from({ length: pinned.shards }, () => '');
    const copied = new Set<string>();
    for (const [at, file] of pinned.files.entries()) {
      const name = storedName(this.plan.uuid, file);
      if (!isNew(file) || copied.has(name)) continue;
      if (file.name === MANIFEST) {
        const bytes = await this.#whole(pinned, at, file);
        manifests[file.shard] = sha256(bytes);
        await repository.storeFile(pinned.uuid, name, bytes.length, oneOf(bytes));
        continue;
      }
      const pieces = this.#pieces(pinned, at, file);
      await repository.storeFile(pinned.uuid, name, file.bytes, pieces);
      copied.add(name);
      const count = progress.counts[file.shard];
      if (count === undefined) continue;
      count.doneFiles += 1;
      count.doneBytes += file.bytes;
    }
    return manifests;
  }

  /** Checked before copying, because a full disk would make writes fail until the rollback. */
  async #checkRoom(bytes: number): Promise<void> {
    if (bytes === 0) return;
    const disk = await this.#tools.repository.store.space();
    if (disk === undefined) return;
    const reserve = Math.min(this.#tools.reserveBytes, Math.floor(disk.bytes / LARGEST_SHARE));
    if (bytes + reserve <= disk.free) return;
    throw new QuarryError(
      'cluster_block_exception',
      `the disk of the repository has [${disk.free}] bytes free, the next index needs [${bytes}], and [${reserve}] stay free ` +
        '[disk.reserve_bytes]: free some, or delete snapshots that are not needed',
    );
  }

  async #whole(pinned: PinnedIndex, at: number, file: PinnedFile): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#pieces(pinned, at, file)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async *#pieces(pinned: PinnedIndex, at: number, file: PinnedFile): AsyncIterable<Uint8Array> {
    const { copies, pace } = this.#tools;
    for (let offset = 0; offset < file.bytes; ) {
      const length = Math.min(PIECE_BYTES, file.bytes - offset);
      await pace.take(length, this.#abort.signal);
      this.#goOn();
      const piece = await copies.read(pinned.pin, at, offset, length);
      offset += piece.length;
      yield piece;
    }
  }

  #goOn(): void {
    this.#abort.signal.throwIfAborted();
  }

  #record(indices: readonly IndexSummary[]): SnapshotRecord {
    const { name, uuid, version, metadata, includesGlobalState, globalState } = this.plan;
    return {
      format: FORMAT,
      name,
      uuid,
      version,
      state: this.#failures.length === 0 ? 'SUCCESS' : 'PARTIAL',
      startMs: this.startMs,
      endMs: this.#tools.nowMs(),
      indices,
      shardsTotal: this.plan.indices.reduce((sum, { shards }) => sum + shards, 0),
      failures: this.#failures,
      metadata,
      includesGlobalState,
      globalState,
    };
  }

  #progressOf(index: string): IndexProgress {
    const progress = this.progress.get(index);
    if (progress === undefined) throw new Error(`no progress of [${index}]`);
    return progress;
  }
}

function emptyProgress(shards: number): IndexProgress {
  const none = { files: 0, bytes: 0, newFiles: 0, newBytes: 0, doneFiles: 0, doneBytes: 0 };
  const counts = Array.from({ length: shards }, () => ({ ...none }));
  return { counts, startMs: 0, endMs: 0, stage: 'INIT' };
}

async function* oneOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** Wraps any error that made a snapshot fail. */
export function snapshotFailed(repository: string, snapshot: string, thrown: unknown): QuarryError {
  const cause = causeOf(thrown);
  return new QuarryError(
    'snapshot_exception',
    `[${repository}:${snapshot}] failed, nothing of it was kept: ${cause.reason}`,
    { causedBy: { type: cause.type, reason: cause.reason }, ...statusOf(thrown) },
  );
}
