// The metadata of a snapshot in a repository: JSON files with a checksum. Every name in them is
// validated when they are read, because some of the names become parts of paths.
//
//   <location>/snapshots/<uuid>.json             SnapshotRecord; this file publishes the snapshot
//   <location>/pending/<uuid>.json               indexes whose folders are being changed
//   <location>/indices/<index uuid>/<uuid>.json  IndexRecord of the snapshot <uuid>
//   <location>/indices/<index uuid>/<uuid>-<shard>.manifest
//   <location>/indices/<index uuid>/<key>.<kind> segment files, named by content and stored once
import type { JsonObject, PinnedFile } from '../backend/index.js';

export const FORMAT = 1;

/** Counts of the files of a shard, without its manifest. */
export interface ShardCounts {
  readonly files: number;
  readonly bytes: number;
  /** Files that the snapshot had to copy. */
  readonly newFiles: number;
  readonly newBytes: number;
}

/** An index in a snapshot. */
export interface IndexSummary {
  readonly name: string;
  readonly uuid: string;
  readonly shards: number;
  readonly documents: number;
  /** Counts by shard. */
  readonly counts: readonly ShardCounts[];
  readonly startMs: number;
  readonly endMs: number;
}

export interface SnapshotFailure {
  readonly index: string;
  readonly index_uuid: string;
  readonly shard_id: number;
  readonly reason: string;
  readonly node_id: string;
  readonly status: string;
}

export interface SnapshotRecord {
  readonly format: number;
  readonly name: string;
  readonly uuid: string;
  readonly version: string;
  readonly state: 'SUCCESS' | 'PARTIAL';
  readonly startMs: number;
  readonly endMs: number;
  readonly indices: readonly IndexSummary[];
  /** Number of all shards, including those of failed indexes. */
  readonly shardsTotal: number;
  readonly failures: readonly SnapshotFailure[];
  readonly metadata: JsonObject | null;
  readonly includesGlobalState: boolean;
  /** Global state by the name of its part. */
  readonly globalState: JsonObject;
}

export interface IndexRecord {
  readonly format: number;
  readonly name: string;
  readonly description: JsonObject;
  readonly shards: number;
  readonly files: readonly PinnedFile[];
  /** SHA-256 of each shard's manifest. */
  readonly manifests: readonly string[];
}

const UUID = /^[A-Za-z0-9_-]{22}$/;
const KEY = /^[0-9a-f]{16}-[0-9a-f]{8}-\d{1,16}$/;
const FILE = /^seg-\d{1,20}\.(?:data|sidx|ids|vec)$/;
export const MANIFEST = 'MANIFEST';

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Name of a pinned file in the folder of its index. */
export function storedName(snapshot: string, file: PinnedFile): string {
  if (file.name === MANIFEST) return `${snapshot}-${file.shard}.manifest`;
  return `${file.key}${file.name.slice(file.name.lastIndexOf('.'))}`;
}

/** Throws a description of what is wrong with the record. */
export function readSnapshotRecord(value: unknown, uuid: string): SnapshotRecord {
  const record = value as SnapshotRecord;
  checkFormat(record);
  if (record.uuid !== uuid || typeof record.name !== 'string')
    throw new Error('it has a wrong name');
  if (!Array.isArray(record.indices)) throw new Error('it lists no indexes');
  for (const index of record.indices) {
    if (
      typeof index.name !== 'string' ||
      !isUuid(String(index.uuid)) ||
      !Array.isArray(index.counts)
    ) {
      throw new Error('it lists an index that lacks a member');
    }
  }
  return record;
}

/** Throws a description of what is wrong with the record. */
export function readIndexRecord(value: unknown): IndexRecord {
  const record = value as IndexRecord;
  checkFormat(record);
  const { shards, files, manifests } = record;
  const lists = Array.isArray(files) && Array.isArray(manifests) && manifests.length === shards;
  if (!lists || typeof record.description !== 'object') throw new Error('it lacks a member');
  if (Number(record.description['number_of_shards']) !== shards) {
    throw new Error('it counts shards in two ways');
  }
  for (const file of files) {
    const named = file.name === MANIFEST || (FILE.test(file.name) && KEY.test(file.key));
    const placed = Number.isInteger(file.shard) && file.shard >= 0 && file.shard < shards;
    if (!named || !placed || !Number.isSafeInteger(file.bytes)) {
      throw new Error(`it lists [${String(file.name)}], which is no file of a shard`);
    }
  }
  return record;
}

function checkFormat(record: { readonly format: number }): void {
  const format = record?.format;
  if (format === FORMAT) return;
  throw new Error(`format [${String(format)}], this release reads [${FORMAT}]`);
}
