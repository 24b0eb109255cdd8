// Which shards a search asks, and with what: indexes that are reached through filtering aliases, or that
// indices_boost names, get a variant of the plan.
import type { JsonObject } from '../backend.js';
import type { ShardRef } from '../worker/tasks.js';
import { refuseBlocked } from './blocks.js';
import type { Catalog, IndexEntry } from './catalog.js';
import { shardsOf } from './get.js';
import type { ResolveOptions, Target } from './index-expression.js';
import { jsonText } from './json-text.js';

/** Indexes that are searched with the same extra filters. */
export interface TargetGroup {
  /** Any of these has to match; none: everything does. */
  readonly filters: readonly JsonObject[];
  readonly entries: readonly IndexEntry[];
}

/** The indexes of a search in groups of equal alias filters, nearly always one. */
export function searchTargets(
  catalog: Catalog,
  expression: string,
  options: ResolveOptions,
): readonly TargetGroup[] {
  const targets = catalog.resolve(expression, { ...options, forbidClosed: true });
  const groups = new Map<string, { filters: readonly JsonObject[]; entries: IndexEntry[] }>();
  for (const target of targets) {
    refuseBlocked(target.index, 'read');
    const filters = filtersOf(catalog, target);
    const key = filters.length === 0 ? '' : jsonText(filters);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { filters, entries: [target.index] });
    else group.entries.push(target.index);
  }
  return [...groups.values()];
}

function filtersOf(catalog: Catalog, target: Target<IndexEntry>): readonly JsonObject[] {
  return target.aliases === null ? [] : catalog.aliasFilters(target);
}

/** `body` with its query narrowed to what the filters let through; scores stay as they are. */
export function withFilters(body: JsonObject, filters: readonly JsonObject[]): JsonObject {
  if (filters.length === 0) return body;
  const filter = filters.length === 1 ? filters : [{ bool: { should: filters } }];
  const must = body['query'] ?? { match_all: {} };
  return { ...body, query: { bool: { must: [must], filter } } };
}

export function shardsOfAll(entries: readonly IndexEntry[]): readonly ShardRef[] {
  const [only] = entries;
  if (entries.length === 1 && only !== undefined) return shardsOf(only);
  return entries.flatMap(shardsOf);
}
