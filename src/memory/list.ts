// Lists the memories of a namespace: the newest, or pages over all of them.
import type { Backend, JsonObject, SearchHit } from '../backend/index.js';
import { type CooperativeTask, runCooperatively } from '../base/cooperative-task.js';
import { filterOf, nextOf, type PageRequest, pageBody } from './manage/pages.js';
import { readEntry, SHOWN_FIELDS } from './memory-entry.js';
import { EVERYTHING, inScope, NEWEST_FIRST } from './modes.js';
import { memoryIndex } from './names.js';
import { isAllSeen, type NamespaceStats } from './namespace-stats.js';
import { type RecallMoment, unseenQueries } from './visible.js';

export interface ListEntry {
  readonly id: string;
  readonly text: string;
  readonly metadata: JsonObject | null;
  readonly score: null;
  readonly stored_at: number | null;
}

export interface ListAnswer {
  readonly namespace: string;
  readonly exists: boolean;
  /** Memories that can be recalled now and match the filter. */
  readonly count: number;
  readonly entries: readonly ListEntry[];
  /** For `after` of the next page; absent on the last page, and in a list without pages. */
  readonly next?: string;
  readonly not_shown: {
    readonly limit: number;
    readonly expired: number;
    readonly superseded: number;
  };
}

/** Maximum number of entries. */
const MAX_ENTRIES = 100;

export interface ListDeps {
  readonly backend: Backend;
  readonly namespaceStats: NamespaceStats;
}

export async function list(
  { backend, namespaceStats }: ListDeps,
  namespace: string,
  moment: RecallMoment,
  page?: PageRequest,
  /** For the search with the filter, with the privileges of the client. */
  searching: Backend = backend,
): Promise<ListAnswer> {
  const index = memoryIndex(namespace);
  if (!backend.exists(index, {})) {
    const not_shown = { limit: 0, expired: 0, superseded: 0 };
    return { namespace, exists: false, count: 0, entries: [], not_shown };
  }
  const counts = namespaceStats.known(index, moment) ?? (await namespaceStats.count(index, moment));
  const filter = filterOf(backend, index, page?.filter);
  const mustNot = isAllSeen(counts) ? EVERYTHING.mustNot : unseenQueries(moment);
  const body = {
    query: inScope([], { filter, mustNot }),
    ...(page === undefined ? { sort: NEWEST_FIRST, size: MAX_ENTRIES } : pageBody(page)),
    track_total_hits: true,
    _source: { includes: SHOWN_FIELDS },
  };
  const found = await searching.search({ index, body });
  const count = found.total?.value ?? found.hits.length;
  const next = page === undefined ? undefined : nextOf(page, found.hits);
  return {
    namespace,
    exists: true,
    count,
    entries: await runCooperatively(entriesOf(found.hits)),
    ...(next === undefined ? {} : { next }),
    not_shown: {
      limit: count - found.hits.length,
      expired: counts.expired.all,
      superseded: counts.superseded.all,
    },
  };
}

/** Yields after each entry, because each of the hundred texts may have megabytes. */
function* entriesOf(hits: readonly SearchHit[]): CooperativeTask<readonly ListEntry[]> {
  const entries: ListEntry[] = [];
  for (const { id, source } of hits) {
    const { text, metadata, stored_at } = readEntry(source);
    entries.push({ id, text: text ?? '', metadata, score: null, stored_at });
    yield;
  }
  return entries;
}
