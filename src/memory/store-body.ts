// Reads the body of a store and checks its required and optional members. After this, a store can
// fail only because of what the index holds.
import type { Json, JsonObject } from '../backend/index.js';
import { checkId, illegal } from '../graph/names.js';
import { readTime, shown } from '../graph/times.js';
import {
  isAbsent,
  missing,
  readFlag,
  readIds,
  readMetadata,
  readShare,
  readText,
  readVector,
  refuseUnknown,
} from './body-fields.js';
import {
  type MetadataNames,
  ownTimeOf,
  type SaidFields,
  saidFields,
  sessionOf,
} from './context/said.js';

export interface StoreRequest {
  readonly text: string | undefined;
  readonly metadata: JsonObject | undefined;
  readonly vector: readonly number[] | undefined;
  /** Undefined: the server generates one. */
  readonly id: string | undefined;
  readonly dedup: boolean;
  readonly dedupThreshold: number;
  readonly supersedes: readonly string[];
  /** Epoch milliseconds; the same for the next member. */
  readonly expiresAt: number | undefined;
  /** Time from the metadata at which it was said or became true. */
  readonly ownTime: number | undefined;
  /** Session from the metadata. */
  readonly session: string | undefined;
  readonly said: SaidFields;
}

const KEYS = [
  'text',
  'metadata',
  'vector',
  'id',
  'dedup',
  'dedup_threshold',
  'supersedes',
  'expires_at',
];
const DEFAULT_THRESHOLD = 0.95;
const MAX_SUPERSEDED = 100;

/** `names`: the members of the metadata that have a meaning. */
export function readStoreBody(body: JsonObject, names: MetadataNames): StoreRequest {
  refuseUnknown(body, KEYS, 'a memory');
  const text = readText(body, 'text');
  const vector = readVector(body, 'vector');
  const written = text === undefined || text.trim() === '' ? undefined : text;
  if (written === undefined && vector === undefined) {
    const blank = text === undefined ? '' : ', [text] is blank';
    throw missing(`a memory needs [text] or [vector]${blank}`);
  }
  const id = readId(body['id']);
  const supersedes = readIds(body['supersedes'], 'supersedes', MAX_SUPERSEDED) ?? [];
  if (id !== undefined && supersedes.includes(id)) {
    throw illegal(`[supersedes] names ${shown(id)}, the memory itself; it replaces others only`);
  }
  const metadata = readMetadata(body);
  const expires = body['expires_at'];
  return {
    text: written,
    metadata,
    vector,
    id,
    dedup: readFlag(body, 'dedup') ?? false,
    dedupThreshold: readShare(body, 'dedup_threshold') ?? DEFAULT_THRESHOLD,
    supersedes,
    expiresAt: isAbsent(expires) ? undefined : readTime(expires, 'expires_at'),
    ownTime: metadata === undefined ? undefined : ownTimeOf(metadata, names),
    session: sessionOf(metadata, names),
    said: saidFields(written, metadata, names),
  };
}

function readId(value: Json | undefined): string | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value !== 'string') throw illegal(`[id] must be a string, got ${shown(value)}`);
  checkId(value, 'id');
  if (value === '.' || value === '..') {
    throw illegal(`[id] must not be [.] or [..], which addresses cannot name, got ${shown(value)}`);
  }
  if (value.startsWith('_')) {
    throw illegal(`[id] must not start with [_], which names operations, got ${shown(value)}`);
  }
  return value;
}
