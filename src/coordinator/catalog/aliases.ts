// Aliases: their properties in requests and in responses of GET _alias, and the planning of an
// `_aliases` request against the indexes before anything is stored.
import type { AliasAction, AliasOutcome, JsonObject } from '../../backend/index.js';
import { asText, printValue } from '../../base/json-text.js';
import { patternMatcher } from '../../base/wildcard.js';
import { indexNotFound, QuarryError } from '../../errors.js';
import { checkIndexRouting } from './alias-routing.js';
import { checkAliasName, invalidAliasName } from './index-names.js';

/** The properties as GET _alias prints them. */
export interface AliasProperties {
  readonly filter?: JsonObject;
  readonly index_routing?: string;
  readonly search_routing?: string;
  readonly is_write_index?: boolean;
  readonly is_hidden?: boolean;
}

export type AliasTable = ReadonlyMap<string, AliasProperties>;
/** By index name. */
export type AliasTables = ReadonlyMap<string, AliasTable>;

const KNOWN = [
  'filter',
  'routing',
  'index_routing',
  'search_routing',
  'is_write_index',
  'is_hidden',
];

function bad(alias: string, what: string): QuarryError {
  return new QuarryError('illegal_argument_exception', `alias [${alias}]: ${what}`);
}

export function readAliasProperties(alias: string, body: JsonObject): AliasProperties {
  for (const key of Object.keys(body)) {
    if (!KNOWN.includes(key)) {
      throw bad(alias, `unknown field [${key}], known are [${KNOWN.join(', ')}]`);
    }
  }
  const both = textOf(alias, body, 'routing');
  const index = textOf(alias, body, 'index_routing') ?? both;
  const search = textOf(alias, body, 'search_routing') ?? both;
  const write = flagOf(alias, body, 'is_write_index');
  const hidden = flagOf(alias, body, 'is_hidden');
  const filter = filterOf(alias, body);
  return {
    ...(filter === undefined ? {} : { filter }),
    ...(index === undefined ? {} : { index_routing: index }),
    ...(search === undefined ? {} : { search_routing: search }),
    ...(write === undefined ? {} : { is_write_index: write }),
    ...(hidden === undefined ? {} : { is_hidden: hidden }),
  };
}

function textOf(alias: string, body: JsonObject, key: string): string | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object')
    throw bad(alias, `[${key}] must be a string, not an object or list`);
  return asText(value);
}

function flagOf(alias: string, body: JsonObject, key: string): boolean | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw bad(
    alias,
    `Failed to parse value [${printValue(value)}] of [${key}] as only [true] or [false] are allowed.`,
  );
}

function filterOf(alias: string, body: JsonObject): JsonObject | undefined {
  const value = body['filter'];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw bad(alias, '[filter] must be a query object');
  }
  return Object.keys(value).length === 0 ? undefined : (value as JsonObject);
}

/** Reads the `aliases` section of a new index. */
export function readAliasTable(section: JsonObject): AliasTable {
  const table = new Map<string, AliasProperties>();
  for (const [name, body] of Object.entries(section)) {
    checkAliasName(name);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw bad(name, 'its properties must be an object');
    }
    table.set(name, readAliasProperties(name, body as JsonObject));
  }
  return table;
}

export function printAliasTable(table: AliasTable): { readonly [alias: string]: JsonObject } {
  const names = [...table.keys()].sort();
  return Object.fromEntries(names.map((name) => [name, { ...table.get(name) } as JsonObject]));
}

/** The view of the indexes that the planning of alias changes needs. */
export interface AliasSpace {
  /** Names of the indexes that match an expression, without aliases. */
  resolve(expression: string): readonly string[];
  /** True if the client may change the alias. */
  allows(alias: string): boolean;
  tables(): AliasTables;
}

export interface AliasChanges {
  /** Index name -> its complete new table; only indexes that change. */
  readonly tables: AliasTables;
  readonly removedIndexes: readonly string[];
  /** The outcome of each action, in their order. */
  readonly outcomes: readonly AliasOutcome[];
}

/** Plans all actions in order without changing anything. Throws if one of them is invalid. */
export function planAliasActions(actions: readonly AliasAction[], space: AliasSpace): AliasChanges {
  const tables = new Map([...space.tables()].map(([name, table]) => [name, new Map(table)]));
  const changed = new Set<string>();
  const dropped = new Map(
    actions.flatMap((action) =>
      'removeIndex' in action ? [[action, removedIndexes(action.removeIndex.index, space)]] : [],
    ),
  );
  const outcomes = actions.map((action): AliasOutcome => {
    if ('add' in action) return addAlias(action.add, space, tables, changed);
    if ('remove' in action) return removeAliases(action.remove, space, tables, changed);
    return { indexes: dropped.get(action) ?? [], done: true };
  });
  refuseNothingRemoved(actions, outcomes);
  const removed = [...dropped.values()].flat();
  for (const name of removed) tables.delete(name);
  checkTables(tables, changed);
  return {
    tables: new Map(
      [...changed].flatMap((name) => {
        const table = tables.get(name);
        return table === undefined ? [] : [[name, table] as const];
      }),
    ),
    removedIndexes: removed,
    outcomes,
  };
}

type ChangingTables = Map<string, Map<string, AliasProperties>>;

function removedIndexes(expression: string, space: AliasSpace): readonly string[] {
  const names = space.resolve(expression);
  if (names.length === 0) throw indexNotFound(expression);
  return names;
}

function addAlias(
  add: { readonly index: string; readonly alias: string; readonly properties: JsonObject },
  space: AliasSpace,
  tables: ChangingTables,
  changed: Set<string>,
): AliasOutcome {
  checkAliasName(add.alias);
  const properties = readAliasProperties(add.alias, add.properties);
  checkIndexRouting(add.alias, properties);
  const indexes = space.resolve(add.index);
  if (indexes.length === 0) throw indexNotFound(add.index);
  for (const name of indexes) {
    tables.get(name)?.set(add.alias, properties);
    changed.add(name);
  }
  return { indexes, done: true };
}

function removeAliases(
  remove: { readonly index: string; readonly alias: string; readonly mustExist?: boolean },
  space: AliasSpace,
  tables: ChangingTables,
  changed: Set<string>,
): AliasOutcome {
  const matches = patternMatcher(remove.alias === '_all' ? '*' : remove.alias);
  let done = false;
  const indexes = space.resolve(remove.index);
  if (indexes.length === 0) throw indexNotFound(remove.index);
  for (const name of indexes) {
    const table = tables.get(name);
    for (const alias of [...(table?.keys() ?? [])]) {
      if (!matches(alias) || !space.allows(alias)) continue;
      table?.delete(alias);
      changed.add(name);
      done = true;
    }
  }
  if (!done && remove.mustExist === true) throw aliasesMissing([remove.alias]);
  return { indexes, done };
}

/**
 * A request that removes nothing, although it has removals that must succeed, is an error; with a
 * successful action the response shows it.
 */
function refuseNothingRemoved(
  actions: readonly AliasAction[],
  outcomes: readonly AliasOutcome[],
): void {
  if (outcomes.some(({ done }) => done)) return;
  const missing = actions.flatMap((action) =>
    'remove' in action && action.remove.mustExist !== false ? [action.remove.alias] : [],
  );
  if (missing.length > 0) throw aliasesMissing([...new Set(missing)]);
}

function aliasesMissing(names: readonly string[]): QuarryError {
  const joined = names.join(',');
  return new QuarryError('aliases_not_found_exception', `aliases [${joined}] missing`, {
    extra: { 'resource.type': 'aliases', 'resource.id': joined },
  });
}

/** Throws if an alias has the name of an index or has two write indexes. */
function checkTables(tables: AliasTables, changed: ReadonlySet<string>): void {
  const fresh = new Set([...changed].flatMap((name) => [...(tables.get(name)?.keys() ?? [])]));
  for (const alias of fresh) {
    if (tables.has(alias)) {
      throw invalidAliasName(
        alias,
        'an index or data stream exists with the same name as the alias',
      );
    }
    checkWriteIndex(alias, tables);
  }
}

/**
 * Throws illegal_argument_exception when several indexes are declared as the write index of
 * `alias`.
 */
export function checkWriteIndex(alias: string, tables: AliasTables): void {
  const writers = [...tables]
    .filter(([, table]) => table.get(alias)?.is_write_index === true)
    .map(([name]) => name)
    .sort();
  if (writers.length < 2) return;
  throw bad(alias, `has more than one write index [${writers.join(',')}]`);
}
