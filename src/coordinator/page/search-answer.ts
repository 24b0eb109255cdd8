// The parts of a search response: its hits, its best score and its `_shards` section.
import type { SearchHit, SearchResult, ShardFailure } from '../../backend/index.js';
import type { CompiledSearch } from '../../query/search-body.js';
import { type FetchedDocument, type FetchReply, readFetchReply } from '../../wire/fetch-reader.js';
import { type LegHits, readSearchReply, type ShardHits } from '../../wire/hits-reader.js';
import type { RankedList } from '../shards/merge.js';
import { type FailedShard, groupFailures } from '../shards/search-failures.js';
import type { ShardReplies } from '../shards/shard-client.js';

/** The result of the query and fetch phases of a search. */
export interface PageResult extends Pick<SearchResult, 'total' | 'maxScore' | 'hits' | 'hitsJson'> {
  /** The replies of the round that found the hits. */
  readonly answers: ShardReplies;
  /** The replies of all rounds. */
  readonly replies: readonly ShardHits[];
  /** Whether the time limit expired in a later stage, which `replies` do not report. */
  readonly timedOut?: boolean;
}

/** The hits of a page. */
export interface HitsPage {
  readonly hits: readonly SearchHit[];
  /** Whether the time limit expired before all documents were read and highlighted. */
  readonly timedOut: boolean;
}

/** The best score of all lists, or null if no list has one. */
export function maxScore(lists: readonly Pick<LegHits, 'maxScore'>[]): number | null {
  let best: number | null = null;
  for (const { maxScore: score } of lists) {
    if (score !== null && (best === null || score > best)) best = score;
  }
  return best;
}

/** `before`: shards that failed in earlier rounds and were excluded from this one. */
export function shardsSection(
  answers: { readonly total: number; readonly failed: readonly FailedShard[] },
  before: { readonly failed: readonly FailedShard[] },
): SearchResult['shards'] {
  if (before.failed.length + answers.failed.length === 0) {
    return { total: answers.total, successful: answers.total, skipped: 0, failed: 0 };
  }
  const all = [...before.failed, ...answers.failed];
  const failures: readonly ShardFailure[] = groupFailures(all);
  const total = answers.total + before.failed.length;
  const failed = all.length;
  return {
    total,
    successful: total - failed,
    skipped: 0,
    failed,
    failures,
  };
}

/** The parts of a response in addition to its page. */
export interface AnswerExtras {
  readonly aggregations?: SearchResult['aggregations'];
  readonly profile?: SearchResult['profile'];
  /** Shards that failed in earlier rounds and were excluded from later ones. */
  readonly failed: readonly FailedShard[];
}

/** `started`: performance.now() when the search began. */
export function searchResult(
  { terminateAfter }: CompiledSearch,
  { answers, replies, total, maxScore: best, hits, hitsJson, timedOut }: PageResult,
  started: number,
  { aggregations, profile, failed }: AnswerExtras,
): SearchResult {
  const ends = terminateAfter > 0;
  return {
    tookMs: Math.round(performance.now() - started),
    timedOut: timedOut === true || replies.some((shard) => shard.timedOut),
    terminatedEarly: ends ? answers.hits.some((shard) => shard.terminatedEarly) : undefined,
    shards: shardsSection(answers, { failed }),
    total,
    maxScore: best,
    hits,
    hitsJson,
    aggregations,
    profile,
  };
}

/** The parts of a hit in addition to its document. */
export interface HitPlace {
  readonly indexName: string;
  readonly shard: number;
  readonly score: number | null;
  /** One JSON string per sort key; absent: sorted by score. */
  readonly sort?: readonly string[] | undefined;
}

export function toHit(
  place: HitPlace,
  document: FetchedDocument,
  search: CompiledSearch,
): SearchHit {
  const { indexName, shard, score, sort } = place;
  const { numberFormats, seqNoPrimaryTerm } = search;
  const { fields } = document;
  const plain = numberFormats.isEmpty || fields === undefined;
  // Lists the members by name: every search has hits, and object spread is slow.
  return {
    shard: search.explain ? shard : undefined,
    index: indexName,
    id: document.id,
    score: search.scores ? score : null,
    version: search.version ? document.version : undefined,
    seqNo: seqNoPrimaryTerm ? document.seqNo : undefined,
    primaryTerm: seqNoPrimaryTerm ? document.primaryTerm : undefined,
    withoutId: search.ids ? undefined : true,
    routing: document.routing,
    source: document.source,
    fields: plain ? fields : numberFormats.applied(fields),
    ignored: search.ids ? document.ignored : undefined,
    ignoredValues: document.ignoredValues,
    matchedQueries: document.matchedQueries,
    explanation: document.explanation,
    highlight: document.highlight,
    nested: document.nested,
    sort,
    innerHits: document.innerHits.length === 0 ? undefined : innerHits(place, document, search),
  };
}

/**
 * The nested documents that a hit shows; `search` is the one that found the hit. A path that its
 * index does not map as nested has no reply, and is not shown.
 */
function innerHits(
  { indexName }: HitPlace,
  document: FetchedDocument,
  { innerHits: shown }: CompiledSearch,
): SearchHit['innerHits'] {
  const entries = shown.flatMap(({ name, search }, at) => {
    const reply = document.innerHits[at];
    if (reply?.length === 0) return [];
    const { shards, fetch } = readSearchReply(reply?.buffer ?? NO_REPLY);
    const [found] = shards;
    if (found?.ok !== true || fetch === undefined) throw new Error('inner hits without a reply');
    return [[name, nestedPage(indexName, found, readFetchReply(fetch), search)] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const NO_REPLY = new ArrayBuffer(0);

function nestedPage(
  indexName: string,
  found: ShardHits,
  reply: FetchReply,
  search: CompiledSearch,
): Pick<SearchResult, 'total' | 'maxScore' | 'hits'> {
  const { shard, total, totalRelation: relation } = found;
  const [leg] = found.legs;
  if (leg === undefined || !reply.ok) throw new Error('inner hits without documents');
  const list = { indexName, hits: leg };
  const hits = reply.documents.map((document, at) =>
    toHit(placeOf(list, shard, search.from + at, search.sort.length), document, search),
  );
  return {
    total: { value: total, relation },
    maxScore: search.maxScore ? leg.maxScore : null,
    hits,
  };
}

/** A hit of a list from shard `shard`. `keys`: number of sort keys; `score`: a rescored score. */
export function placeOf(
  { indexName, hits }: RankedList,
  shard: number,
  hit: number,
  keys: number,
  score = hits.scores[hit] ?? Number.NaN,
): HitPlace {
  const sort = keys === 0 ? undefined : hits.sort.slice(0, keys).map((column) => column.json(hit));
  return { indexName, shard, score: Number.isNaN(score) ? null : score, sort };
}
