// Parses the bodies of repositories. The settings have the names of Elasticsearch; one that is not
// known is refused by name, and so is a key, which belongs into the environment of the server.
import type { JsonObject } from '../backend/index.js';
import { asText } from '../base/json-text.js';
import { parseSize } from '../base/units.js';
import { QuarryError } from '../errors.js';
import { flagOf, isObject } from './body-fields.js';
import { illegal, repositoryError } from './refusals.js';
import { readPlace, type S3Place } from './s3/place.js';

/** Where the files of a repository are. */
export type RepositoryPlace =
  | { readonly type: 'fs' /** As it was given. */; readonly location: string }
  | { readonly type: 's3'; readonly place: S3Place; readonly partBytes: number };

export interface RepositorySettings {
  readonly place: RepositoryPlace;
  readonly readonly: boolean;
  /** Bytes per second; undefined for the rate of the configuration. */
  readonly snapshotRate: number | undefined;
  readonly restoreRate: number | undefined;
  readonly maxSnapshots: number;
  /** The settings in the form in which they are printed. */
  readonly printed: Settings;
}

type Settings = { readonly [key: string]: string };

const COMMON = [
  'readonly',
  'compress',
  'max_snapshot_bytes_per_sec',
  'max_restore_bytes_per_sec',
  'max_number_of_snapshots',
];
const SETTINGS: Readonly<Record<RepositoryPlace['type'], readonly string[]>> = {
  fs: ['location', ...COMMON],
  s3: [
    'bucket',
    'base_path',
    'endpoint',
    'region',
    'path_style_access',
    'buffer_size',
    'client',
    ...COMMON,
  ],
};
/** Why settings of Elasticsearch are not supported. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['access_key', 'secret_key', 'session_token'].map((key) => [
      key,
      'keys are never stored in a repository, give them to the server by its environment: [AWS_ACCESS_KEY_ID] and [AWS_SECRET_ACCESS_KEY]',
    ]),
  ),
  chunk_size: 'files are not split, large ones are uploaded in parts of [buffer_size]',
  protocol: 'write it into [endpoint], as in [http://s3.example.com]',
};
const DEFAULT_MAX_SNAPSHOTS = 500;
const MIB = 1024 * 1024;
const DEFAULT_PART_BYTES = 8 * MIB;
/** The smallest part that S3 takes. */
const MIN_PART_BYTES = 5 * MIB;
/** A part is held in memory. */
const MAX_PART_BYTES = 100 * MIB;

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
  if (type !== 'fs' && type !== 's3') {
    throw repositoryError(
      name,
      `repository type [${asText(type)}] does not exist, there are [fs, s3]`,
      400,
    );
  }
  if (!isObject(settings)) throw illegal('malformed settings section, should be an object');
  return readSettings(name, type, settings);
}

function readSettings(
  name: string,
  type: RepositoryPlace['type'],
  settings: JsonObject,
): RepositorySettings {
  const printed: Record<string, string> = {};
  for (const [key, value] of Object.entries(settings)) {
    if (!SETTINGS[type].includes(key)) throw unsupportedSetting(name, type, key);
    if (value === null) continue;
    if (typeof value === 'object') throw illegal(`setting [${key}] must be a plain value`);
    printed[key] = asText(value);
  }
  const place = type === 'fs' ? readFolder(name, printed) : readBucket(name, printed);
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
    place,
    readonly: flagOf(printed, 'readonly', false),
    snapshotRate: rateOf(printed, 'max_snapshot_bytes_per_sec'),
    restoreRate: rateOf(printed, 'max_restore_bytes_per_sec'),
    maxSnapshots: most === undefined ? DEFAULT_MAX_SNAPSHOTS : Number(most),
    printed,
  };
}

function readFolder(name: string, { location }: Settings): RepositoryPlace {
  if (location === undefined || location === '') {
    throw repositoryError(name, 'missing location', 400);
  }
  return { type: 'fs', location };
}

function readBucket(name: string, settings: Settings): RepositoryPlace {
  const { bucket, base_path: basePath, endpoint, region, client = 'default' } = settings;
  if (bucket === undefined || bucket === '') {
    throw repositoryError(name, 'No bucket defined for s3 repository', 400);
  }
  if (client !== 'default') {
    throw illegal(
      `setting [client] must be [default], got [${client}]: there is one pair of keys, that of the environment`,
    );
  }
  const pathStyle = flagOf(settings, 'path_style_access', false);
  const place = readPlace({ bucket, basePath, endpoint, region, pathStyle });
  return { type: 's3', place, partBytes: partBytesOf(settings) };
}

function partBytesOf({ buffer_size: size }: Settings): number {
  if (size === undefined) return DEFAULT_PART_BYTES;
  const bytes = parseSize(size, 'buffer_size');
  if (bytes >= MIN_PART_BYTES && bytes <= MAX_PART_BYTES) return bytes;
  throw illegal(
    `failed to parse value [${size}] for setting [buffer_size], must be >= [5mb] and <= [100mb]`,
  );
}

/** Undefined if absent. */
function rateOf(settings: Settings, key: string): number | undefined {
  const rate = settings[key];
  return rate === undefined ? undefined : Math.max(0, parseSize(rate, key));
}

function unsupportedSetting(name: string, type: RepositoryPlace['type'], key: string): QuarryError {
  const why = UNSUPPORTED[key] ?? `known are [${SETTINGS[type].join(', ')}]`;
  return repositoryError(name, `setting [${key}] is not supported by type [${type}], ${why}`, 400);
}
