// A snapshot policy: its body as in Elasticsearch, checked as a whole when it is put.
import type { JsonObject } from '../../backend/index.js';
import { resolveDateNames } from '../../base/date-names.js';
import { plainJson } from '../../base/json-text.js';
import { unprintable } from '../../base/names.js';
import { parseTime } from '../../base/units.js';
import { QuarryError } from '../../errors.js';
import { readSnapshotBody } from '../bodies.js';
import { isObject, textOf } from '../body-fields.js';
import { checkSnapshotName } from '../names.js';
import { illegal } from '../refusals.js';
import { readSchedule, type Schedule } from './schedule.js';

export interface Retention {
  readonly expireAfterMs: number | undefined;
  readonly minCount: number;
  readonly maxCount: number;
}

export interface Policy {
  readonly schedule: Schedule;
  readonly repository: string;
  /** The body of each snapshot, with the policy in its metadata. */
  readonly config: JsonObject;
  readonly retention: Retention | undefined;
  /** The name of a snapshot at a time, without the part that makes it unique. */
  readonly nameAt: (ms: number) => string;
  /** The body as it was given. */
  readonly printed: JsonObject;
}

/** The member of a snapshot's metadata that names its policy. */
export const POLICY_KEY = 'policy';
const KEYS = ['schedule', 'name', 'repository', 'config', 'retention'];
const RETENTION_KEYS = ['expire_after', 'min_count', 'max_count'];
const MAX_ID_BYTES = 255;
const FORBIDDEN_IN_ID = /[\s"*,/<>?\\|#]/;

export function checkPolicyId(id: string): void {
  const why =
    unprintable(id) ??
    (FORBIDDEN_IN_ID.test(id) ? 'must not contain blanks or any of ["*,/<>?\\|#]' : undefined) ??
    (id.startsWith('_') ? "must not start with '_'" : undefined) ??
    (Buffer.byteLength(id) > MAX_ID_BYTES ? `is longer than ${MAX_ID_BYTES} bytes` : undefined);
  if (why !== undefined) throw illegal(`invalid policy id [${id}]: it ${why}`);
}

/** `nowMs` is for a check of the names that the policy will give. */
export function readPolicyBody(id: string, body: JsonObject, nowMs: number): Policy {
  for (const key of Object.keys(body)) {
    if (!KEYS.includes(key)) {
      throw illegal(
        `policy [${id}] has the unknown member [${key}], known are [${KEYS.join(', ')}]`,
      );
    }
  }
  const name = required(id, body, 'name');
  const repository = required(id, body, 'repository');
  const nameAt = (ms: number): string => resolveDateNames(name, ms);
  checkSnapshotName(repository, `${nameAt(nowMs)}-${'x'.repeat(UNIQUE_LENGTH)}`);
  return {
    schedule: readSchedule(required(id, body, 'schedule')),
    repository,
    config: readConfig(id, body['config'] ?? {}),
    retention: readRetention(body['retention'] ?? null),
    nameAt,
    printed: body,
  };
}

/** Length of a uuid. */
const UNIQUE_LENGTH = 22;

function required(id: string, body: JsonObject, key: string): string {
  const value = textOf(body, key) ?? '';
  if (value.trim() === '') throw illegal(`policy [${id}] needs [${key}]`);
  return value;
}

function readConfig(id: string, config: unknown): JsonObject {
  if (!isObject(config as JsonObject))
    throw illegal('malformed config section, should be an object');
  const { metadata, ...others } = config as JsonObject;
  if (metadata !== undefined && metadata !== null && !isObject(metadata)) {
    throw illegal('malformed metadata, should be an object');
  }
  const entries = isObject(metadata) ? metadata : {};
  if (POLICY_KEY in entries) {
    throw illegal(
      `[config] the member [${POLICY_KEY}] of the metadata is the policy, leave it out`,
    );
  }
  const body = { ...others, metadata: { ...entries, [POLICY_KEY]: id } };
  readSnapshotBody(body);
  return body;
}

function readRetention(retention: unknown): Retention | undefined {
  if (retention === null) return undefined;
  if (!isObject(retention as JsonObject)) {
    throw illegal('malformed retention section, should be an object');
  }
  const body = retention as JsonObject;
  for (const key of Object.keys(body)) {
    if (!RETENTION_KEYS.includes(key)) {
      throw illegal(
        `[retention] unknown member [${key}], known are [${RETENTION_KEYS.join(', ')}]`,
      );
    }
  }
  const expireAfter = textOf(body, 'expire_after');
  const minCount = countOf(body, 'min_count') ?? 0;
  const maxCount = countOf(body, 'max_count') ?? Number.POSITIVE_INFINITY;
  if (minCount > maxCount) {
    throw illegal(
      `[retention] min_count [${minCount}] cannot be larger than max_count [${maxCount}]`,
    );
  }
  const expireAfterMs =
    expireAfter === undefined ? undefined : parseTime(expireAfter, 'expire_after');
  if (expireAfterMs !== undefined && expireAfterMs <= 0) {
    throw illegal(`[retention] expire_after must be longer than 0, got [${expireAfter}]`);
  }
  return { expireAfterMs, minCount, maxCount };
}

function countOf(body: JsonObject, key: string): number | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof count === 'number' && Number.isSafeInteger(count) && count > 0) return count;
  throw illegal(`[retention] ${key} must be a whole number above 0, got [${plainJson(value)}]`);
}

export function policyMissing(id: string): QuarryError {
  return new QuarryError(
    'resource_not_found_exception',
    `snapshot lifecycle policy or policies [${id}] not found`,
  );
}
