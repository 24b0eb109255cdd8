// Parses the bodies of repositories, snapshots and restores; everything is validated before
// anything is done.

import type { IndexCopies, JsonObject } from '../backend/index.js';
import { asText, plainJson } from '../base/json-text.js';
import { parseSize } from '../base/units.js';
import { QuarryError } from '../errors.js';
import { flagOf, isObject, namesOf, refuseFeatures, refuseUnknown, textOf } from './body-fields.js';
import { illegal, repositoryError } from './refusals.js';
import { renamer } from './rename.js';

export interface RepositorySettings {
  /** The location as it was given. */
  readonly location: string;
  readonly readonly: boolean;
  /** Bytes per second; undefined for the rate of the configuration. */
  readonly snapshotRate: number | undefined;
  readonly restoreRate: number | undefined;
  readonly maxSnapshots: number;
  /** The settings in the form in which they are printed. */
  readonly printed: { readonly [key: string]: string };
}

const SETTINGS = [
  'location',
  'readonly',
  'compress',
  'max_snapshot_bytes_per_sec',
  'max_restore_bytes_per_sec',
  'max_number_of_snapshots',
];
const DEFAULT_MAX_SNAPSHOTS = 500;

/** `name` is the repository in error messages. */
export function readRepositoryBody(name: string, body: JsonObject): RepositorySettings {
  const { type, settings = {}, uuid: _uuid, ...others } = body;
  for (const key of Object.keys(others)) {
    throw illegal(`Unknown parameter [${key}], known are [type, settings]`);
  }
  if (type === undefined || type === null) {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: type is missing;',
    );
  }
  if (type !== 'fs') {
    throw repositoryError(
      name,
      `repository type [${asText(type)}] does not exist, there is [fs]`,
      400,
    );
  }
  if (!isObject(settings)) throw illegal('malformed settings section, should be an object');
  return readSettings(name, settings);
}

function readSettings(name: string, settings: JsonObject): RepositorySettings {
  const printed: Record<string, string> = {};
  for (const [key, value] of Object.entries(settings)) {
    if (!SETTINGS.includes(key)) {
      throw repositoryError(
        name,
        `setting [${key}] is not supported by type [fs], known are [${SETTINGS.join(', ')}]`,
        400,
      );
    }
    if (value === null) continue;
    if (typeof value === 'object') throw illegal(`setting [${key}] must be a plain value`);
    printed[key] = asText(value);
  }
  const { location } = printed;
  if (location === undefined || location === '') {
    throw repositoryError(name, 'missing location', 400);
  }
  const rate = (key: string): number | undefined =>
    printed[key] === undefined ? undefined : Math.max(0, parseSize(printed[key], key));
  const most = printed['max_number_of_snapshots'];
  if (most !== undefined && !/^[1-9]\d{0,8}$/.test(most)) {
    throw illegal(
      `Failed to parse value [${most}] for setting [max_number_of_snapshots] must be >= 1`,
    );
  }
  // Accepted without effect, because stored files are already compressed; Elasticsearch does not
  // compress data files either.
  flagOf(printed, 'compress', true);
  return {
    location,
    readonly: flagOf(printed, 'readonly', false),
    snapshotRate: rate('max_snapshot_bytes_per_sec'),
    restoreRate: rate('max_restore_bytes_per_sec'),
    maxSnapshots: most === undefined ? DEFAULT_MAX_SNAPSHOTS : Number(most),
    printed,
  };
}

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
