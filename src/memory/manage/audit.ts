// Looks a namespace over for what a person or an agent may want to tidy: duplicates, contradictions,
// what expires soon, and the largest metadata. It only reads, and its work is bounded: comparisons
// are of the latest memories, and each part says how many it looked at.
import type { JsonObject, SearchHit } from '../../backend/index.js';
import { YieldPoints } from '../../base/cooperative-task.js';
import { edgesIndex } from '../../graph/names.js';
import { readWhole, refuseUnknown } from '../body-fields.js';
import { readCounted } from '../counted.js';
import { type Likeness, mostAlike } from '../duplicates.js';
import { readDocument, readEntry } from '../memory-entry.js';
import { TEXT_DIMS } from '../memory-index.js';
import { EVERYTHING, inScope } from '../modes.js';
import { memoryIndex } from '../names.js';
import { builtinOf } from '../settings.js';
import type { MemoryDeps } from '../store.js';
import { after, presentMoment, type RecallMoment, unseenQueries } from '../visible.js';

export interface AuditRequest {
  /** Maximum number of examples of each part. */
  readonly examples: number;
  readonly expiresWithinMs: number;
}

export interface AuditAnswer {
  readonly namespace: string;
  readonly exists: boolean;
  /** Memories that can be recalled now; all parts are about these. */
  readonly memories: number;
  /** Memories with the same words. */
  readonly exact_duplicates: {
    readonly groups: number;
    /** Memories that are one too many. */
    readonly superfluous: number;
    /** False: there are more groups than are counted. */
    readonly complete: boolean;
    readonly examples: readonly { readonly count: number; readonly ids: readonly string[] }[];
  };
  /** Memories that say the same in almost the same words. */
  readonly near_duplicates: Compared & { readonly examples: readonly Pair[] };
  /** Memories that say the same except for a number, a negation, a name or another word. */
  readonly contradictions: Compared & {
    /** Live links of the type `contradicts`. */
    readonly links: number;
    readonly examples: readonly (Pair & { readonly differing_words: DifferingWords })[];
  };
  readonly expiring: {
    readonly within_ms: number;
    readonly count: number;
    readonly examples: readonly { readonly id: string; readonly expires_at: number | null }[];
  };
  readonly largest_metadata: {
    /** Memories that were looked at, the latest. */
    readonly checked: number;
    readonly examples: readonly { readonly id: string; readonly bytes: number }[];
  };
  /** Present where recalls are counted (`memory.count_recalls`). */
  readonly never_recalled?: {
    /** Memories that were looked at, the oldest. */
    readonly checked: number;
    readonly count: number;
    /** Since when recalls of the namespace are counted; null: there was none. */
    readonly since: number | null;
    readonly examples: readonly { readonly id: string; readonly stored_at: number | null }[];
  };
  /** Milliseconds. */
  readonly took: number;
}

interface Compared {
  /** Memories that were compared with all others, the latest. */
  readonly checked: number;
  readonly count: number;
  /** Why nothing was compared. */
  readonly skipped?: string;
}

interface Pair {
  readonly ids: readonly [string, string];
  readonly similarity: number;
}

interface DifferingWords {
  readonly first: readonly string[];
  readonly second: readonly string[];
}

const KEYS = ['examples', 'expires_within_ms'];
const MAX_EXAMPLES = 50;
const DEFAULT_EXAMPLES = 5;
const WEEK_MS = 7 * 86_400_000;
/** Groups of exact duplicates that are counted. */
const MAX_GROUPS = 1000;
/** Ids of one group that are shown. */
const MAX_IDS = 10;
/** Memories that are compared with all others. */
const MAX_COMPARED = 200;
/** Longer texts are compared by no vector. */
const MAX_CHARS = 20_000;
/** The default threshold of duplicates. */
const NEAR = 0.95;
/** Texts that differ in a word are less alike; these may differ in two words of each. */
const OPPOSED = 0.85;
const MAX_DIFFERING = 2;
/** Memories whose metadata or recalls are looked at, and memories of one search for that. */
const MAX_MEASURED = 10_000;
const BATCH = 500;

export function readAuditBody(body: JsonObject): AuditRequest {
  refuseUnknown(body, KEYS, 'an audit');
  const most = Number.MAX_SAFE_INTEGER;
  return {
    examples: readWhole(body, 'examples', 1, MAX_EXAMPLES) ?? DEFAULT_EXAMPLES,
    expiresWithinMs: readWhole(body, 'expires_within_ms', 1, most) ?? WEEK_MS,
  };
}

/** What the parts of an audit share. */
interface AuditScope {
  readonly deps: MemoryDeps;
  readonly namespace: string;
  readonly index: string;
  readonly moment: RecallMoment;
  readonly request: AuditRequest;
  readonly points: YieldPoints;
}

export async function audit(
  deps: MemoryDeps,
  namespace: string,
  request: AuditRequest,
): Promise<AuditAnswer> {
  const started = performance.now();
  const index = memoryIndex(namespace);
  const within_ms = request.expiresWithinMs;
  if (!deps.backend.exists(index, {})) {
    const nothing = { checked: 0, count: 0, examples: [] };
    return {
      ...{ namespace, exists: false, memories: 0 },
      exact_duplicates: { groups: 0, superfluous: 0, complete: true, examples: [] },
      near_duplicates: nothing,
      contradictions: { ...nothing, links: 0 },
      expiring: { within_ms, count: 0, examples: [] },
      largest_metadata: { checked: 0, examples: [] },
      took: 0,
    };
  }
  await deps.backend.publish(index);
  const moment = await presentMoment(deps, namespace);
  const scope = { deps, namespace, index, moment, request, points: new YieldPoints() };
  const exact_duplicates = await exactDuplicates(scope);
  const { near_duplicates, contradictions } = await alikeMemories(scope);
  return {
    namespace,
    exists: true,
    memories: await count(scope, []),
    exact_duplicates,
    near_duplicates,
    contradictions,
    expiring: await expiringMemories(scope),
    largest_metadata: await largestMetadata(scope),
    ...(deps.recallCounts.isOn ? { never_recalled: await neverRecalled(scope) } : {}),
    took: Math.round(performance.now() - started),
  };
}

function visible({ moment }: AuditScope, filter: readonly JsonObject[]): JsonObject {
  return inScope([], { ...EVERYTHING, filter, mustNot: unseenQueries(moment) });
}

async function count(scope: AuditScope, filter: readonly JsonObject[]): Promise<number> {
  const { deps, index } = scope;
  return (await deps.backend.count({ index, body: { query: visible(scope, filter) } })).count;
}

async function search(
  scope: AuditScope,
  filter: readonly JsonObject[],
  body: JsonObject,
): Promise<readonly SearchHit[]> {
  const { deps, index } = scope;
  const all = { query: visible(scope, filter), track_total_hits: false, _source: false, ...body };
  return (await deps.backend.search({ index, body: all })).hits;
}

interface CountedGroups {
  readonly same: {
    readonly buckets: readonly { readonly key: string; readonly doc_count: number }[];
  };
}

async function exactDuplicates(scope: AuditScope): Promise<AuditAnswer['exact_duplicates']> {
  const { deps, index, request } = scope;
  const terms = { field: 'fingerprint', size: MAX_GROUPS, min_doc_count: 2 };
  const body = { query: visible(scope, []), size: 0, aggs: { same: { terms } } };
  const { aggregations } = await deps.backend.search({ index, body });
  const { buckets } = readCounted<CountedGroups>(aggregations).same;
  const examples = [];
  for (const { key, doc_count } of buckets.slice(0, request.examples)) {
    const sort = [{ stored_at: 'asc' }, { _id: 'asc' }];
    const hits = await search(scope, [{ term: { fingerprint: key } }], { size: MAX_IDS, sort });
    examples.push({ count: doc_count, ids: hits.map(({ id }) => id) });
  }
  return {
    groups: buckets.length,
    superfluous: buckets.reduce((sum, { doc_count }) => sum + doc_count - 1, 0),
    complete: buckets.length < MAX_GROUPS,
    examples,
  };
}

type AlikeParts = Pick<AuditAnswer, 'near_duplicates' | 'contradictions'>;

async function alikeMemories(scope: AuditScope): Promise<AlikeParts> {
  const { deps, namespace, request } = scope;
  const links = await contradictingLinks(scope);
  const settings = await deps.settings.of(namespace);
  const embedder = builtinOf(settings);
  if (embedder === undefined) {
    const skipped =
      'the texts of this namespace are embedded by a service, which an audit does not call';
    const nothing = { checked: 0, count: 0, skipped, examples: [] };
    return { near_duplicates: nothing, contradictions: { ...nothing, links } };
  }
  const { dims = TEXT_DIMS } = settings;
  const hits = await search(scope, [{ exists: { field: 'fingerprint' } }], {
    size: MAX_COMPARED,
    sort: [{ stored_at: 'desc' }, { _id: 'asc' }],
    _source: { includes: ['text', 'fingerprint'] },
  });
  const near = new Map<string, Pair>();
  const against = new Map<string, Pair & { readonly differing_words: DifferingWords }>();
  for (const hit of hits) {
    await scope.points.due();
    const alike = await likest(scope, hit, (text) => deps.embed(text, dims, embedder));
    if (alike === undefined || !isWorthShowing(alike)) continue;
    const pair = { ids: [hit.id, alike.id] as const, similarity: alike.cosine };
    const key = [...pair.ids].sort().join('\0');
    const { difference } = alike;
    if (difference === undefined) near.set(key, near.get(key) ?? pair);
    else if (!against.has(key)) {
      const differing_words = { first: difference.ours, second: difference.theirs };
      against.set(key, { ...pair, differing_words });
    }
  }
  const some = <T>(pairs: ReadonlyMap<string, T>): readonly T[] =>
    [...pairs.values()].slice(0, request.examples);
  return {
    near_duplicates: { checked: hits.length, count: near.size, examples: some(near) },
    contradictions: { checked: hits.length, count: against.size, links, examples: some(against) },
  };
}

function isWorthShowing({ cosine, difference }: Likeness): boolean {
  if (difference === undefined) return cosine >= NEAR;
  const { ours, theirs } = difference;
  return cosine >= OPPOSED && ours.length <= MAX_DIFFERING && theirs.length <= MAX_DIFFERING;
}

/** The most similar other memory with other words; undefined: there is none. */
async function likest(
  { deps, index, moment }: AuditScope,
  { id, source }: SearchHit,
  embed: (text: string) => Float32Array,
): Promise<Likeness | undefined> {
  const { text } = readEntry(source);
  if (source === undefined || text === null || text.length > MAX_CHARS) return undefined;
  const draft = { id: undefined, text, vector: undefined, metadata: undefined };
  const search = { backend: deps.backend, index, moment, embed, leastCosine: OPPOSED };
  const alike = await mostAlike(search, { ...draft, supersedes: [id], fingerprint: undefined });
  if (alike === undefined) return undefined;
  const includes = { includes: ['fingerprint'], excludes: [] };
  const other = await deps.backend.get({ index, id: alike.id, source: includes });
  const mine = readDocument(source)['fingerprint'];
  const theirs = other.source === undefined ? undefined : readDocument(other.source)['fingerprint'];
  // The same words are an exact duplicate.
  return mine === theirs ? undefined : alike;
}

async function contradictingLinks({ deps, namespace, moment }: AuditScope): Promise<number> {
  const index = edgesIndex(namespace);
  if (!deps.backend.exists(index, {})) return 0;
  await deps.backend.publish(index);
  const ended = { range: { invalid_at: { lte: moment.present, format: 'epoch_millis' } } };
  const query = { bool: { filter: [{ term: { type: 'contradicts' } }], must_not: [ended] } };
  return (await deps.backend.count({ index, body: { query } })).count;
}

async function expiringMemories(scope: AuditScope): Promise<AuditAnswer['expiring']> {
  const { request, moment } = scope;
  const within_ms = request.expiresWithinMs;
  const end = Math.min(moment.now + within_ms, Number.MAX_SAFE_INTEGER);
  const ending = {
    bool: { filter: [{ exists: { field: 'expires_at' } }], must_not: [after('expires_at', end)] },
  };
  const hits = await search(scope, [ending], {
    size: request.examples,
    sort: [{ expires_at: 'asc' }, { _id: 'asc' }],
    _source: { includes: ['expires_at'] },
  });
  return {
    within_ms,
    count: await count(scope, [ending]),
    examples: hits.map(({ id, source }) => ({ id, expires_at: readEntry(source).expires_at })),
  };
}

async function largestMetadata(scope: AuditScope): Promise<AuditAnswer['largest_metadata']> {
  let largest: readonly { readonly id: string; readonly bytes: number }[] = [];
  let checked = 0;
  let search_after: readonly unknown[] | undefined;
  while (checked < MAX_MEASURED) {
    await scope.points.due();
    const hits = await search(scope, [], {
      size: BATCH,
      sort: [{ stored_at: 'desc' }, { _id: 'asc' }],
      _source: { includes: ['metadata', 'unindexed'] },
      ...(search_after === undefined ? {} : { search_after: search_after as JsonObject[string] }),
    });
    checked += hits.length;
    const sizes = hits.map(({ id, source }) => ({ id, bytes: source?.length ?? 0 }));
    largest = [...largest, ...sizes]
      .filter(({ bytes }) => bytes > EMPTY_BYTES)
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, scope.request.examples);
    if (hits.length < BATCH) break;
    search_after = hits.at(-1)?.sort?.map((value): unknown => JSON.parse(value));
  }
  return { checked, examples: largest };
}

/** The oldest come first, because they had the most time to be recalled. */
async function neverRecalled(scope: AuditScope): Promise<AuditAnswer['never_recalled'] & object> {
  const { deps, namespace, request } = scope;
  const { recallCounts } = deps;
  await recallCounts.write();
  const examples: { readonly id: string; readonly stored_at: number | null }[] = [];
  let [checked, count] = [0, 0];
  let search_after: readonly unknown[] | undefined;
  while (checked < MAX_MEASURED) {
    await scope.points.due();
    const hits = await search(scope, [], {
      size: BATCH,
      sort: [{ stored_at: 'asc' }, { _id: 'asc' }],
      _source: { includes: ['stored_at'] },
      ...(search_after === undefined ? {} : { search_after: search_after as JsonObject[string] }),
    });
    const counts = await recallCounts.of(
      namespace,
      hits.map(({ id }) => id),
    );
    const never = hits.filter((_, i) => counts[i] === undefined);
    for (const { id, source } of never.slice(0, request.examples - examples.length)) {
      examples.push({ id, stored_at: readEntry(source).stored_at });
    }
    checked += hits.length;
    count += never.length;
    if (hits.length < BATCH) break;
    search_after = hits.at(-1)?.sort?.map((value): unknown => JSON.parse(value));
  }
  return { checked, count, since: (await recallCounts.since(namespace)) ?? null, examples };
}

/** Size of the document of a memory without metadata. */
const EMPTY_BYTES = '{}'.length;
