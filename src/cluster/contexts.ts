// Scrolls and points in time of the cluster.
import type {
  JsonObject,
  PointInTime,
  SearchContextBackend,
  SearchRequest,
  SearchResult,
  Waiter,
} from '../backend/index.js';
import { parseTime } from '../base/units.js';
import { QuarryError } from '../errors.js';
import { checkScrollBody } from '../query/pinned.js';
import type { ClusterCatalog } from './cluster-catalog.js';
import type { ClusterClient } from './cluster-client.js';
import { isObject } from './errors.js';
import type { ClusterSearch } from './search.js';
import { readSearch } from './search-reader.js';
import { searchPlace } from './search-target.js';

export interface ContextsOptions {
  readonly client: ClusterClient;
  readonly names: ClusterCatalog;
  readonly search: ClusterSearch;
  readonly nowMs: () => number;
}

export class ClusterContexts implements SearchContextBackend {
  readonly #options: ContextsOptions;

  constructor(options: ContextsOptions) {
    this.#options = options;
  }

  async openPointInTime(
    request: Omit<SearchRequest, 'body'>,
    keepAlive: string,
  ): Promise<PointInTime> {
    refuseOwned(request.access?.owner);
    const { client, names, nowMs } = this.#options;
    const keepAliveMs = parseTime(keepAlive, 'keep_alive');
    const place = searchPlace(request, names, client.names);
    if (place.path === undefined) {
      throw new QuarryError(
        'illegal_argument_exception',
        `[${request.index}] reaches no index, of which the cluster opens no point in time: name an index`,
      );
    }
    const isElastic = client.engine.kind === 'elasticsearch';
    const call = isElastic ? '_pit' : '_search/point_in_time';
    const answer = await client.json('POST', `${place.path}/${call}`, {
      params: {
        keep_alive: keepAlive,
        routing: place.params['routing'],
        preference: place.params['preference'],
      },
      repeatable: true,
    });
    const shards = isObject(answer['_shards']) ? Number(answer['_shards']['total']) : undefined;
    const known = place.groups.flatMap((group) => group.entries);
    return {
      id: String(answer['id'] ?? answer['pit_id']),
      shards: shards ?? known.reduce((sum, entry) => sum + entry.shards, 0),
      createdMs: Number(answer['creation_time'] ?? nowMs()),
      keepAliveMs,
    };
  }

  async pointsInTime(owner?: string): Promise<readonly PointInTime[]> {
    refuseOwned(owner);
    const { client } = this.#options;
    if (client.engine.kind === 'elasticsearch') {
      throw new QuarryError(
        'illegal_argument_exception',
        'the Elasticsearch of this cluster does not list its points in time: close each by its id',
      );
    }
    const answer = await client.json('GET', '/_search/point_in_time/_all', { repeatable: true });
    const pits = Array.isArray(answer['pits']) ? (answer['pits'] as readonly JsonObject[]) : [];
    return pits.map((pit) => ({
      id: String(pit['pit_id']),
      shards: 0,
      createdMs: Number(pit['creation_time']),
      keepAliveMs: Number(pit['keep_alive']),
    }));
  }

  async closePointInTime(id: string, owner?: string): Promise<number> {
    refuseOwned(owner);
    const { client } = this.#options;
    const isElastic = client.engine.kind === 'elasticsearch';
    const answer = await client.json('DELETE', isElastic ? '/_pit' : '/_search/point_in_time', {
      body: isElastic ? { id } : { pit_id: [id] },
      repeatable: true,
      expected: [404],
    });
    if (isElastic) return Number(answer['num_freed'] ?? 0);
    const [first] = (answer['pits'] ?? []) as readonly JsonObject[];
    return first?.['successful'] === true ? 1 : 0;
  }

  /** A search whose body names a point in time. */
  async searchPointInTime(request: SearchRequest): Promise<SearchResult> {
    refuseOwned(request.access?.owner);
    const { search } = this.#options;
    const place = search.check({ ...request, index: '', allowNoIndices: true });
    // The point in time says which indexes are searched.
    const { typed_keys, request_cache } = place.params;
    const result = await search.ask('/_search', request, {
      ...place,
      path: '',
      params: { typed_keys, request_cache },
    });
    const pit = request.body['pit'];
    const given = isObject(pit) ? String(pit['id']) : '';
    return { ...result, pitId: result.pitId ?? given };
  }

  async startScroll(request: SearchRequest, keepAlive: string): Promise<SearchResult> {
    refuseOwned(request.access?.owner);
    checkScrollBody(request.body);
    const { search } = this.#options;
    const resolved = await search.resolved(request);
    const place = search.check(resolved);
    if (place.path === undefined) {
      throw new QuarryError(
        'illegal_argument_exception',
        `[${request.index}] reaches no index, of which the cluster opens no scroll: name an index`,
      );
    }
    return search.ask(`${place.path}/_search`, resolved, place, { scroll: keepAlive });
  }

  async nextBatch(
    id: string,
    keepAlive: string | undefined,
    waiter?: Waiter,
    owner?: string,
  ): Promise<SearchResult> {
    refuseOwned(owner);
    const { client } = this.#options;
    // A repeated request would pass over a batch.
    const answer = await client.call('POST', '/_search/scroll', {
      body: { scroll_id: id, ...(keepAlive === undefined ? {} : { scroll: keepAlive }) },
      repeatable: false,
      waiter,
    });
    return readSearch(answer.body, client.names);
  }

  async clearScrolls(ids: readonly string[] | 'all', owner?: string): Promise<number> {
    refuseOwned(owner);
    const answer = await this.#options.client.json('DELETE', '/_search/scroll', {
      body: { scroll_id: ids === 'all' ? ['_all'] : ids },
      repeatable: true,
      expected: [404],
    });
    return Number(answer['num_freed'] ?? 0);
  }
}

/** Ids of the cluster do not say who opened them, so that a key of some indexes could use any. */
function refuseOwned(owner: string | undefined): void {
  if (owner === undefined) return;
  throw new QuarryError(
    'security_exception',
    'scrolls and points in time need a key for all indices [*] in cluster mode: use search_after with a sort instead',
  );
}
