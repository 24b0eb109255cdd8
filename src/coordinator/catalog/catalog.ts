// The table of indexes and aliases in memory, against which every request resolves its names. The
// engine's descriptions on disk are authoritative; index-admin.ts changes both. There is no I/O
// here.
import type {
  Access,
  IndexDescription,
  IndexOptions,
  JsonObject,
  ShardDamage,
} from '../../backend/index.js';
import { indexNotFound, QuarryError } from '../../errors.js';
import { type MappedEmbedders, NO_EMBEDDERS } from '../inference/mapped-embedders.js';
import { documentRouting } from './alias-routing.js';
import {
  type AliasProperties,
  type AliasTable,
  type AliasTables,
  printAliasTable,
  readAliasTable,
} from './aliases.js';
import { withCompanions } from './companion-fields.js';
import {
  indexClosed,
  type NamedIndex,
  type NameSpace,
  type ResolveOptions,
  resolveExpression,
  type Target,
} from './index-expression.js';
import { isDotName } from './index-names.js';
import { parseJson } from './json-text.js';
import { withKnnVectors } from './knn-vectors.js';
import { type MappedParts, MappingParts, mappedParts } from './mapping-parts.js';
import { type SemanticFields, semanticFields } from './semantic-fields.js';
import {
  behaviourOf,
  type IndexBehaviour,
  printSettings,
  readSettings,
  type Settings,
} from './settings.js';
import { SharedParts } from './shared-parts.js';

/** The description of an index by the engine (Engine::describe). */
interface StoredDescription {
  readonly name: string;
  readonly number: number;
  readonly uuid: string;
  readonly number_of_shards: number;
  readonly creation_date: number;
  readonly state?: 'open' | 'close';
  readonly settings?: JsonObject;
  readonly aliases?: JsonObject | undefined;
  readonly mappings?: JsonObject;
}

/** An index. Immutable; a change replaces the entry. */
export interface IndexEntry extends NamedIndex {
  readonly number: number;
  readonly shards: number;
  readonly creationDate: number;
  readonly settings: Settings;
  readonly behaviour: IndexBehaviour;
  readonly aliases: AliasTable;
  /** The remote embedders of its semantic_text fields, including those of dynamic templates. */
  readonly embedders: MappedEmbedders;
  /** Of the last explicit change of the mapping. */
  readonly semantic: SemanticFields;
}

/** Throws for an invalid description; readIndex() is for descriptions on disk. */
export function readEntry(json: string): IndexEntry {
  return toEntry(parseJson(json) as unknown as StoredDescription);
}

/** An index as far as its description can be read. */
export interface ReadIndex {
  /** The JSON of the description. */
  readonly description: string;
  readonly entry: IndexEntry;
  /** Why the description cannot be read: the entry then has only its names. */
  readonly damage?: string;
}

/**
 * Never throws: every index on disk has an entry in the catalog. `mappings`: shared by the
 * descriptions that are read together.
 */
export function readIndex(description: string, mappings = new MappingParts()): ReadIndex {
  try {
    const split = mappings.split(description);
    const entry =
      split === undefined
        ? readEntry(description)
        : toEntry(split.rest as unknown as StoredDescription, split.parts);
    return { description, entry };
  } catch (error) {
    const entry = guessEntry(description);
    const why = (error as Error).message;
    const damage = `the description of index [${entry.name}] cannot be read: ${why}`;
    return { description, entry, damage };
  }
}

function toEntry(
  stored: StoredDescription,
  { embedders, semantic }: MappedParts = mappedParts(stored.mappings ?? {}),
): IndexEntry {
  const settings = readSettings(stored.settings ?? {});
  return {
    ...identity(stored),
    state: stored.state ?? 'open',
    ...ofSettings(settings, stored.name),
    aliases: readAliasTable(stored.aliases ?? {}),
    embedders,
    semantic,
  };
}

function identity(
  stored: StoredDescription,
): Pick<IndexEntry, 'name' | 'number' | 'uuid' | 'shards' | 'creationDate'> {
  const { name, number, uuid, number_of_shards: shards } = stored;
  return { name, number, uuid, shards, creationDate: Number(stored.creation_date) };
}

function ofSettings(
  settings: Settings,
  name: string,
): Pick<IndexEntry, 'settings' | 'behaviour' | 'hidden'> {
  const behaviour = behaviourOf(settings, isDotName(name));
  return { hidden: behaviour.hidden, settings, behaviour };
}

/** The identity of an index and the names of its aliases, from an unreadable description. */
function guessEntry(json: string): IndexEntry {
  const stored = guessDescription(json);
  const { aliases } = stored;
  const names = typeof aliases === 'object' && aliases !== null ? Object.keys(aliases) : [];
  return {
    ...identity(stored),
    state: 'open',
    ...ofSettings(new Map(), stored.name),
    aliases: new Map(names.map((name) => [name, {}])),
    embedders: NO_EMBEDDERS,
    semantic: semanticFields({}),
  };
}

function guessDescription(json: string): StoredDescription {
  let read: Partial<StoredDescription> = {};
  try {
    read = parseJson(json) as unknown as Partial<StoredDescription>;
  } catch {
    // The engine writes these members first, so that they are found by patterns.
  }
  const number = Number(read.number ?? /"number":(\d+)/.exec(json)?.[1] ?? 0);
  const name = read.name ?? /"name":"([^"\\]+)"/.exec(json)?.[1];
  const shards = Number(read.number_of_shards ?? /"number_of_shards":"?(\d+)/.exec(json)?.[1]);
  return {
    number,
    name: typeof name === 'string' && name !== '' ? name : `damaged-${number}`,
    uuid: String(read.uuid ?? ''),
    number_of_shards: Number.isSafeInteger(shards) ? shards : 1,
    creation_date: Number(read.creation_date) || 0,
    aliases: read.aliases,
  };
}

/** The target of an operation on one document. `routing` absent: the id determines the shard. */
export interface DocumentPlace {
  readonly entry: IndexEntry;
  readonly routing?: string;
  /**
   * Filter of the alias through which it was reached: documents that do not match are hidden.
   * Absent: all are visible.
   */
  readonly filter?: JsonObject;
}

/** An atomic change of the catalog. */
export interface CatalogChange {
  /** Descriptions of new and changed indexes. */
  readonly put: readonly string[];
  /** Names of removed indexes; the same change may give such a name to another index. */
  readonly removed: readonly string[];
}

interface AliasMember {
  readonly entry: IndexEntry;
  readonly properties: AliasProperties;
}

export class Catalog implements NameSpace<IndexEntry> {
  readonly #byName = new Map<string, IndexEntry>();
  readonly #byNumber = new Map<number, IndexEntry>();
  readonly #shared = new SharedParts();
  /** Rebuilt after a change of indexes or aliases, on first use. */
  #aliases: ReadonlyMap<string, readonly AliasMember[]> | null = null;
  #tell: (change: CatalogChange) => void = () => {};
  #version = 0;

  /** Differs after every change. */
  get version(): number {
    return this.#version;
  }

  /** `reported` is called for every later change, before a request can see it. */
  watch(reported: (change: CatalogChange) => void): void {
    this.#tell = reported;
  }

  /** Atomic: no request sees a part of the change. */
  change(put: readonly ReadIndex[], removed: readonly string[]): void {
    for (const name of removed) this.#remove(name);
    for (const { entry } of put) this.#put(entry);
    this.#version += 1;
    this.#tell({ put: put.map(({ description }) => description), removed });
  }

  #put(given: IndexEntry): void {
    const entry = this.#shared.share(given);
    this.#forgetAliases(this.#byName.get(entry.name));
    this.#forgetAliases(entry);
    this.#byName.set(entry.name, entry);
    this.#byNumber.set(entry.number, entry);
  }
  #remove(name: string): void {
    const entry = this.#byName.get(name);
    if (entry === undefined) return;
    this.#byName.delete(name);
    this.#byNumber.delete(entry.number);
    this.#forgetAliases(entry);
  }

  /** Discards the alias table if the entry has aliases. */
  #forgetAliases(entry: IndexEntry | undefined): void {
    if (entry !== undefined && entry.aliases.size > 0) this.#aliases = null;
  }

  get size(): number {
    return this.#byName.size;
  }
  index(name: string): IndexEntry | undefined {
    return this.#byName.get(name);
  }
  byNumber(number: number): IndexEntry | undefined {
    return this.#byNumber.get(number);
  }
  indexes(): Iterable<IndexEntry> {
    return this.#byName.values();
  }
  alias(name: string): readonly IndexEntry[] | undefined {
    return this.#members(name)?.map((member) => member.entry);
  }
  *aliases(): Iterable<{ readonly name: string; readonly hidden: boolean }> {
    for (const [name, members] of this.#aliasTable()) {
      yield { name, hidden: members.every((member) => member.properties.is_hidden === true) };
    }
  }
  isAlias(name: string): boolean {
    return this.#aliasTable().has(name);
  }
  /** Index name -> its aliases. */
  aliasTables(): AliasTables {
    return new Map([...this.#byName].map(([name, entry]) => [name, entry.aliases]));
  }

  resolve(expression: string, options: ResolveOptions): readonly Target<IndexEntry>[] {
    return resolveExpression<IndexEntry>(this, expression, options);
  }
  /**
   * True if resolve() finds all indexes. A pattern without a match counts as missing only if
   * `allowNoIndices` is false.
   */
  exists(expression: string, options: IndexOptions): boolean {
    try {
      this.resolve(expression, options);
      return true;
    } catch (error) {
      if (error instanceof QuarryError && error.type === 'index_not_found_exception') return false;
      throw error;
    }
  }

  /** The only index behind a name, for reading one document. `routing`: of the request. */
  single(name: string, routing?: string): DocumentPlace {
    const direct = this.#byName.get(name);
    if (direct !== undefined) return place(direct, routing);
    const members = this.#members(name);
    const [first, second] = members ?? [];
    if (first === undefined) throw indexNotFound(name);
    if (second !== undefined) {
      const names = members?.map((member) => member.entry.name).sort();
      throw new QuarryError(
        'illegal_argument_exception',
        `alias [${name}] has more than one index associated with it [${names?.join(', ')}], can't execute a single index op`,
      );
    }
    return memberPlace(name, first, routing);
  }

  /**
   * The index for a write to `name`, or undefined if the name does not exist. An alias writes to
   * its write index, or to its only index. `routing`: of the request.
   */
  writeTarget(name: string, routing?: string): DocumentPlace | undefined {
    const direct = this.#byName.get(name);
    if (direct !== undefined) return place(direct, routing);
    const members = this.#members(name);
    if (members === undefined) return undefined;
    const target = written(members);
    if (target === undefined) {
      throw new QuarryError(
        'illegal_argument_exception',
        `no write index is defined for alias [${name}]. The write index may be explicitly disabled using ` +
          'is_write_index=false or the alias points to multiple indices without one being designated as a write index',
      );
    }
    return memberPlace(name, target, routing);
  }

  /** The write index of an alias, open or closed. */
  writeIndex(alias: string): IndexEntry | undefined {
    return written(this.#members(alias) ?? [])?.entry;
  }

  /**
   * The targets without indexes that were reached only through aliases that do not write to them.
   */
  writtenTo(targets: readonly Target<IndexEntry>[]): readonly Target<IndexEntry>[] {
    return targets.filter(
      ({ index, aliases }) =>
        aliases === null || aliases.some((alias) => this.writeTarget(alias)?.entry === index),
    );
  }

  /**
   * The filters of the aliases through which an index was reached; empty if one of them has no
   * filter.
   */
  aliasFilters(target: Target<IndexEntry>): readonly JsonObject[] {
    if (target.aliases === null) return [];
    const filters: JsonObject[] = [];
    for (const alias of target.aliases) {
      const filter = target.index.aliases.get(alias)?.filter;
      if (filter === undefined) return [];
      filters.push(filter);
    }
    return filters;
  }

  /**
   * The aliases of an index that `access` allows, if it sees the index only through filters of
   * aliases; undefined: it may use the index itself, or an alias without a filter.
   */
  filteredBy(index: IndexEntry, access: Access | undefined): readonly string[] | undefined {
    if (access === undefined || access.allows(index.name)) return undefined;
    const allowed = [...index.aliases].filter(([alias]) => access.allows(alias));
    if (allowed.some(([, { filter }]) => filter === undefined)) return undefined;
    return allowed.map(([alias]) => alias);
  }

  #members(alias: string): readonly AliasMember[] | undefined {
    return this.#aliasTable().get(alias);
  }

  #aliasTable(): ReadonlyMap<string, readonly AliasMember[]> {
    if (this.#aliases !== null) return this.#aliases;
    const table = new Map<string, AliasMember[]>();
    for (const entry of this.#byName.values()) {
      for (const [alias, properties] of entry.aliases) {
        const members = table.get(alias);
        if (members === undefined) table.set(alias, [{ entry, properties }]);
        else members.push({ entry, properties });
      }
    }
    this.#aliases = table;
    return table;
  }
}

function written(members: readonly AliasMember[]): AliasMember | undefined {
  const [only, another] = members;
  const declared = members.find(({ properties }) => properties.is_write_index === true);
  if (declared !== undefined || another !== undefined) return declared;
  return only?.properties.is_write_index === false ? undefined : only;
}

function mustBeOpen(entry: IndexEntry): IndexEntry {
  if (entry.state === 'close') throw indexClosed(entry);
  return entry;
}

function place(entry: IndexEntry, routing: string | undefined): DocumentPlace {
  return { entry: mustBeOpen(entry), ...(routing === undefined ? {} : { routing }) };
}

/** The place of a document that is reached through the alias `name`. */
function memberPlace(
  name: string,
  { entry, properties }: AliasMember,
  routing: string | undefined,
): DocumentPlace {
  const found = place(entry, documentRouting(name, properties, routing));
  const { filter } = properties;
  return filter === undefined ? found : { ...found, filter };
}

/**
 * The description of the entry for the administration API; its larger parts are computed on access.
 */
export function describeEntry(
  entry: IndexEntry,
  mappings: () => JsonObject,
  damage: () => readonly ShardDamage[],
  filteredBy?: readonly string[],
): IndexDescription {
  return {
    ...(filteredBy === undefined ? {} : { filteredBy }),
    name: entry.name,
    number: entry.number,
    uuid: entry.uuid,
    shards: entry.shards,
    state: entry.state,
    hidden: entry.hidden,
    creationDate: entry.creationDate,
    get settings(): JsonObject {
      return printSettings(entry.settings, entry);
    },
    get mappings(): JsonObject {
      return withKnnVectors(withCompanions(mappings()));
    },
    get aliases(): IndexDescription['aliases'] {
      return printAliasTable(entry.aliases);
    },
    get damage(): readonly ShardDamage[] {
      return damage();
    },
  };
}
