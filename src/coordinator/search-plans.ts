// The plans of one search: its body compiled for every group of indexes, and weighed by indices_boost.
import type { IndexOptions, JsonObject } from '../backend.js';
import type { Pinned } from '../query/pinned.js';
import { type CompileContext, type CompiledSearch, compileSearch } from '../query/search-body.js';
import { withBoost } from '../wire/plan-copies.js';
import type { Opcodes } from '../wire/plan-writer.js';
import type { Asked } from './ask.js';
import type { Catalog } from './catalog.js';
import { type SearchedIndex, shardsOfAll, type TargetGroup } from './search-targets.js';
import { DEFAULT_DOCVALUE_FIELDS, DEFAULT_RESULT_WINDOW, type IndexBehaviour } from './settings.js';

export interface CompiledGroup {
  readonly entries: readonly SearchedIndex[];
  readonly query: CompiledSearch;
}

export function compileGroups(
  body: JsonObject,
  groups: readonly TargetGroup[],
  {
    opcodes,
    nowMs,
    pinned,
  }: { readonly opcodes: Opcodes; readonly nowMs: number; readonly pinned?: Pinned | undefined },
): readonly CompiledGroup[] {
  const behaviours: IndexBehaviour[] = [];
  for (const { entries } of groups) for (const { behaviour } of entries) behaviours.push(behaviour);
  const least = (read: (one: IndexBehaviour) => number, without: number): number =>
    behaviours.length === 0 ? without : Math.min(...behaviours.map(read));
  // Each search is compiled once or a few times: members by name, as copies of objects are slow.
  const contextOf = ({ filters, slice }: TargetGroup): CompileContext => ({
    opcodes,
    nowMs,
    queryDefaults: behaviours.map((one) => one.queryDefaults),
    maxResultWindow: least((one) => one.maxResultWindow, DEFAULT_RESULT_WINDOW),
    shards: groups.reduce((sum, { entries }) => sum + shardsOfAll(entries).length, 0),
    maxDocvalueFields: least((one) => one.maxDocvalueFields, DEFAULT_DOCVALUE_FIELDS),
    pinned,
    filters,
    slice,
  });
  return groups.map((group) => ({
    entries: group.entries,
    query: compileSearch(body, contextOf(group)),
  }));
}

/** A search over nothing is still checked. */
export function orEmpty(groups: readonly TargetGroup[]): readonly TargetGroup[] {
  return groups.length === 0 ? [{ filters: [], entries: [] }] : groups;
}

/** One plan for each factor of indices_boost. */
export function boosted(
  { entries, query }: CompiledGroup,
  plan: Uint8Array<ArrayBuffer>,
  catalog: Catalog,
  options: IndexOptions,
): readonly Asked[] {
  if (query.indicesBoost.length === 0) return [{ entries, plan, weight: query.weight }];
  const byFactor = new Map<number, SearchedIndex[]>();
  const boosts = readBoosts(query, catalog, options);
  for (const entry of entries) {
    const factor = boosts.find(({ names }) => names.has(entry.name))?.boost ?? 1;
    const some = byFactor.get(factor);
    if (some === undefined) byFactor.set(factor, [entry]);
    else some.push(entry);
  }
  return [...byFactor].map(([factor, some]) => ({
    entries: some,
    plan: factor === 1 ? plan : withBoost(plan, factor),
  }));
}

function readBoosts(
  search: CompiledSearch,
  catalog: Catalog,
  { ignoreUnavailable = false, access }: IndexOptions,
): readonly { readonly names: ReadonlySet<string>; readonly boost: number }[] {
  return search.indicesBoost.map(({ index, boost }) => {
    const targets = catalog.resolve(index, {
      expandWildcards: ['open', 'hidden'],
      ignoreUnavailable,
      access,
    });
    return { names: new Set(targets.map((target) => target.index.name)), boost };
  });
}
