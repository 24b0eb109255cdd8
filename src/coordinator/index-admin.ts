// Changes of indexes: create, drop, mapping, settings, aliases, open and close. One change runs at a time; the engine
// makes it durable first, then the catalog shows it.

import type {
  AliasAction,
  AliasOutcome,
  IndexOptions,
  IndexRestore,
  JsonObject,
  PutMappingOptions,
  PutSettingsOptions,
} from '../backend.js';
import { QuarryError } from '../errors.js';
import { asText } from '../json-text.js';
import { checkIndexRouting } from './alias-routing.js';
import { planUpdate } from './alias-update.js';
import { type AliasTable, checkWriteIndex, printAliasTable, readAliasTable } from './aliases.js';
import { refuseBlocked } from './blocks.js';
import { type Catalog, type IndexEntry, readEntry } from './catalog.js';
import { checkIndexName, invalidAliasName, invalidIndexName } from './index-names.js';
import { section } from './index-sections.js';
import type { LocalTemplates } from './index-templates.js';
import { jsonText } from './json-text.js';
import type { TaskRunner } from './pools.js';
import { checkReplaceable, type RestoredIndex, restoredIndex } from './restored-index.js';
import { Serial } from './serial.js';
import {
  changesBlocksOnly,
  changesStatic,
  createSettings,
  nest,
  numberOfShards,
  updateSettings,
} from './settings.js';

/** Of the built-in analyzers that a new index has (native/core/engine/index_spec.h). */
const ANALYSIS_VERSION = 2;

export interface IndexAdminOptions {
  readonly catalog: Catalog;
  readonly tasks: TaskRunner;
  /** Wall clock, for creation_date. */
  readonly nowMs: () => number;
  /** Refuses a filter that is no query. */
  readonly checkFilter: (filter: JsonObject) => void;
  readonly onSettings: (entry: IndexEntry) => void;
  /** What an index that a write creates starts with; a service may know more of its name than that it is free. */
  readonly bodyOfNew: (name: string) => JsonObject;
  readonly templates: LocalTemplates;
  /** Checks and completes what semantic_text fields say of their embedders. */
  readonly completeMappings: (mappings: JsonObject) => JsonObject;
  /** Throws where fields name embeddings services that nobody registered. */
  readonly checkRegistered: (mappings: JsonObject) => void;
}

export class IndexAdmin {
  readonly #options: IndexAdminOptions;
  readonly #serial = new Serial();
  /** Names that a write is having created; others that write to them join in. */
  readonly #autoCreating = new Map<string, Promise<void>>();

  constructor(options: IndexAdminOptions) {
    this.#options = options;
  }

  /** Runs `work` beside no change of an index. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#serial.run(work);
  }

  create(
    name: string,
    body: JsonObject,
    { access }: Pick<IndexOptions, 'access'> = {},
  ): Promise<IndexEntry> {
    return this.#serial.run(async () => {
      if (access !== undefined) this.#options.checkRegistered(section(body, 'mappings'));
      return this.#create(name, body);
    });
  }

  /** Makes sure that something of that name can be written to. */
  autoCreate(name: string): Promise<void> {
    const running = this.#autoCreating.get(name);
    if (running !== undefined) return running;
    const creating = this.#serial
      .run(async () => {
        const { catalog, bodyOfNew, templates } = this.#options;
        if (catalog.writeTarget(name) !== undefined) return;
        templates.checkAutoCreate(name);
        await this.#create(name, bodyOfNew(name));
      })
      .finally(() => this.#autoCreating.delete(name));
    this.#autoCreating.set(name, creating);
    return creating;
  }

  /** Names of what was dropped. */
  drop(expression: string, options: IndexOptions): Promise<readonly string[]> {
    return this.#serial.run(async () => {
      const targets = this.#options.catalog.resolve(expression, {
        expandWildcards: ['open', 'closed'],
        ...options,
        ignoreAliases: true,
      });
      for (const { index } of targets) refuseBlocked(index, 'delete_index');
      for (const { index } of targets) await this.#drop(index);
      return targets.map(({ index }) => index.name);
    });
  }

  putMapping(expression: string, body: JsonObject, options: PutMappingOptions): Promise<void> {
    return this.#serial.run(async () => {
      const { catalog } = this.#options;
      if (options.access !== undefined) this.#options.checkRegistered(body);
      const all = catalog.resolve(expression, { allowNoIndices: false, ...options });
      const targets = options.writeIndexOnly === true ? catalog.writtenTo(all) : all;
      for (const { index } of targets) refuseBlocked(index, 'change_index');
      const mappings = jsonText(this.#options.completeMappings(body));
      for (const { index } of targets) {
        const described = await this.#options.tasks.run('putMapping', {
          index: index.number,
          mappings,
        });
        catalog.put(readEntry(described));
      }
    });
  }

  putSettings(
    expression: string,
    body: JsonObject,
    { preserveExisting = false, reopen = false, ...options }: PutSettingsOptions,
  ): Promise<void> {
    return this.#serial.run(async () => {
      const targets = this.#options.catalog.resolve(expression, {
        expandWildcards: ['open', 'closed'],
        allowNoIndices: false,
        ...options,
      });
      const changes = targets.map(({ index }) => {
        const reopens = reopen && index.state === 'open' && changesStatic(body);
        const owner = reopens ? { ...index, state: 'close' as const } : index;
        const settings = updateSettings(owner, body, preserveExisting);
        if (!changesBlocksOnly(index.settings, settings)) refuseBlocked(index, 'change_index');
        return { index, reopens, members: { settings: nest(settings) } };
      });
      for (const { index, reopens, members } of changes) {
        if (reopens) await this.#putSpec(index, { state: 'close' });
        try {
          this.#options.onSettings(await this.#putSpec(index, members));
        } finally {
          if (reopens) await this.#putSpec(index, { state: 'open' });
        }
      }
    });
  }

  updateAliases(
    actions: readonly AliasAction[],
    { access }: Pick<IndexOptions, 'access'> = {},
  ): Promise<readonly AliasOutcome[]> {
    return this.#serial.run(async () => {
      const { catalog, checkFilter } = this.#options;
      const plan = planUpdate(actions, catalog, checkFilter, access);
      for (const name of plan.removedIndexes) {
        const entry = catalog.index(name);
        if (entry !== undefined) await this.#drop(entry);
      }
      for (const [name, table] of plan.tables) {
        const entry = catalog.index(name);
        if (entry === undefined) continue;
        await this.#putSpec(entry, { aliases: printAliasTable(table) });
      }
      return plan.outcomes;
    });
  }

  /** Names of what was in the other state. */
  setState(
    expression: string,
    state: 'open' | 'close',
    options: IndexOptions,
  ): Promise<readonly string[]> {
    return this.#serial.run(async () => {
      const targets = this.#options.catalog.resolve(expression, {
        expandWildcards: [state === 'open' ? 'closed' : 'open'],
        ...options,
      });
      const others = targets.map(({ index }) => index).filter((index) => index.state !== state);
      for (const index of others) refuseBlocked(index, 'change_index');
      for (const index of others) await this.#putSpec(index, { state });
      return others.map(({ name }) => name);
    });
  }

  /** Whether adopt() would take it now. */
  checkAdoption(restore: IndexRestore): RestoredIndex {
    const { name, description } = restore;
    const made = restoredIndex(restore);
    checkIndexName(name);
    const present = this.#options.catalog.index(name);
    if (present === undefined) this.#checkNewName(name);
    else checkReplaceable(present, asText(description['name']), made.shards);
    this.#checkNewAliases(name, made.aliases);
    return made;
  }

  /** An index that `make` makes of a copy and its spec; answers the description. A closed one of its name gives way. */
  adopt(restore: IndexRestore, make: (spec: JsonObject) => Promise<string>): Promise<IndexEntry> {
    return this.#serial.run(async () => {
      const { spec } = this.checkAdoption(restore);
      const present = this.#options.catalog.index(restore.name);
      if (present !== undefined) await this.#drop(present);
      const entry = readEntry(await make(spec));
      this.#options.catalog.put(entry);
      return entry;
    });
  }

  /** Keys of `asked` other than settings, mappings and aliases are allowed and ignored. */
  async #create(name: string, asked: JsonObject): Promise<IndexEntry> {
    const { catalog, tasks, templates } = this.#options;
    this.#checkNewName(name);
    const body = templates.applied(name, asked);
    const settings = createSettings(section(body, 'settings'));
    const aliases = readAliasTable(section(body, 'aliases'));
    this.#checkNewAliases(name, aliases);
    const spec = {
      name,
      number_of_shards: numberOfShards(settings),
      creation_date: this.#options.nowMs(),
      analysis_version: ANALYSIS_VERSION,
      state: 'open',
      settings: nest(settings),
      aliases: printAliasTable(aliases),
      mappings: this.#options.completeMappings(section(body, 'mappings')),
    };
    const entry = readEntry(await tasks.run('createIndex', { spec: jsonText(spec) }));
    catalog.put(entry);
    return entry;
  }

  #checkNewName(name: string): void {
    const { catalog } = this.#options;
    checkIndexName(name);
    const existing = catalog.index(name);
    if (existing !== undefined) {
      throw new QuarryError(
        'resource_already_exists_exception',
        `index [${name}/${existing.uuid}] already exists`,
        { extra: { index_uuid: existing.uuid, index: name } },
      );
    }
    if (catalog.isAlias(name)) throw invalidIndexName(name, 'already exists as alias');
  }

  #checkNewAliases(name: string, aliases: AliasTable): void {
    const { catalog } = this.#options;
    const tables = new Map([...catalog.aliasTables(), [name, aliases]]);
    for (const [alias, properties] of aliases) {
      if (tables.has(alias)) {
        throw invalidAliasName(
          alias,
          'an index or data stream exists with the same name as the alias',
        );
      }
      checkWriteIndex(alias, tables);
      checkIndexRouting(alias, properties);
      if (properties.filter !== undefined) this.#options.checkFilter(properties.filter);
    }
  }

  async #drop(entry: IndexEntry): Promise<void> {
    // Out of sight first: no new request finds it, what runs on it is the engine's to finish.
    this.#options.catalog.remove(entry.name);
    try {
      await this.#options.tasks.run('dropIndex', { index: entry.number });
    } catch (error) {
      this.#options.catalog.put(entry);
      throw error;
    }
  }

  async #putSpec(entry: IndexEntry, members: object): Promise<IndexEntry> {
    const description = await this.#options.tasks.run('putSpec', {
      index: entry.number,
      members: jsonText(members),
    });
    const changed = readEntry(description);
    this.#options.catalog.put(changed);
    return changed;
  }
}
