// Stores many memories in one request. Memories that neither look for duplicates nor supersede
// others are written by one bulk, which waits for one sync; the others are stored one by one, in
// their place, because each depends on what is stored before it.
import type { BulkItemError, Json, JsonObject, WriteResult } from '../../backend/index.js';
import { runCooperatively } from '../../base/cooperative-task.js';
import { plainJson } from '../../base/json-text.js';
import { type ErrorCause, QuarryError } from '../../errors.js';
import type { NewLink } from '../../graph/assert-links.js';
import { ensureIndex } from '../../graph/edges-index.js';
import { edgesIndex, illegal } from '../../graph/names.js';
import { shown } from '../../graph/times.js';
import { isObject } from '../body-fields.js';
import type { MetadataNames } from '../context/said.js';
import { fingerprintOf } from '../duplicates.js';
import { memoryBody } from '../memory-index.js';
import { memoryIndex } from '../names.js';
import type { NamespaceSettings } from '../settings.js';
import {
  documentOf,
  findBefore,
  linkLines,
  linksOf,
  type MemoryDeps,
  type StoreAnswer,
  sessionsOf,
  sizeOf,
  store,
  withRetention,
} from '../store.js';
import { readStoreBody, type StoreRequest } from '../store-body.js';
import { presentMoment } from '../visible.js';
import { asCreated, createLine, refusalOf, writeMemory } from '../write-memory.js';
import type { KeyQuota } from './quotas.js';

export type BulkStoreItem =
  | ({ readonly status: 200 | 201 } & Omit<StoreAnswer, 'namespace'>)
  | { readonly status: number; readonly error: ErrorCause };

export interface BulkStoreAnswer {
  readonly namespace: string;
  /** Milliseconds. */
  readonly took: number;
  readonly errors: boolean;
  /** In the order of the request. */
  readonly items: readonly BulkStoreItem[];
}

/** Memories of one bulk; between two of them other requests of the namespace take their turns. */
const BATCH = 500;

type ReadItem = { readonly request: StoreRequest } | { readonly failed: QuarryError };

export async function storeMany(
  deps: MemoryDeps,
  namespace: string,
  bodies: readonly Json[],
  key?: KeyQuota,
): Promise<BulkStoreAnswer> {
  const started = performance.now();
  const read = await runCooperatively(readItems(bodies, deps.names));
  if (bodies.length === 0) {
    throw new QuarryError(
      'parse_exception',
      'the bulk has no memory: send one object in each line, or a list of objects',
    );
  }
  const settings = await deps.settings.of(namespace);
  const items: BulkStoreItem[] = [];
  for (let at = 0; at < read.length; ) {
    const batch = plainRun(read, at);
    if (batch.length > 0)
      items.push(...(await storeAdmitted(deps, namespace, settings, batch, key)));
    else items.push(await storeAlone(deps, namespace, read[at], key));
    at += Math.max(1, batch.length);
  }
  const errors = items.some((item) => 'error' in item);
  return { namespace, took: Math.round(performance.now() - started), errors, items };
}

function* readItems(
  bodies: readonly Json[],
  names: MetadataNames,
): Generator<undefined, readonly ReadItem[], undefined> {
  const items: ReadItem[] = [];
  for (const body of bodies) {
    items.push(readItem(body, names));
    yield;
  }
  return items;
}

function readItem(body: Json, names: MetadataNames): ReadItem {
  try {
    if (!isObject(body)) throw illegal(`a memory must be an object, got ${shown(body)}`);
    return { request: readStoreBody(body, names) };
  } catch (error) {
    if (error instanceof QuarryError) return { failed: error };
    throw error;
  }
}

/** The requests from `at` on that one bulk may write; empty: the first is stored alone. */
function plainRun(read: readonly ReadItem[], at: number): readonly StoreRequest[] {
  const run: StoreRequest[] = [];
  for (const item of read.slice(at, at + BATCH)) {
    if (!('request' in item)) break;
    if (item.request.dedup || item.request.supersedes.length > 0) break;
    run.push(item.request);
  }
  return run;
}

async function storeAlone(
  deps: MemoryDeps,
  namespace: string,
  item: ReadItem | undefined,
  key: KeyQuota | undefined,
): Promise<BulkStoreItem> {
  if (item === undefined) throw new Error('an item of a bulk is missing');
  if ('failed' in item) return failure(item.failed);
  try {
    return success(await store(deps, namespace, item.request, key));
  } catch (error) {
    if (error instanceof QuarryError) return failure(error);
    throw error;
  }
}

function success({ namespace: _namespace, ...answer }: StoreAnswer): BulkStoreItem {
  return { status: answer.created ? 201 : 200, ...answer };
}

function failure(error: QuarryError): BulkStoreItem {
  return { status: error.status, error: error.toCause() };
}

/** Stores those that the quota admits, in one batch. */
async function storeAdmitted(
  deps: MemoryDeps,
  namespace: string,
  settings: NamespaceSettings,
  requests: readonly StoreRequest[],
  key: KeyQuota | undefined,
): Promise<readonly BulkStoreItem[]> {
  const items: BulkStoreItem[] = [];
  const admitted: { readonly at: number; readonly request: StoreRequest }[] = [];
  const settled: (() => void)[] = [];
  for (const [at, request] of requests.entries()) {
    try {
      settled.push(await deps.quotas.admit(namespace, settings.quota, key, sizeOf(request)));
      admitted.push({ at, request: withRetention(request, settings, deps.nowMs()) });
    } catch (error) {
      if (!(error instanceof QuarryError)) throw error;
      items[at] = failure(error);
    }
  }
  if (admitted.length === 0) return items;
  const batch = admitted.map(({ request }) => request);
  const stored = await storeBatch(deps, namespace, settings, batch).finally(() => {
    for (const done of settled) done();
  });
  for (const [i, { at }] of admitted.entries()) {
    const item = stored[i];
    if (item !== undefined) items[at] = item;
  }
  return items;
}

async function storeBatch(
  deps: MemoryDeps,
  namespace: string,
  settings: NamespaceSettings,
  requests: readonly StoreRequest[],
): Promise<readonly BulkStoreItem[]> {
  await ensureIndex(deps.backend, memoryIndex(namespace), memoryBody(settings));
  const expiries = requests.flatMap(({ expiresAt }) =>
    expiresAt === undefined ? [] : [expiresAt],
  );
  const first = expiries.length === 0 ? undefined : expiries.reduce((a, b) => Math.min(a, b));
  // Before the turn is taken, because a sweep of expired memories takes one, too.
  const noted = first === undefined ? undefined : await deps.expiry.note(namespace, first);
  let items: readonly BulkStoreItem[];
  try {
    items = await deps.turns.take(namespace, () => writeBatch(deps, namespace, settings, requests));
  } finally {
    noted?.();
  }
  const stored = items.flatMap((item) => ('error' in item ? [] : [item.id]));
  if (settings.detect && stored.length > 0) await deps.graph.detectOnStore(namespace, stored);
  return items;
}

interface Prepared {
  readonly id: string;
  readonly request: StoreRequest;
  readonly document: JsonObject;
  readonly before: string | undefined;
  readonly links: readonly NewLink[];
}

async function writeBatch(
  deps: MemoryDeps,
  namespace: string,
  settings: NamespaceSettings,
  requests: readonly StoreRequest[],
): Promise<readonly BulkStoreItem[]> {
  const { backend, sessions } = deps;
  const index = memoryIndex(namespace);
  const number = backend.resolve(index, {})[0]?.number ?? -1;
  const now = (await presentMoment(deps, namespace)).present;
  const context = { index, number, now, settings };
  const there = await sessionsOf(deps, index, idsInSessions(requests, settings));
  const prepared: Prepared[] = [];
  for (const request of requests) prepared.push(await prepare(deps, context, request, there));
  const links = await linkLines(
    deps,
    namespace,
    prepared.flatMap((one) => one.links),
    now,
  );
  const lines = prepared.map((one) => linesOf(index, one));
  const body = Buffer.from(`${lines.join('')}${links}`);
  const repeatable = requests.every(({ id }) => id === undefined);
  const { items: written } = await backend
    .bulk({ refresh: 'false', repeatable, body })
    .catch((error: unknown) => {
      // None of them is the last of its session.
      sessions.forget(number);
      throw error;
    });
  const results: BulkStoreItem[] = [];
  for (const [i, one] of prepared.entries()) {
    const item = written[i];
    const made = item !== undefined && one.request.id === undefined ? asCreated(item) : item;
    results.push(await resultOf(deps, namespace, index, one, made));
  }
  await withoutFailed(deps, namespace, prepared, results, written.slice(prepared.length));
  const isMoved = results.some((item) => 'error' in item || item.status === 200);
  if (isMoved) sessions.forget(number);
  return results;
}

interface BatchContext {
  readonly index: string;
  readonly number: number;
  readonly now: number;
  readonly settings: NamespaceSettings;
}

/** The ids of memories that may be in their sessions already. */
function idsInSessions(
  requests: readonly StoreRequest[],
  { link_sessions }: NamespaceSettings,
): readonly string[] {
  if (!link_sessions) return [];
  return requests.flatMap(({ id, session }) =>
    id === undefined || session === undefined ? [] : [id],
  );
}

async function prepare(
  deps: MemoryDeps,
  { index, number, now, settings }: BatchContext,
  request: StoreRequest,
  there: ReadonlyMap<string, string>,
): Promise<Prepared> {
  const { text } = request;
  const session = settings.link_sessions ? request.session : undefined;
  const linked = { ...request, session };
  const fingerprint =
    text === undefined ? undefined : await runCooperatively(fingerprintOf(deps.hash128, text));
  const id = request.id ?? deps.newId();
  const ownTime = request.ownTime ?? now;
  const before =
    session === undefined
      ? undefined
      : await findBefore(deps, { index, number, session, id: request.id }, there);
  // The next memory of the bulk follows this one.
  if (session !== undefined) deps.sessions.stored(number, session, id);
  const document = documentOf({ ...request, fingerprint }, ownTime, now);
  const links = linksOf(id, linked, before, Math.min(ownTime, now));
  return { id, request, document, before, links };
}

function linesOf(index: string, { id, document, request }: Prepared): string {
  const { metadata } = request;
  const whole = metadata === undefined ? document : { ...document, metadata };
  if (request.id === undefined) return createLine(index, id, plainJson(whole));
  return `${plainJson({ index: { _index: index, _id: id } })}\n${plainJson(whole)}\n`;
}

/** A memory that was refused is stored alone, which fits its metadata or words the error. */
async function resultOf(
  { backend }: MemoryDeps,
  namespace: string,
  index: string,
  { id, request, document, before }: Prepared,
  written: WriteResult | BulkItemError | undefined,
): Promise<BulkStoreItem> {
  const follows = before === undefined ? {} : { follows: before };
  if (written !== undefined && !('error' in written)) {
    const created = written.result === 'created';
    return { status: created ? 201 : 200, id, created, ...follows };
  }
  if (written !== undefined && written.status !== 400) return failure(refusalOf(written));
  const { metadata, vector } = request;
  const isNew = request.id === undefined;
  const write = { namespace, index, id, isNew, document, metadata, vectorDims: vector?.length };
  try {
    const { created, unindexed } = await writeMemory(backend, { ...write, retired: [], links: '' });
    const not_indexed = unindexed.length === 0 ? {} : { not_indexed: unindexed };
    return { status: created ? 201 : 200, id, created, ...follows, ...not_indexed };
  } catch (error) {
    if (error instanceof QuarryError) return failure(error);
    throw error;
  }
}

/** Deletes the links that the bulk made at memories that it could not store. */
async function withoutFailed(
  { backend }: MemoryDeps,
  namespace: string,
  prepared: readonly Prepared[],
  results: readonly BulkStoreItem[],
  links: readonly (WriteResult | BulkItemError)[],
): Promise<void> {
  const failed = new Set(
    prepared.flatMap(({ id }, i) => {
      const item = results[i];
      return item !== undefined && 'error' in item ? [id] : [];
    }),
  );
  if (failed.size === 0) return;
  const asserted = prepared.flatMap((one) => one.links);
  const index = edgesIndex(namespace);
  const lines = links.flatMap((link, i) => {
    const { src = '', dst = '' } = asserted[i] ?? {};
    const isMade = !('error' in link) && link.status === 201;
    if (!isMade || !(failed.has(src) || failed.has(dst))) return [];
    return [`${plainJson({ delete: { _index: index, _id: link.id } })}\n`];
  });
  if (lines.length === 0) return;
  await backend.bulk({ refresh: 'false', body: Buffer.from(lines.join('')) });
}
