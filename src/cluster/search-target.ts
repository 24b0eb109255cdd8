// The path and parameters of a search in the cluster: which indexes it reaches, and how the caller
// may see them. The cluster applies the filters and routing of the aliases that are named.
import type { IndexOptions, SearchRequest } from '../backend/index.js';
import type { TargetGroup } from '../coordinator/shards/search-targets.js';
import { searchTargets } from '../coordinator/shards/search-targets.js';
import type { ClusterCatalog } from './cluster-catalog.js';
import type { QueryParams } from './cluster-client.js';
import type { MadeField } from './cluster-mappings.js';
import type { IndexNames } from './index-names.js';

export interface SearchPlace {
  /** `/a,b`; undefined: no index is reached. */
  readonly path: string | undefined;
  readonly params: QueryParams;
  /** For the checks of the body. */
  readonly groups: readonly TargetGroup[];
  readonly made: readonly MadeField[];
  /** All of the indexes have ID_FIELD, by which a sort by `_id` goes. */
  readonly hasId: boolean;
}

/** Characters of the names of indexes from which the expression itself is sent. */
const LONGEST = 3000;

/** Throws what is wrong with the names. */
export function searchPlace(
  request: Omit<SearchRequest, 'body'>,
  names: ClusterCatalog,
  inCluster: IndexNames,
): SearchPlace {
  const { catalog } = names;
  const groups = searchTargets(catalog, request.index, request);
  const entries = groups.flatMap((group) => group.entries);
  const made = new Map<string, MadeField>();
  for (const { number } of entries) {
    for (const field of names.of(number).made) made.set(field.path, field);
  }
  const hasId = entries.length > 0 && entries.every(({ number }) => names.of(number).hasId);
  const reading = { made: [...made.values()], hasId };
  const params = {
    routing: request.routing,
    preference: request.shards === undefined ? undefined : `_shards:${request.shards.join(',')}`,
    allow_partial_search_results: request.allowPartialResults,
    request_cache: request.requestCache,
    typed_keys: request.typedKeys,
  };
  if (entries.length === 0) return { path: undefined, params, groups, made: [], hasId: false };
  const targets = catalog
    .resolve(request.index, request)
    .filter(({ index }) => request.only?.includes(index.name) ?? true);
  const reached = new Set(
    targets.flatMap(({ index, aliases }) => (aliases === null ? [index.name] : aliases)),
  );
  const path = inCluster.path([...reached]);
  const isNarrowed = request.access !== undefined || request.only !== undefined;
  if (path.length <= LONGEST || isNarrowed) {
    return {
      path: `/${path}`,
      params: {
        ...params,
        ignore_unavailable: isPattern(request.index) || request.ignoreUnavailable,
      },
      groups,
      ...reading,
    };
  }
  return {
    path: `/${expressionOf(request.index, inCluster)}`,
    params: { ...params, ...optionsOf(request) },
    groups,
    ...reading,
  };
}

/** What a pattern matched may be gone by now; a name that is gone is an error. */
function isPattern(expression: string): boolean {
  return expression === '' || /[*,]|^_all$/.test(expression);
}

function expressionOf(expression: string, names: IndexNames): string {
  if (expression === '' || expression === '_all') return encodeURIComponent(names.inCluster('*'));
  return expression
    .split(',')
    .map((token) => {
      const isExcluded = token.startsWith('-');
      const name = names.inCluster(isExcluded ? token.slice(1) : token);
      return encodeURIComponent(isExcluded ? `-${name}` : name);
    })
    .join(',');
}

function optionsOf({
  expandWildcards,
  ignoreUnavailable,
  allowNoIndices,
}: IndexOptions): QueryParams {
  return {
    expand_wildcards: expandWildcards?.join(','),
    ignore_unavailable: ignoreUnavailable,
    allow_no_indices: allowNoIndices,
  };
}
