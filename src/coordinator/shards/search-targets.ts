// Resolves the shards of a search. Indexes that are reached through filtered aliases form groups
// with a plan of their own; routing restricts an index to some of its shards.
import type {
  IndexOptions,
  JsonObject,
  SearchedShards,
  SearchRequest,
} from '../../backend/index.js';
import type { SliceClause } from '../../query/clauses/slice.js';
import type { ShardRef } from '../../worker/tasks.js';
import { searchRouting, splitRouting } from '../catalog/alias-routing.js';
import { refuseBlocked } from '../catalog/blocks.js';
import type { Catalog, IndexEntry } from '../catalog/catalog.js';
import type { Target } from '../catalog/index-expression.js';
import { shardsOf } from '../catalog/index-shards.js';
import { jsonText } from '../catalog/json-text.js';
import { shardOfRouting } from '../catalog/routing-hash.js';

/** An index as one search sees it. */
export interface SearchedIndex extends IndexEntry {
  /** The shards that routing selects, in order; absent: all of them. */
  readonly searched?: readonly number[];
}

/** Indexes that are searched with the same extra filters. */
export interface TargetGroup {
  /** A document has to match any of these; if there are none, every document matches. */
  readonly filters: readonly JsonObject[];
  readonly entries: readonly SearchedIndex[];
  /** The part of the documents to search; absent: all documents of the searched shards. */
  readonly slice?: SliceClause;
}

/** The indexes of a search, grouped by equal alias filters; usually there is one group. */
export function searchTargets(
  catalog: Catalog,
  expression: string,
  options: Omit<SearchRequest, 'index' | 'body'>,
): readonly TargetGroup[] {
  const { ignoreUnavailable, allowNoIndices, expandWildcards, access, only } = options;
  const of = { ignoreUnavailable, allowNoIndices, expandWildcards, access, forbidClosed: true };
  const named = catalog.resolve(expression, of);
  const targets =
    only === undefined ? named : named.filter(({ index }) => only.includes(index.name));
  const requested = splitRouting(options.routing);
  const groups = new Map<string, { filters: readonly JsonObject[]; entries: SearchedIndex[] }>();
  for (const target of targets) {
    refuseBlocked(target.index, 'read');
    const filters = filtersOf(catalog, target);
    const key = filters.length === 0 ? '' : jsonText(filters);
    const group = groups.get(key);
    const entry = chosen(narrowed(target, requested), options.shards);
    if (group === undefined) groups.set(key, { filters, entries: [entry] });
    else group.entries.push(entry);
  }
  return [...groups.values()];
}

/** The shards and filters that a search of the expression would use, by index. */
export function searchedOf(
  catalog: Catalog,
  expression: string,
  options: IndexOptions & { readonly routing?: string },
): readonly SearchedShards[] {
  const requested = splitRouting(options.routing);
  return catalog.resolve(expression, options).map((target) => ({
    index: target.index.name,
    shards: shardsOfAll([narrowed(target, requested)]).map(({ shard }) => shard),
    filters: filtersOf(catalog, target),
  }));
}

function filtersOf(catalog: Catalog, target: Target<IndexEntry>): readonly JsonObject[] {
  return target.aliases === null ? [] : catalog.aliasFilters(target);
}

function narrowed(
  { index, aliases }: Target<IndexEntry>,
  requested: readonly string[] | undefined,
): SearchedIndex {
  if (requested === undefined && aliases === null) return index;
  const reached = aliases?.map((alias) => index.aliases.get(alias) ?? {}) ?? [{}];
  const values = searchRouting(reached, requested);
  if (values === undefined) return index;
  const searched = new Set(values.map((value) => shardOfRouting(value, index.shards)));
  return { ...index, searched: [...searched].sort((a, b) => a - b) };
}

/** Restricts an index to the shards that the request names. */
function chosen(entry: SearchedIndex, shards: readonly number[] | undefined): SearchedIndex {
  if (shards === undefined) return entry;
  const { searched = Array.from({ length: entry.shards }, (_, shard) => shard) } = entry;
  return { ...entry, searched: searched.filter((shard) => shards.includes(shard)) };
}

export function shardsOfAll(entries: readonly SearchedIndex[]): readonly ShardRef[] {
  const [only] = entries;
  if (entries.length === 1 && only !== undefined) return searchedShards(only);
  return entries.flatMap(searchedShards);
}

function searchedShards(entry: SearchedIndex): readonly ShardRef[] {
  return entry.searched?.map((shard) => ({ index: entry.number, shard })) ?? shardsOf(entry);
}
