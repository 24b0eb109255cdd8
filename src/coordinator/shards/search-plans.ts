// Compiles the plans of a search: one per group of indexes, weighted by indices_boost.
import type { IndexOptions, JsonObject } from '../../backend/index.js';
import type { CompiledQuery } from '../../query/compiled-query.js';
import { leastLimits } from '../../query/limits.js';
import type { PinnedSnapshots } from '../../query/pinned.js';
import {
  type CompileContext,
  type CompiledSearch,
  compileCount,
  compileSearch,
} from '../../query/search-body.js';
import { withBoost } from '../../wire/plan-copies.js';
import type { Opcodes } from '../../wire/plan-writer.js';
import type { Catalog } from '../catalog/catalog.js';
import type { IndexBehaviour } from '../catalog/settings.js';
import { type SearchedIndex, shardsOfAll, type TargetGroup } from './search-targets.js';
import type { PlannedShards } from './shard-client.js';

export interface CompiledGroup {
  readonly entries: readonly SearchedIndex[];
  readonly query: CompiledSearch;
}

/** The inputs of plans that depend only on the searched indexes. */
export type PlanSetting = Required<Pick<CompileContext, 'queryDefaults' | 'limits' | 'shards'>>;

export function planSetting(groups: readonly TargetGroup[]): PlanSetting {
  const behaviours = behavioursOf(groups);
  return {
    queryDefaults: behaviours.map((one) => one.queryDefaults),
    limits: leastLimits(behaviours.map((one) => one.limits)),
    shards: groups.reduce((sum, { entries }) => sum + shardsOfAll(entries).length, 0),
  };
}

/** Compiles the body for every group. The last argument is the planSetting() of `groups`. */
export function compileGroups(
  body: JsonObject,
  groups: readonly TargetGroup[],
  {
    opcodes,
    nowMs,
    pinned,
    hitsJson = false,
    totalAsInt,
    withoutInnerHits,
  }: {
    readonly opcodes: Opcodes;
    readonly nowMs: number;
    readonly pinned?: PinnedSnapshots | undefined;
    readonly hitsJson?: boolean;
    readonly totalAsInt?: boolean | undefined;
    readonly withoutInnerHits?: boolean;
  },
  { queryDefaults, limits, shards } = planSetting(groups),
): readonly CompiledGroup[] {
  // Lists the members by name: this runs for every search, and object spread is slow.
  const contextOf = ({ filters, slice }: TargetGroup): CompileContext => ({
    opcodes,
    nowMs,
    queryDefaults,
    limits,
    shards,
    pinned,
    hitsJson,
    totalAsInt,
    withoutInnerHits,
    filters,
    slice,
  });
  return groups.map((group) => ({
    entries: group.entries,
    query: compileSearch(body, contextOf(group)),
  }));
}

/** Compiles counts, which have neither a page nor a sort order. */
export function compileCounts(
  body: JsonObject,
  groups: readonly TargetGroup[],
  at: Pick<CompileContext, 'opcodes' | 'nowMs'>,
): readonly { readonly entries: readonly SearchedIndex[]; readonly query: CompiledQuery }[] {
  const limits = leastLimits(behavioursOf(groups).map((one) => one.limits));
  return groups.map(({ entries, filters }) => ({
    entries,
    query: compileCount(body, { ...at, limits, filters }),
  }));
}

function behavioursOf(groups: readonly TargetGroup[]): readonly IndexBehaviour[] {
  const behaviours: IndexBehaviour[] = [];
  for (const { entries } of groups) for (const { behaviour } of entries) behaviours.push(behaviour);
  return behaviours;
}

/** Returns an empty group if there is none, so that the body of a search is always checked. */
export function orEmpty(groups: readonly TargetGroup[]): readonly TargetGroup[] {
  return groups.length === 0 ? [{ filters: [], entries: [] }] : groups;
}

/** Makes one plan for each factor of indices_boost. */
export function boosted(
  { entries, query }: CompiledGroup,
  plan: Uint8Array<ArrayBuffer>,
  catalog: Catalog,
  options: IndexOptions,
): readonly PlannedShards[] {
  if (query.indicesBoost.length === 0) return [{ entries, plan }];
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
