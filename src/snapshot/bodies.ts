// Parses the bodies of snapshots and restores; everything is validated before anything is done. The
// bodies of repositories are in repository-body.ts.

import type { IndexCopies, JsonObject } from '../backend/index.js';
import { plainJson } from '../base/json-text.js';
import { flagOf, isObject, namesOf, refuseFeatures, refuseUnknown, textOf } from './body-fields.js';
import { illegal } from './refusals.js';
import { renamer } from './rename.js';

export interface SnapshotRequest {
  /** Undefined for all indexes, including hidden and closed ones. */
  readonly indices: readonly string[] | undefined;
  readonly ignoreUnavailable: boolean;
  readonly expandWildcards: readonly string[];
  readonly includesGlobalState: boolean;
  readonly partial: boolean;
  readonly metadata: JsonObject | null;
}

const SNAPSHOT_KEYS = [
  'indices',
  'ignore_unavailable',
  'expand_wildcards',
  'include_global_state',
  'partial',
  'metadata',
  'feature_states',
];
const MAX_METADATA_BYTES = 1024;

export function readSnapshotBody(body: JsonObject): SnapshotRequest {
  refuseUnknown(body, SNAPSHOT_KEYS);
  refuseFeatures(body);
  const metadata = body['metadata'] ?? null;
  if (metadata !== null && !isObject(metadata)) {
    throw illegal('malformed metadata, should be an object');
  }
  const metadataBytes = Buffer.byteLength(plainJson(metadata));
  if (metadataBytes > MAX_METADATA_BYTES) {
    throw illegal(
      `metadata must be smaller than ${MAX_METADATA_BYTES} bytes, but was [${metadataBytes}]`,
    );
  }
  return {
    indices: namesOf(body, 'indices'),
    ignoreUnavailable: flagOf(body, 'ignore_unavailable', false),
    expandWildcards: namesOf(body, 'expand_wildcards') ?? ['all'],
    includesGlobalState: flagOf(body, 'include_global_state', true),
    partial: flagOf(body, 'partial', false),
    metadata,
  };
}

export interface RestoreRequest {
  /** Empty for all indexes of the snapshot. */
  readonly indices: readonly string[];
  readonly ignoreUnavailable: boolean;
  readonly includesGlobalState: boolean;
  readonly includesAliases: boolean;
  readonly rename: (index: string) => string;
  readonly renameAlias: (alias: string) => string;
  readonly settings: JsonObject;
  readonly ignoredSettings: readonly string[];
}

const RESTORE_KEYS = [
  'indices',
  'ignore_unavailable',
  'include_global_state',
  'include_aliases',
  'partial',
  'rename_pattern',
  'rename_replacement',
  'rename_alias_pattern',
  'rename_alias_replacement',
  'index_settings',
  'ignore_index_settings',
  'feature_states',
];

export function readRestoreBody(body: JsonObject, by: IndexCopies['rename']): RestoreRequest {
  refuseUnknown(body, RESTORE_KEYS);
  refuseFeatures(body);
  const settings = body['index_settings'] ?? {};
  if (!isObject(settings)) throw illegal('malformed index_settings section');
  // Accepted without effect: a partial snapshot does not contain failed indexes, so every index in
  // it is complete.
  flagOf(body, 'partial', false);
  return {
    indices: namesOf(body, 'indices') ?? [],
    ignoreUnavailable: flagOf(body, 'ignore_unavailable', false),
    includesGlobalState: flagOf(body, 'include_global_state', false),
    includesAliases: flagOf(body, 'include_aliases', true),
    rename: renameOf(body, 'rename', by),
    renameAlias: renameOf(body, 'rename_alias', by),
    settings,
    ignoredSettings: namesOf(body, 'ignore_index_settings') ?? [],
  };
}

/** Without both members nothing is renamed, as in Elasticsearch. */
function renameOf(
  body: JsonObject,
  prefix: string,
  by: IndexCopies['rename'],
): (name: string) => string {
  const pattern = textOf(body, `${prefix}_pattern`);
  const replacement = textOf(body, `${prefix}_replacement`);
  if (pattern === undefined || replacement === undefined) return (name) => name;
  return renamer(pattern, replacement, by);
}
