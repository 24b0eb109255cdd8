// Stores a memory: checks for a duplicate on request, supersedes the memories that it names, and
// links it to the previous memory of its session.
import type { Backend, JsonObject } from '../backend/index.js';
import type { BuiltinId } from '../base/builtin-embedders.js';
import { runCooperatively } from '../base/cooperative-task.js';
import { plainJson } from '../base/json-text.js';
import type { Turn, Turns } from '../base/keyed-queue.js';
import { QuarryError } from '../errors.js';
import type { NewLink } from '../graph/assert-links.js';
import { EDGES_BODY, ensureIndex } from '../graph/edges-index.js';
import type { Graph } from '../graph/graph.js';
import { edgesIndex } from '../graph/names.js';
import type { MemoryFields } from './context/memory-fields.js';
import { type MetadataNames, sessionOf } from './context/said.js';
import {
  type Draft,
  type DuplicateSearch,
  fingerprintOf,
  type Likeness,
  mostAlike,
} from './duplicates.js';
import type { Expiry } from './expiry.js';
import type { StoreIntent } from './intent.js';
import type { Intents } from './intents.js';
import type { KeyQuota, Quotas, StoreSize } from './manage/quotas.js';
import type { RecallCounts } from './manage/recall-counts.js';
import { readEntry, supersededSource } from './memory-entry.js';
import { memoryBody, TEXT_DIMS } from './memory-index.js';
import { memoryIndex } from './names.js';
import type { NamespaceStats } from './namespace-stats.js';
import type { Sessions } from './sessions.js';
import { builtinOf, type NamespaceSettings, type SettingsStore } from './settings.js';
import type { StoreRequest } from './store-body.js';
import { presentMoment } from './visible.js';
import { type MemoryWrite, refusalOf, writeMemory } from './write-memory.js';

export interface MemoryDeps {
  readonly backend: Backend;
  readonly graph: Graph;
  readonly settings: SettingsStore;
  readonly sessions: Sessions;
  readonly namespaceStats: NamespaceStats;
  readonly expiry: Expiry;
  readonly intents: Intents;
  readonly turns: Turns;
  readonly quotas: Quotas;
  readonly recallCounts: RecallCounts;
  readonly maxForgotten?: number | undefined;
  readonly names: MetadataNames;
  readonly fields: MemoryFields;
  readonly hash128: (bytes: Uint8Array) => Uint8Array;
  /**
   * The vector of a text with `dims` dimensions, by the built-in embedder; zeros for a text without
   * content words.
   */
  readonly embed: (text: string, dims: number, embedder: BuiltinId) => Float32Array;
  readonly newId: () => string;
  /** Wall clock, epoch milliseconds. */
  readonly nowMs: () => number;
}

const FLOAT_BYTES = 4;

export interface StoreAnswer {
  readonly id: string;
  readonly namespace: string;
  readonly created: boolean;
  readonly deduplicated?: true;
  /** Set for a duplicate: the cosine. */
  readonly score?: number;
  /** A memory as similar as a duplicate, which differs in these words. */
  readonly near_duplicate_of?: {
    readonly id: string;
    readonly similarity: number;
    readonly differing_words: {
      readonly ours: readonly string[];
      readonly theirs: readonly string[];
    };
  };
  readonly superseded?: readonly string[];
  /** The previous memory of its session. */
  readonly follows?: string;
  /**
   * Members of the metadata that no filter finds, because their names are mapped with another
   * shape.
   */
  readonly not_indexed?: readonly string[];
}

export async function store(
  deps: MemoryDeps,
  namespace: string,
  given: StoreRequest,
  key?: KeyQuota,
): Promise<StoreAnswer> {
  const settings = await deps.settings.of(namespace);
  const admitted = await deps.quotas.admit(namespace, settings.quota, key, sizeOf(given));
  try {
    const request = withRetention(given, settings, deps.nowMs());
    return await storeAdmitted(deps, namespace, settings, request);
  } finally {
    admitted();
  }
}

async function storeAdmitted(
  deps: MemoryDeps,
  namespace: string,
  settings: NamespaceSettings,
  request: StoreRequest,
): Promise<StoreAnswer> {
  const index = memoryIndex(namespace);
  const [replaced] = request.supersedes;
  if (replaced !== undefined && !deps.backend.exists(index, {})) throw unknown(namespace, replaced);
  await ensureIndex(deps.backend, index, memoryBody(settings));
  const linked = settings.link_sessions && request.session !== undefined;
  const alone = request.dedup || linked || request.supersedes.length > 0;
  const work = (turn?: Turn): Promise<StoreAnswer> =>
    storeNow(deps, namespace, settings, request, linked, turn);
  // Before the turn is taken, because a sweep of expired memories takes one, too.
  const { expiresAt } = request;
  const stored = expiresAt === undefined ? undefined : await deps.expiry.note(namespace, expiresAt);
  let answer: StoreAnswer;
  try {
    answer = await (alone ? deps.turns.take(namespace, work) : work());
  } finally {
    stored?.();
  }
  if (settings.detect && answer.deduplicated === undefined) {
    await deps.graph.detectOnStore(namespace, [answer.id]);
  }
  return answer;
}

/** What a quota counts: an estimate of the bytes of the document. */
export function sizeOf({ id, text, metadata, vector }: StoreRequest): StoreSize {
  const chars = (text?.length ?? 0) + (metadata === undefined ? 0 : plainJson(metadata).length);
  return { id, bytes: chars + FLOAT_BYTES * (vector?.length ?? 0) };
}

/** The request with the end that the namespace's retention gives it. */
export function withRetention(
  request: StoreRequest,
  { retention_ms }: NamespaceSettings,
  now: number,
): StoreRequest {
  if (retention_ms === undefined) return request;
  const end = now + retention_ms;
  return { ...request, expiresAt: Math.min(request.expiresAt ?? end, end) };
}

async function storeNow(
  deps: MemoryDeps,
  namespace: string,
  settings: NamespaceSettings,
  request: StoreRequest,
  linked: boolean,
  turn?: Turn,
): Promise<StoreAnswer> {
  const { backend, sessions } = deps;
  const session = linked ? request.session : undefined;
  const index = memoryIndex(namespace);
  const moment = await presentMoment(deps, namespace);
  const now = moment.present;
  const fingerprint =
    request.text === undefined
      ? undefined
      : await runCooperatively(fingerprintOf(deps.hash128, request.text));
  const draft = { ...request, fingerprint };
  const alike = request.dedup
    ? await findAlike(deps, settings, index, draft, { moment, leastCosine: request.dedupThreshold })
    : undefined;
  if (alike !== undefined && alike.similarity >= request.dedupThreshold) {
    const { id, similarity: score } = alike;
    return { id, namespace, created: false, deduplicated: true, score };
  }
  // An earlier turn's memory has no links, nor an id that a client gave.
  const isAlone = session === undefined && request.supersedes.length === 0;
  const shared = isAlone && request.id === undefined ? turn : undefined;
  const id = request.id ?? shared?.takeId() ?? deps.newId();
  const number = backend.resolve(index, {})[0]?.number ?? -1;
  const ownTime = request.ownTime ?? now;
  const [retired, before, replaced] = await Promise.all([
    findSuperseded(backend, namespace, index, request.supersedes, ownTime, now),
    session === undefined
      ? undefined
      : sessionsOf(deps, index, request.id === undefined ? [] : [request.id]).then((there) =>
          findBefore(deps, { index, number, session, id: request.id }, there),
        ),
    request.supersedes.length > 0 && request.id !== undefined
      ? sourceOf(backend, index, request.id)
      : undefined,
  ]);
  const links = linksOf(id, request, before, Math.min(ownTime, now));
  const write: MemoryWrite = {
    namespace,
    index,
    id,
    isNew: request.id === undefined,
    document: documentOf(draft, ownTime, now),
    metadata: request.metadata,
    vectorDims: request.vector?.length,
    before: replaced,
    retired: retired.filter(isChanged),
    links: await linkLines(deps, namespace, links, now),
  };
  const { created, unindexed } =
    request.supersedes.length === 0
      ? await writeMemory(backend, write)
      : await deps.intents.during(intentOf(write, retired, now), () => writeMemory(backend, write));
  if (shared?.isInherited === true && !(await isStoredAt(backend, index, id, now))) {
    // The memory of the earlier turn, which may be a duplicate.
    shared.dropId();
    return storeNow(deps, namespace, settings, request, linked);
  }
  if (session !== undefined) sessions.stored(number, session, id);
  else if (!created) sessions.forget(number);
  return {
    id,
    namespace,
    created,
    ...(isNear(alike, request) ? { near_duplicate_of: nearOf(alike) } : {}),
    ...(request.supersedes.length === 0 ? {} : { superseded: request.supersedes }),
    ...(before === undefined ? {} : { follows: before }),
    ...(unindexed.length === 0 ? {} : { not_indexed: unindexed }),
  };
}

async function findAlike(
  { backend, embed: built }: MemoryDeps,
  settings: NamespaceSettings,
  index: string,
  draft: Draft,
  scope: Pick<DuplicateSearch, 'moment' | 'leastCosine'>,
): Promise<Likeness | undefined> {
  await backend.publish(index);
  const { dims = TEXT_DIMS } = settings;
  const embedder = builtinOf(settings);
  const embed = embedder && ((text: string) => built(text, dims, embedder));
  return mostAlike({ ...scope, backend, index, embed }, draft);
}

function isNear(alike: Likeness | undefined, request: StoreRequest): alike is Likeness {
  return alike?.difference !== undefined && alike.cosine >= request.dedupThreshold;
}

function nearOf({ id, cosine, difference }: Likeness): StoreAnswer['near_duplicate_of'] & object {
  return {
    id,
    similarity: cosine,
    differing_words: difference ?? { ours: [], theirs: [] },
  };
}

export function documentOf(
  { text, vector, fingerprint, expiresAt, session, said }: StoreRequest & Draft,
  own_time: number,
  stored_at: number,
): JsonObject {
  return {
    ...(text === undefined ? {} : { text }),
    ...(vector === undefined ? {} : { vector }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(session === undefined ? {} : { session }),
    ...said,
    stored_at,
    own_time,
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  };
}

function intentOf(
  { namespace, id, links }: MemoryWrite,
  retired: readonly SupersededMemory[],
  now: number,
): StoreIntent {
  const ends = retired.filter(isChanged).map(({ id: old, end }) => {
    return { id: old, invalid_at: end, superseded_at: now };
  });
  return { namespace, id, stored_at: now, retired: ends, links };
}

interface SupersededMemory {
  readonly id: string;
  readonly before: string;
  readonly after: string;
  /** When it ceased to be true. */
  readonly end: number;
}

/**
 * The documents of the superseded memories, before and after. One that was superseded earlier keeps
 * its end.
 */
async function findSuperseded(
  backend: Backend,
  namespace: string,
  index: string,
  ids: readonly string[],
  ownTime: number,
  now: number,
): Promise<readonly SupersededMemory[]> {
  if (ids.length === 0) return [];
  const found = await backend.mget(ids.map((id) => ({ index, id, source: true })));
  return ids.map((id, i) => {
    const document = found[i];
    const source = document !== undefined && 'source' in document ? document.source : undefined;
    if (source === undefined) throw unknown(namespace, id);
    const before = Buffer.from(source).toString('utf8');
    const entry = readEntry(source);
    if (entry.invalid_at !== null) return { id, before, after: before, end: entry.invalid_at };
    // It ends when the new one begins, but not before its own beginning.
    const end = Math.max(ownTime, entry.own_time ?? ownTime);
    return { id, before, after: supersededSource(source, end, now), end };
  });
}

/** Whether the memory is the one that was stored at that time, which no other turn has. */
async function isStoredAt(
  backend: Backend,
  index: string,
  id: string,
  storedAt: number,
): Promise<boolean> {
  const { source } = await backend.get({ index, id, source: true });
  return source !== undefined && readEntry(source).stored_at === storedAt;
}

async function sourceOf(backend: Backend, index: string, id: string): Promise<string | undefined> {
  const { source } = await backend.get({ index, id, source: true });
  return source === undefined ? undefined : Buffer.from(source).toString('utf8');
}

function unknown(namespace: string, id: string): QuarryError {
  return new QuarryError(
    'resource_not_found_exception',
    `[supersedes] names [${id}], and namespace [${namespace}] has no such memory; nothing was stored`,
    { extra: { 'resource.type': 'memory', 'resource.id': id } },
  );
}

function isChanged({ before, after }: SupersededMemory): boolean {
  return before !== after;
}

/** The sessions of the stored memories among these, by id. */
export async function sessionsOf(
  { backend, names }: Pick<MemoryDeps, 'backend' | 'names'>,
  index: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const source = { includes: ['metadata', 'unindexed'], excludes: [] };
  const found = await backend.mget(ids.map((id) => ({ index, id, source })));
  const sessions = new Map<string, string>();
  for (const [i, one] of found.entries()) {
    if ('error' in one) throw refusalOf(one);
    const { metadata } = readEntry(one.source);
    const session = one.found ? sessionOf(metadata ?? undefined, names) : undefined;
    if (session !== undefined) sessions.set(ids[i] ?? '', session);
  }
  return sessions;
}

export interface SessionPlace {
  readonly index: string;
  /** Of the index. */
  readonly number: number;
  readonly session: string;
  /** Undefined: the memory gets a new one. */
  readonly id: string | undefined;
}

/**
 * The memory that the new one follows; undefined if a memory of the same id was in the session
 * already. `there`: sessionsOf() its id.
 */
export async function findBefore(
  { backend, sessions }: Pick<MemoryDeps, 'backend' | 'sessions'>,
  { index, number, session, id }: SessionPlace,
  there: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  if (id !== undefined && there.get(id) === session) return undefined;
  return sessions.last(backend, index, number, session, id);
}

export function linksOf(
  id: string,
  { supersedes }: StoreRequest,
  before: string | undefined,
  validAt: number,
): readonly NewLink[] {
  const replaced = supersedes.map((dst) => ({ dst, type: 'supersedes', detector: 'store@1' }));
  const followed =
    before === undefined ? [] : [{ dst: before, type: 'follows', detector: 'session@1' }];
  return [...replaced, ...followed].map((link) => ({ ...link, src: id, validAt }));
}

export async function linkLines(
  { backend, graph }: MemoryDeps,
  namespace: string,
  links: readonly NewLink[],
  now: number,
): Promise<MemoryWrite['links']> {
  if (links.length === 0) return '';
  await ensureIndex(backend, edgesIndex(namespace), EDGES_BODY);
  return graph.linkOperations(namespace, links, now).ndjson;
}
