// Runs a restore: all files of all indexes are copied to new folders and verified before the first
// index appears. A failure leaves the existing indexes unchanged.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexCopies, IndexRestore, PinnedFile, RestoreFolder } from '../backend/index.js';
import { sha256 } from '../base/durable-file.js';
import { QuarryError } from '../errors.js';
import type { Pace } from './pace.js';
import { type IndexRecord, MANIFEST, storedName } from './records.js';
import { causeOf, statusOf } from './refusals.js';
import type { Repository } from './repository.js';
import { sideBySide } from './side-by-side.js';

export interface RestoreItem {
  /** Uuid of the index in the snapshot. */
  readonly uuid: string;
  readonly record: IndexRecord;
  readonly restore: IndexRestore;
}

export interface RestoreTools {
  readonly repository: Repository;
  readonly copies: IndexCopies;
  readonly pace: Pace;
  /**
   * Called when everything has been verified, before the first index appears; its failure fails the
   * restore.
   */
  readonly verified: () => Promise<void>;
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
}

/** A file of the repository is damaged. */
class DamagedFileError extends Error {}

/**
 * `snapshot` is the uuid; `label` is the snapshot in error messages, [repository:snapshot/uuid].
 */
export async function runRestore(
  snapshot: string,
  label: string,
  items: readonly RestoreItem[],
  tools: RestoreTools,
): Promise<void> {
  const waiting = new Map<RestoreItem, RestoreFolder>();
  try {
    await sideBySide(items, async (item) => {
      const bytes = item.record.files.reduce((sum, file) => sum + file.bytes, 0);
      const target = await tools.copies.prepare(item.record.shards, bytes);
      waiting.set(item, target);
      await copyIndex(snapshot, item, target, tools);
    });
    await tools.verified();
    const filled = [...waiting].map(([{ restore }, target]) => ({ target, restore }));
    await tools.copies.finish(filled);
  } catch (error) {
    // The first error is reported; remaining folders are removed at the next start.
    for (const target of waiting.values()) await tools.copies.abort(target).catch(() => {});
    throw restoreFailed(label, error);
  }
}

async function copyIndex(
  snapshot: string,
  item: RestoreItem,
  target: RestoreFolder,
  tools: RestoreTools,
): Promise<void> {
  const { record, uuid } = item;
  const path = (file: PinnedFile): string => `indices/${uuid}/${storedName(snapshot, file)}`;
  for (const file of record.files) {
    const to = join(target.folder, String(file.shard), file.name);
    const hash = await copyFile(path(file), file, to, tools);
    if (file.name === MANIFEST && hash !== record.manifests[file.shard]) {
      throw new DamagedFileError(`[${path(file)}] does not match its checksum`);
    }
  }
  try {
    await tools.copies.verify(target, record.shards, record.files);
  } catch (error) {
    const match = /^\[(\d+)\/([^\]]+)\] (.*)$/s.exec((error as Error).message);
    const file = record.files.find(
      ({ shard, name }) => String(shard) === match?.[1] && name === match[2],
    );
    if (file === undefined) throw error;
    const which = `shard [${file.shard}] of index [${record.name}]`;
    throw new DamagedFileError(`[${path(file)}], [${file.name}] of ${which}, ${match?.[3]}`);
  }
}

/**
 * Copies and syncs a file; returns the hash if it is a manifest. `path` is relative to the
 * repository.
 */
async function copyFile(
  path: string,
  file: PinnedFile,
  to: string,
  tools: RestoreTools,
): Promise<string | undefined> {
  const target = await open(to, 'wx', 0o600);
  try {
    const pieces: Buffer[] = [];
    for await (const piece of piecesOf(path, file.bytes, tools)) {
      await target.writeFile(piece);
      if (file.name === MANIFEST) pieces.push(Buffer.from(piece));
    }
    await target.sync();
    return file.name === MANIFEST ? sha256(Buffer.concat(pieces)) : undefined;
  } finally {
    await target.close();
  }
}

async function* piecesOf(
  path: string,
  bytes: number,
  { repository: { store }, pace, signal }: RestoreTools,
): AsyncIterable<Uint8Array> {
  // An empty file is read once, because it must be there.
  for (let offset = 0; offset < Math.max(bytes, 1); ) {
    const length = Math.min(store.pieceBytes, bytes - offset);
    await pace.take(length, signal);
    if (signal.aborted) throw new Error('the server is stopping');
    const range = await store.read(path, offset, length);
    if (range === undefined) throw new DamagedFileError(`[${path}] is missing`);
    if (range.total !== bytes) {
      throw new DamagedFileError(`[${path}] has [${range.total}] bytes, expected [${bytes}]`);
    }
    if (bytes === 0) return;
    if (range.bytes.length === 0) {
      throw new DamagedFileError(`[${path}] was cut off while it was read`);
    }
    offset += range.bytes.length;
    yield range.bytes;
  }
}

/** Errors of the caller are kept; all others are wrapped with the snapshot's label. */
function restoreFailed(label: string, thrown: unknown): QuarryError {
  if (thrown instanceof QuarryError && thrown.status < 500 && thrown.status !== 429) return thrown;
  const cause = causeOf(thrown);
  return new QuarryError(
    'snapshot_restore_exception',
    `${label} could not be restored, nothing was: ${cause.reason}`,
    {
      causedBy:
        thrown instanceof DamagedFileError
          ? { type: 'corrupt_index_exception', reason: cause.reason }
          : { type: cause.type, reason: cause.reason },
      ...statusOf(thrown),
    },
  );
}
