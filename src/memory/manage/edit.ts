// Changes a stored memory: its text, metadata, expiry or vector. The version that was there is kept
// in the document (versions.ts), so that a change is one write.
import type { Json, JsonObject } from '../../backend/index.js';
import { runCooperatively } from '../../base/cooperative-task.js';
import { plainJson } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';
import { illegal } from '../../graph/names.js';
import { readTime } from '../../graph/times.js';
import {
  isObject,
  missing,
  readMetadata,
  readObject,
  readText,
  readVector,
  refuseUnknown,
} from '../body-fields.js';
import { type MetadataNames, ownTimeOf, saidFields, sessionOf } from '../context/said.js';
import { fingerprintOf } from '../duplicates.js';
import { seenAs } from '../intent.js';
import { type MemoryEntry, readDocument, readEntry } from '../memory-entry.js';
import { memoryIndex } from '../names.js';
import type { NamespaceSettings } from '../settings.js';
import type { MemoryDeps } from '../store.js';
import { presentMoment, whyUnseen } from '../visible.js';
import { writeMemory } from '../write-memory.js';
import { checkMemoryId } from './get.js';
import { HISTORY, type Version, versionsOf, withVersion } from './versions.js';

/** Undefined: the member stays; null: it is removed. */
export interface EditRequest {
  readonly text: string | undefined;
  /** A merge patch (RFC 7396) of the metadata. */
  readonly metadata: JsonObject | null | undefined;
  readonly vector: readonly number[] | null | undefined;
  /** Epoch milliseconds. */
  readonly expiresAt: number | null | undefined;
}

export interface EditAnswer {
  readonly id: string;
  readonly namespace: string;
  readonly found: boolean;
  /** False: the memory has these values already, or is not there. */
  readonly edited: boolean;
  /** Number of earlier versions that are kept. */
  readonly versions?: number;
  /** Members of the metadata that no filter finds. */
  readonly not_indexed?: readonly string[];
}

const KEYS = ['text', 'metadata', 'vector', 'expires_at'];
/** Attempts at a memory that concurrent writers keep changing. */
const ATTEMPTS = 10;

export function readEditBody(body: JsonObject): EditRequest {
  refuseUnknown(body, KEYS, 'a change of a memory');
  if (Object.keys(body).length === 0) {
    throw missing(`a change of a memory needs some of [${KEYS.join(', ')}]`);
  }
  const { metadata, vector, expires_at } = body;
  return {
    text: body['text'] === undefined ? undefined : readNewText(body),
    metadata: metadata === null ? null : readObject(body, 'metadata'),
    vector: vector === null ? null : readVector(body, 'vector'),
    expiresAt:
      expires_at === undefined || expires_at === null
        ? expires_at
        : readTime(expires_at, 'expires_at'),
  };
}

function readNewText(body: JsonObject): string {
  const text = readText(body, 'text');
  if (text !== undefined && text.trim() !== '') return text;
  const what = text === undefined ? 'null' : 'blank';
  throw illegal(`[text] is ${what}, a memory keeps a text; send the new one, or forget the memory`);
}

export async function editMemory(
  deps: MemoryDeps,
  namespace: string,
  id: string,
  request: EditRequest,
): Promise<EditAnswer> {
  checkMemoryId(id);
  if (!deps.backend.exists(memoryIndex(namespace), {})) {
    return { id, namespace, found: false, edited: false };
  }
  const settings = await deps.settings.of(namespace);
  const { expiresAt } = request;
  // Before the turn is taken, because a sweep of expired memories takes one, too.
  const noted =
    typeof expiresAt === 'number' ? await deps.expiry.note(namespace, expiresAt) : undefined;
  let answer: EditAnswer;
  try {
    answer = await deps.turns.take(namespace, () =>
      editWithRetry(deps, namespace, settings, id, request),
    );
  } finally {
    noted?.();
  }
  if (settings.detect && answer.edited && request.text !== undefined) {
    await deps.graph.detectOnStore(namespace, [id]);
  }
  return answer;
}

/** Writes are conditional: a memory that was stored again meanwhile is read and changed again. */
async function editWithRetry(
  deps: MemoryDeps,
  namespace: string,
  settings: NamespaceSettings,
  id: string,
  request: EditRequest,
): Promise<EditAnswer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await editOnce(deps, namespace, settings, id, request);
    } catch (error) {
      const isConflict = error instanceof QuarryError && error.status === 409;
      if (!isConflict || attempt === ATTEMPTS) throw error;
    }
  }
}

async function editOnce(
  deps: MemoryDeps,
  namespace: string,
  settings: NamespaceSettings,
  id: string,
  request: EditRequest,
): Promise<EditAnswer> {
  const { backend, sessions, names } = deps;
  const index = memoryIndex(namespace);
  const moment = await presentMoment(deps, namespace);
  const there = await backend.get({ index, id, source: true });
  const before = readEntry(there.source);
  const isGone = there.source === undefined || whyUnseen(before, moment) === 'expired';
  if (isGone) return { id, namespace, found: false, edited: false };
  const after = changed(before, withinRetention(before, request, settings));
  const document = readDocument(there.source);
  const versions = versionsOf(document);
  if (isSame(before, after)) {
    return { id, namespace, found: true, edited: false, versions: versions.length };
  }
  const from = numberAt(document, 'edited_at') ?? before.stored_at ?? moment.present;
  const until = Math.max(moment.present, from);
  const { text, metadata, expires_at } = before;
  const history = withVersion(versions, { text, metadata, expires_at, from, until });
  const fingerprint =
    after.text === null
      ? undefined
      : await runCooperatively(fingerprintOf(deps.hash128, after.text));
  const session = sessionOf(after.metadata ?? undefined, names);
  const { unindexed } = await writeMemory(backend, {
    namespace,
    index,
    id,
    document: documentOf(document, after, {
      fingerprint,
      session,
      names,
      editedAt: until,
      history,
    }),
    metadata: after.metadata ?? undefined,
    vectorDims: after.vector?.length,
    guard: seenAs(there),
    retired: [],
    links: '',
  });
  if (session !== document['session']) {
    const [description] = backend.resolve(index, {});
    if (description !== undefined) sessions.forget(description.number);
  }
  return {
    id,
    namespace,
    found: true,
    edited: true,
    versions: history.length,
    ...(unindexed.length === 0 ? {} : { not_indexed: unindexed }),
  };
}

/** A new end is not later than the retention of the namespace gives. */
function withinRetention(
  { stored_at }: MemoryEntry,
  request: EditRequest,
  { retention_ms }: NamespaceSettings,
): EditRequest {
  const { expiresAt } = request;
  if (retention_ms === undefined || expiresAt === undefined || stored_at === null) return request;
  const end = stored_at + retention_ms;
  return { ...request, expiresAt: Math.min(expiresAt ?? end, end) };
}

type Content = Pick<MemoryEntry, 'text' | 'metadata' | 'vector' | 'expires_at'>;

function changed(before: MemoryEntry, request: EditRequest): Content {
  const { text = before.text, vector = before.vector, expiresAt = before.expires_at } = request;
  if (text !== before.text && before.vector !== null && request.vector === undefined) {
    throw illegal(
      '[text] changes and the memory has a [vector] of the earlier one: send the new [vector], or null to remove it',
    );
  }
  if (text === null && vector === null) {
    throw illegal('[vector] is null and the memory has no [text]; send one, or forget the memory');
  }
  const metadata =
    request.metadata === undefined ? before.metadata : patched(before.metadata, request.metadata);
  if (metadata !== null) readMetadata({ metadata });
  return { text, vector, metadata, expires_at: expiresAt };
}

/** Null where nothing is left. */
function patched(before: JsonObject | null, patch: JsonObject | null): JsonObject | null {
  if (patch === null) return null;
  const merged = mergePatch(before ?? {}, patch);
  return Object.keys(merged).length === 0 ? null : merged;
}

/** RFC 7396: null removes a member, objects are merged, every other value replaces. */
export function mergePatch(before: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map<string, Json>(Object.entries(before));
  for (const [key, value] of Object.entries(patch)) {
    const there = merged.get(key);
    if (value === null) merged.delete(key);
    else if (isObject(value)) merged.set(key, mergePatch(isObject(there) ? there : {}, value));
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

function isSame(before: MemoryEntry, after: Content): boolean {
  return (['text', 'metadata', 'vector', 'expires_at'] as const).every(
    (key) => plainJson(before[key]) === plainJson(after[key]),
  );
}

interface Derived {
  readonly fingerprint: string | undefined;
  readonly session: string | undefined;
  readonly names: MetadataNames;
  readonly editedAt: number;
  readonly history: readonly Version[];
}

/** The document without its metadata. Members that no request writes stay. */
function documentOf(
  before: JsonObject,
  { text, vector, metadata, expires_at }: Content,
  { fingerprint, session, names, editedAt, history }: Derived,
): JsonObject {
  const own = metadata === null ? undefined : ownTimeOf(metadata, names);
  const said = saidFields(text ?? undefined, metadata ?? undefined, names);
  const document = new Map<string, Json | undefined>(Object.entries(before));
  document.delete('metadata');
  document.delete('unindexed');
  document.set('text', text ?? undefined);
  document.set('vector', vector ?? undefined);
  document.set('fingerprint', fingerprint);
  document.set('session', session);
  document.set('said_by', said.said_by);
  document.set('said_on', said.said_on);
  document.set('own_time', own ?? numberAt(before, 'stored_at'));
  document.set('expires_at', expires_at ?? undefined);
  document.set('edited_at', editedAt);
  document.set(HISTORY, history.map(asMember));
  const there = [...document].filter((member): member is [string, Json] => member[1] !== undefined);
  return Object.fromEntries(there);
}

function asMember({ text, metadata, expires_at, from, until }: Version): JsonObject {
  return {
    ...(text === null ? {} : { text }),
    ...(metadata === null ? {} : { metadata }),
    ...(expires_at === null ? {} : { expires_at }),
    from,
    until,
  };
}

function numberAt(document: JsonObject, key: string): number | undefined {
  const value = document[key];
  return typeof value === 'number' ? value : undefined;
}
