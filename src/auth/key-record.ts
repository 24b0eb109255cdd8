// API keys and their stored form. A key prints as `qk_<id>_<secret>`; only a salted scrypt hash of
// the secret is stored. Since a secret has 256 random bits, the hash does not have to slow down
// guessing; it protects the secrets if the file is stolen.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { JsonObject } from '../backend/index.js';
import { PRIVILEGES, type Privilege } from './grant.js';

export interface SecretHash {
  readonly salt: string;
  /** The scrypt cost N; r is 8 and p is 1. */
  readonly cost: number;
  /** 32 bytes in base64url, like the salt. */
  readonly hash: string;
}

export interface KeyRecord {
  readonly id: string;
  readonly name: string;
  /** Index names and patterns. */
  readonly indices: readonly string[];
  readonly privileges: readonly Privilege[];
  readonly secret: SecretHash;
  /** Milliseconds since the epoch, like the times below. */
  readonly created: number;
  readonly expires?: number;
  readonly revoked?: number;
  /** For memories: what the namespaces hold at most that the key may use. */
  readonly quota?: MemoryQuota;
}

export interface MemoryQuota {
  readonly memories?: number;
  readonly bytes?: number;
  readonly stores_per_minute?: number;
}

export const QUOTA_NAMES = ['memories', 'bytes', 'stores_per_minute'] as const;

export type NewKey = Pick<KeyRecord, 'name' | 'indices' | 'privileges' | 'expires' | 'quota'>;

/** The identity that a client claims, with the proof for it. */
export interface Credentials {
  readonly id: string;
  readonly secret: string;
}

const ID_BYTES = 8;
const SECRET_BYTES = 32;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const COST = 16_384;
const MAX_COST = 1 << 20;
const ID = /^[0-9a-f]{16}$/;
const SECRET = /^[A-Za-z0-9_-]{43}$/;
const TEXT = /^qk_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

/** The printed key, shown once and never stored. */
export function keyText({ id, secret }: Credentials): string {
  return `qk_${id}_${secret}`;
}

export function readKeyText(text: string): Credentials | undefined {
  const [, id, secret] = TEXT.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

export async function makeKey(
  wanted: NewKey,
  nowMs: number,
): Promise<{ readonly record: KeyRecord; readonly credentials: Credentials }> {
  const id = randomBytes(ID_BYTES).toString('hex');
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const salt = randomBytes(SALT_BYTES).toString('base64url');
  const hash = await derive(secret, salt, COST);
  const record = {
    id,
    ...wanted,
    secret: { salt, cost: COST, hash: hash.toString('base64url') },
    created: nowMs,
  };
  return { record, credentials: { id, secret } };
}

/** Computed on another thread; takes tens of milliseconds. */
export async function isSecretOf(record: KeyRecord, secret: string): Promise<boolean> {
  const { salt, cost, hash } = record.secret;
  const derived = await derive(secret, salt, cost);
  const kept = Buffer.from(hash, 'base64url');
  return kept.length === derived.length && timingSafeEqual(kept, derived);
}

function derive(secret: string, salt: string, cost: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N: cost, r: 8, p: 1, maxmem: 2 * 128 * 8 * cost };
    const bytes = Buffer.from(salt, 'base64url');
    scrypt(secret, bytes, HASH_BYTES, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

/** Throws a description of what is wrong with the record. */
export function readRecord(value: unknown): KeyRecord {
  const { id, name, indices, privileges, secret, created, expires, revoked, quota } =
    objectOf(value);
  const { salt, cost, hash } = objectOf(secret);
  const isFit =
    typeof id === 'string' &&
    ID.test(id) &&
    typeof name === 'string' &&
    isTexts(indices) &&
    isTexts(privileges) &&
    typeof salt === 'string' &&
    typeof hash === 'string' &&
    isTime(created) &&
    isCost(cost) &&
    (quota === undefined || isQuota(quota));
  if (!isFit) throw new Error('it holds a key that is not whole');
  return {
    id,
    name,
    indices,
    privileges: PRIVILEGES.filter((one) => privileges.includes(one)),
    secret: { salt, cost, hash },
    created,
    ...(isTime(expires) ? { expires } : {}),
    ...(isTime(revoked) ? { revoked } : {}),
    ...(isQuota(quota) ? { quota } : {}),
  };
}

function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Whole numbers from 1 on under known names; others could limit what this version does not. */
function isQuota(value: unknown): value is MemoryQuota {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([name, limit]) =>
      (QUOTA_NAMES as readonly string[]).includes(name) && isTime(limit) && limit >= 1,
  );
}

/** A power of two, small enough that scrypt needs little memory. */
function isCost(value: unknown): value is number {
  return isTime(value) && value >= 2 && value <= MAX_COST && (value & (value - 1)) === 0;
}
