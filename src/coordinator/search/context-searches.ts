// Scrolls and points in time: searches over snapshots that are held between requests. This file
// turns a request body into a search of a context; search-contexts.ts owns the open contexts.
import type {
  Json,
  JsonObject,
  MaybePromise,
  PointInTime,
  SearchContextBackend,
  SearchHit,
  SearchRequest,
  SearchResult,
  Waiter,
} from '../../backend/index.js';
import { checkScrollBody, shownKeys } from '../../query/pinned.js';
import { illegal, isObject, malformed, tokenName, validationFailed } from '../../query/values.js';
import type { Catalog } from '../catalog/catalog.js';
import { jsonText, parseJson } from '../catalog/json-text.js';
import { searchTargets, type TargetGroup } from '../shards/search-targets.js';
import { Serial } from '../shards/serial.js';
import type { Searcher } from './search.js';
import {
  checkContextId,
  contextMissing,
  type PinnedSearch,
  type SearchContext,
  type SearchContexts,
} from './search-contexts.js';

export interface ContextSearchOptions {
  readonly catalog: Catalog;
  readonly contexts: SearchContexts;
  readonly searcher: Searcher;
  /** Resolves clauses once for a scroll, so that they match the same documents in every batch. */
  readonly resolve: (request: SearchRequest) => MaybePromise<SearchRequest>;
  readonly nowMs: () => number;
}

/** The state of a scroll. */
interface Scroll {
  readonly request: SearchRequest;
  /** Batches that are requested at the same time are read one after another. */
  readonly turns: Serial;
  first: Pick<SearchResult, 'total' | 'maxScore'> | undefined;
  /** All sort values of the last hit that was returned. */
  after: readonly Json[] | undefined;
}

export class LocalSearchContexts implements SearchContextBackend {
  readonly #options: ContextSearchOptions;
  readonly #scrolls = new WeakMap<SearchContext, Scroll>();

  constructor(options: ContextSearchOptions) {
    this.#options = options;
  }

  async openPointInTime(
    request: Omit<SearchRequest, 'body'>,
    keepAlive: string,
  ): Promise<PointInTime> {
    const { catalog, contexts } = this.#options;
    const keepAliveMs = contexts.keepAliveMs(keepAlive, 'keep_alive');
    const groups = searchTargets(catalog, request.index, request);
    const owner = request.access?.owner;
    return toPointInTime(await contexts.open('pit', groups, keepAliveMs, { owner }));
  }

  pointsInTime(owner?: string): readonly PointInTime[] {
    return this.#options.contexts.list('pit', owner).map(toPointInTime);
  }

  closePointInTime(id: string, owner?: string): number {
    checkContextId('pit', id);
    return this.#options.contexts.release('pit', id, owner);
  }

  /** Executes a search whose body has `pit`. */
  async searchPointInTime(request: SearchRequest): Promise<SearchResult> {
    const { contexts, searcher } = this.#options;
    const { pit: _pit, ...body } = request.body;
    const context = this.#pointInTime(request);
    const pinned = this.#pinnedNow(context);
    const result = await contexts.during(context, () =>
      searcher.prepare({ ...request, body }, pinned).run(request.waiter),
    );
    return { ...result, pitId: context.id };
  }

  /** What a search whose body has `pit` covers. */
  pinnedBy(request: SearchRequest): PinnedSearch {
    return this.#pinnedNow(this.#pointInTime(request));
  }

  #pointInTime(request: SearchRequest): SearchContext {
    const { contexts } = this.#options;
    const { id, keepAlive } = readPit(request.body['pit'] ?? null);
    refuseTargetsWithPit(request);
    checkContextId('pit', id);
    const keepAliveMs =
      keepAlive === undefined ? undefined : contexts.keepAliveMs(keepAlive, 'keep_alive');
    const context = contexts.use('pit', id, keepAliveMs, request.access?.owner);
    if (context === undefined) throw contextMissing(id);
    return context;
  }

  #pinnedNow({ targets: { groups, snapshots } }: SearchContext): PinnedSearch {
    return {
      groups: this.#asSetNow(groups),
      snapshots,
      nowMs: this.#options.nowMs(),
      texts: {},
    };
  }

  /** The groups with the present settings of their indexes: only the documents are fixed. */
  #asSetNow(groups: readonly TargetGroup[]): readonly TargetGroup[] {
    const { catalog } = this.#options;
    return groups.map((group) => ({
      ...group,
      entries: group.entries.map((entry) => {
        const { behaviour = entry.behaviour } = catalog.byNumber(entry.number) ?? {};
        return behaviour === entry.behaviour ? entry : { ...entry, behaviour };
      }),
    }));
  }

  async startScroll(request: SearchRequest, keepAlive: string): Promise<SearchResult> {
    const { catalog, contexts } = this.#options;
    const keepAliveMs = contexts.keepAliveMs(keepAlive, 'scroll');
    checkScrollBody(request.body);
    const groups = searchTargets(catalog, request.index, request);
    const { waiter: _waiter, ...kept } = await this.#options.resolve(request);
    // An estimate: the heap takes two bytes per character, and as much again for the objects.
    const bytes = 4 * jsonText(kept.body).length;
    const owner = request.access?.owner;
    const context = await contexts.open('scroll', groups, keepAliveMs, { bytes, owner });
    const scroll = { request: kept, turns: new Serial(), first: undefined, after: undefined };
    this.#scrolls.set(context, scroll);
    try {
      return await this.#batch(context, scroll, request.waiter);
    } catch (error) {
      contexts.release('scroll', context.id);
      throw error;
    }
  }

  async nextBatch(
    id: string,
    keepAlive: string | undefined,
    waiter?: Waiter,
    owner?: string,
  ): Promise<SearchResult> {
    const { contexts } = this.#options;
    checkContextId('scroll', id);
    const keepAliveMs =
      keepAlive === undefined ? undefined : contexts.keepAliveMs(keepAlive, 'scroll');
    const context = contexts.use('scroll', id, keepAliveMs, owner);
    const scroll = context === undefined ? undefined : this.#scrolls.get(context);
    if (context === undefined || scroll === undefined) throw contextMissing(id);
    return scroll.turns.run(() => this.#batch(context, scroll, waiter));
  }

  clearScrolls(ids: readonly string[] | 'all', owner?: string): number {
    const { contexts } = this.#options;
    if (ids !== 'all') for (const id of ids) checkContextId('scroll', id);
    const all = ids === 'all' ? contexts.list('scroll', owner).map(({ id }) => id) : ids;
    return all.reduce((freed, id) => freed + contexts.release('scroll', id, owner), 0);
  }

  async #batch(
    context: SearchContext,
    scroll: Scroll,
    waiter: Waiter | undefined,
  ): Promise<SearchResult> {
    const { after } = scroll;
    const pinned: PinnedSearch = { ...context.targets, batch: { after } };
    const request = {
      ...scroll.request,
      body: bodyOfBatch(scroll.request.body, scroll.first === undefined),
      ...(waiter === undefined ? {} : { waiter }),
    };
    const { contexts, searcher } = this.#options;
    const result = await contexts.during(context, () =>
      searcher.prepare(request, pinned).run(waiter),
    );
    const last = result.hits.at(-1)?.sort;
    if (last !== undefined) scroll.after = last.map(parseJson);
    scroll.first ??= {
      ...(result.total === undefined ? {} : { total: result.total }),
      maxScore: result.maxScore,
    };
    const shown = shownKeys(scroll.request.body);
    return {
      ...result,
      ...scroll.first,
      hits: result.hits.map((hit) => withSort(hit, shown)),
      scrollId: context.id,
    };
  }
}

/** Only the first batch counts and aggregates. */
function bodyOfBatch(body: JsonObject, first: boolean): JsonObject {
  if (first) return { ...body, track_total_hits: true };
  const { aggs: _aggs, aggregations: _aggregations, ...rest } = body;
  return { ...rest, track_total_hits: false };
}

function withSort(hit: SearchHit, shown: readonly number[] | undefined): SearchHit {
  const { sort = [], ...rest } = hit;
  if (shown === undefined) return rest;
  return { ...rest, sort: shown.map((key) => sort[key] ?? 'null') };
}

function toPointInTime({ id, keepAliveMs, targets }: SearchContext): PointInTime {
  return { id, shards: targets.snapshots.length, createdMs: targets.nowMs, keepAliveMs };
}

function readPit(pit: Json): { readonly id: string; readonly keepAlive: string | undefined } {
  if (!isObject(pit)) {
    throw malformed(`[pit] must be an object with an [id], found [${tokenName(pit)}]`);
  }
  const { id, keep_alive: keepAlive, ...rest } = pit;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw malformed(`[pit] unknown field [${unknown}]`);
  if (id === undefined || id === null) throw illegal('point in time id is not provided');
  if (typeof id !== 'string') {
    throw malformed(`[pit] id doesn't support values of type: ${tokenName(id)}`);
  }
  if (keepAlive === undefined || keepAlive === null) return { id, keepAlive: undefined };
  if (typeof keepAlive === 'string') return { id, keepAlive };
  throw malformed(`[pit] keep_alive doesn't support values of type: ${tokenName(keepAlive)}`);
}

/** Refuses parameters that the point in time has fixed already. */
function refuseTargetsWithPit({ index, routing }: SearchRequest): void {
  const wrong: string[] = [];
  if (index !== '') {
    wrong.push(
      '[indices] cannot be used with point in time. Do not specify any index with point in time.',
    );
  }
  if (routing !== undefined) wrong.push('[routing] cannot be used with point in time');
  if (wrong.length > 0) throw validationFailed(wrong);
}
