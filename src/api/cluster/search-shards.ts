// `_search_shards` and `_shard_stores`: which shards a search reaches, and where their copies are
// (all on this node).
import type { IndexDescription, JsonObject, SearchedShards } from '../../backend/index.js';
import { patternMatcher } from '../../base/wildcard.js';
import { healthOf, isDamaged } from '../indices/shard-health.js';
import { INDEX_OPTIONS, INDEX_READ_PARAMS, indexOptions } from '../kit/params.js';
import { preferenceParam } from '../kit/preference.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  optionalBody,
  part,
  type Route,
  resolveIndices,
} from '../kit/routes.js';
import { CLUSTER } from '../schemas/cluster.js';
import { nodeOf } from './nodes.js';

const STATUSES = ['green', 'yellow', 'red', 'all'];

export function searchShardRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: CLUSTER.searchShards,
      methods: ['GET', 'POST'],
      privilege: 'any',
      paths: ['/_search_shards', '/:index/_search_shards'],
      params: [...INDEX_READ_PARAMS, 'preference', 'routing'],
      handler: (request) => searchShards(deps, request),
    },
    {
      schema: CLUSTER.shardStores,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_shard_stores', '/:index/_shard_stores'],
      params: [...INDEX_OPTIONS, 'status'],
      handler: (request) => shardStores(deps, request),
    },
  ];
}

/** Numbers of the shards that are in service. */
function inService(index: IndexDescription): readonly number[] {
  const numbers = Array.from({ length: index.shards }, (_, shard) => shard);
  return numbers.filter((shard) => !isDamaged(index, shard));
}

async function searchShards(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  await optionalBody(request);
  const indices = resolveIndices(deps, request, { ignoreUnavailable: true });
  const { shards: chosen } = preferenceParam(request.params);
  const searched = new Map(searchedBy(deps, request).map((one) => [one.index, one]));
  const requested = (index: string, shard: number): boolean =>
    searched.get(index)?.shards.includes(shard) === true && (chosen?.includes(shard) ?? true);
  const shards = indices.flatMap((index) =>
    inService(index)
      .filter((shard) => requested(index.name, shard))
      .map((shard) => [
        {
          state: 'STARTED',
          primary: true,
          node: deps.node.nodeId,
          relocating_node: null,
          shard,
          index: index.name,
        },
      ]),
  );
  const isNamed = namedBy(expressionOf(request));
  const named = indices.map(({ name, aliases }): readonly [string, JsonObject] => {
    const list = Object.keys(aliases).filter(isNamed).sort();
    const filter = anyOf(searched.get(name)?.filters ?? []);
    return [
      name,
      {
        ...(list.length === 0 ? {} : { aliases: list }),
        ...(filter === undefined ? {} : { filter }),
      },
    ];
  });
  return ok({
    nodes: { [deps.node.nodeId]: nodeOf(deps) },
    indices: Object.fromEntries(named),
    shards,
  });
}

function searchedBy(deps: ApiDeps, request: ApiRequest): readonly SearchedShards[] {
  const { params } = request;
  const routing = params.text('routing');
  return deps.backend.searchedShards(part(request, 'index'), {
    ignoreUnavailable: true,
    ...indexOptions(params),
    ...(routing === undefined ? {} : { routing }),
  });
}

function expressionOf(request: ApiRequest): string {
  return part(request, 'index') || '_all';
}

/** A test of whether an expression names an alias. */
function namedBy(expression: string): (alias: string) => boolean {
  const tests = expression.split(',').map((name) => patternMatcher(name === '_all' ? '*' : name));
  return (alias) => tests.some((test) => test(alias));
}

/** Combines alias filters: a document matches if it matches any of them. */
function anyOf(filters: readonly JsonObject[]): JsonObject | undefined {
  return filters.length > 1 ? { bool: { should: filters } } : filters[0];
}

/** Without `status`, shows the indexes that lack a copy (yellow or red). */
function shardStores(deps: ApiDeps, request: ApiRequest): Answer {
  const requested = request.params.list('status') ?? ['yellow', 'red'];
  for (const status of requested) {
    if (!STATUSES.includes(status)) request.params.choice('status', STATUSES);
  }
  const indices = resolveIndices(deps, request).filter(
    (index) => requested.includes('all') || requested.includes(healthOf(index)),
  );
  const store = { [deps.node.nodeId]: nodeOf(deps), allocation: 'primary' };
  const printed = indices.map((index): readonly [string, JsonObject] => {
    const shards = inService(index).map((shard) => [String(shard), { stores: [store] }]);
    return [index.name, { shards: Object.fromEntries(shards) as JsonObject }];
  });
  return ok({ indices: Object.fromEntries(printed) });
}
