// Changes of indexes: create, drop, mapping, settings, aliases, open and close. One change runs at
// a time, and each is applied by catalog-change.ts.

import type {
  AliasAction,
  AliasOutcome,
  FilledCopy,
  IndexOptions,
  IndexRestore,
  JsonObject,
  PutMappingOptions,
  PutSettingsOptions,
  Rollover,
} from '../../backend/index.js';
import { asText } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';
import type { ClusterSettings } from '../../ops/cluster-settings.js';
import { checkIndexRouting } from '../catalog/alias-routing.js';
import {
  type AliasTable,
  type AliasTables,
  checkWriteIndex,
  printAliasTable,
  readAliasTable,
} from '../catalog/aliases.js';
import { refuseBlocked } from '../catalog/blocks.js';
import type { Catalog, IndexEntry } from '../catalog/catalog.js';
import type { IndexChange, IndexChanges } from '../catalog/catalog-change.js';
import { checkIndexName, invalidAliasName, invalidIndexName } from '../catalog/index-names.js';
import {
  changesBlocksOnly,
  changesStatic,
  createSettings,
  nest,
  numberOfShards,
  updateSettings,
} from '../catalog/settings.js';
import { Serial } from '../shards/serial.js';
import { planUpdate } from './alias-update.js';
import { section } from './index-sections.js';
import type { LocalTemplates } from './index-templates.js';
import { checkReplaceable, type RestoredIndex, restoredIndex } from './restored-index.js';
import { planRollover } from './rollover.js';

/** Version of the built-in analyzers of a new index (native/core/engine/catalog/index_spec.h). */
const ANALYSIS_VERSION = 4;

/** Further parts of the creation of an index. */
interface NewIndexExtras {
  /** Aliases of the new index in addition to those of the request. */
  readonly aliases?: AliasTable;
  /** Alias tables of other indexes that are changed in the same step. */
  readonly others?: AliasTables;
}

export interface IndexAdminOptions {
  readonly catalog: Catalog;
  readonly changes: IndexChanges;
  /** Wall clock, for creation_date. */
  readonly nowMs: () => number;
  /** Throws for a filter that is no valid query. */
  readonly checkFilter: (filter: JsonObject) => void;
  readonly onSettings: (entry: IndexEntry) => void;
  /** The body of an index that a write creates; a service may derive it from the name. */
  readonly bodyOfNew: (name: string) => JsonObject;
  readonly templates: LocalTemplates;
  /** The rules of the cluster settings. */
  readonly rules: Pick<ClusterSettings, 'checkDestructive' | 'checkAutoCreate' | 'checkShards'>;
  /** Checks the embedders of semantic_text fields and completes their mappings. */
  readonly completeMappings: (mappings: JsonObject) => JsonObject;
  /** Throws where fields use embeddings services that are not registered. */
  readonly checkRegistered: (mappings: JsonObject) => void;
}

export class IndexAdmin {
  readonly #options: IndexAdminOptions;
  readonly #changes: IndexChanges;
  readonly #serial = new Serial();
  /** Names that writes are creating; concurrent writes to a name share one creation. */
  readonly #autoCreating = new Map<string, Promise<void>>();

  constructor(options: IndexAdminOptions) {
    this.#options = options;
    this.#changes = options.changes;
  }

  /** Runs `work` while no index is being changed. */
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

  /** Ensures that `name` can be written to: creates the index if the name does not exist. */
  autoCreate(name: string): Promise<void> {
    const running = this.#autoCreating.get(name);
    if (running !== undefined) return running;
    const creating = this.#serial
      .run(async () => {
        const { catalog, bodyOfNew, templates } = this.#options;
        if (catalog.writeTarget(name) !== undefined) return;
        this.#options.rules.checkAutoCreate(name);
        templates.checkAutoCreate(name);
        await this.#create(name, bodyOfNew(name));
      })
      .finally(() => this.#autoCreating.delete(name));
    this.#autoCreating.set(name, creating);
    return creating;
  }

  /** Returns the names of the dropped indexes. */
  drop(expression: string, options: IndexOptions): Promise<readonly string[]> {
    return this.#serial.run(async () => {
      this.#options.rules.checkDestructive(expression);
      const targets = this.#options.catalog.resolve(expression, {
        expandWildcards: ['open', 'closed'],
        ...options,
        ignoreAliases: true,
      });
      for (const { index } of targets) refuseBlocked(index, 'delete_index');
      await this.#changes.apply(targets.map(({ index }) => ({ drop: index })));
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
      const mappings = this.#options.completeMappings(body);
      await this.#changes.apply(targets.map(({ index }) => ({ of: index, mappings })));
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
        // Settings that need a closed index are changed by one record, so that no request finds the
        // index closed.
        const reopens = reopen && index.state === 'open' && changesStatic(body);
        const owner = reopens ? { ...index, state: 'close' as const } : index;
        const settings = updateSettings(owner, body, preserveExisting);
        if (!changesBlocksOnly(index.settings, settings)) refuseBlocked(index, 'change_index');
        return { of: index, members: { settings: nest(settings) } };
      });
      for (const entry of await this.#changes.apply(changes)) this.#options.onSettings(entry);
    });
  }

  updateAliases(
    actions: readonly AliasAction[],
    { access }: Pick<IndexOptions, 'access'> = {},
  ): Promise<readonly AliasOutcome[]> {
    return this.#serial.run(async () => {
      const { catalog, checkFilter } = this.#options;
      const plan = planUpdate(actions, catalog, checkFilter, access);
      const changes: IndexChange[] = [];
      for (const name of plan.removedIndexes) {
        const drop = catalog.index(name);
        if (drop !== undefined) changes.push({ drop });
      }
      for (const [name, table] of plan.tables) {
        const of = catalog.index(name);
        if (of !== undefined) changes.push({ of, members: { aliases: printAliasTable(table) } });
      }
      await this.#changes.apply(changes);
      return plan.outcomes;
    });
  }

  rollover(rollover: Rollover, { access }: Pick<IndexOptions, 'access'> = {}): Promise<IndexEntry> {
    return this.#serial.run(async () => {
      const { alias, to, body } = rollover;
      if (access !== undefined) this.#options.checkRegistered(section(body, 'mappings'));
      const { old, oldAliases, properties } = planRollover(rollover, this.#options.catalog);
      refuseBlocked(old, 'change_index');
      const create = this.#specOf(to, body, {
        aliases: new Map([[alias, properties]]),
        others: new Map([[old.name, oldAliases]]),
      });
      const members = { aliases: printAliasTable(oldAliases) };
      return one(await this.#changes.apply([{ create }, { of: old, members }]));
    });
  }

  /** Returns the names of the indexes whose state has changed. */
  setState(
    expression: string,
    state: 'open' | 'close',
    options: IndexOptions,
  ): Promise<readonly string[]> {
    return this.#serial.run(async () => {
      this.#options.rules.checkDestructive(expression);
      const targets = this.#options.catalog.resolve(expression, {
        expandWildcards: [state === 'open' ? 'closed' : 'open'],
        ...options,
      });
      const others = targets.map(({ index }) => index).filter((index) => index.state !== state);
      for (const index of others) refuseBlocked(index, 'change_index');
      if (state === 'open') this.#checkShards(others.reduce((sum, { shards }) => sum + shards, 0));
      await this.#changes.apply(others.map((of) => ({ of, members: { state } })));
      return others.map(({ name }) => name);
    });
  }

  /**
   * Throws unless adopt() would accept the restore now. `others`: alias tables of indexes that are
   * changed in the same step.
   */
  checkAdoption(restore: IndexRestore, others: AliasTables = new Map()): RestoredIndex {
    const { name, description } = restore;
    const made = restoredIndex(restore);
    checkIndexName(name);
    const present = this.#options.catalog.index(name);
    if (present === undefined) this.#checkNewName(name);
    else checkReplaceable(present, asText(description['name']), made.shards);
    this.#checkNewAliases(name, made.aliases, others);
    return made;
  }

  /** Creates indexes from copies; closed indexes with the same names are replaced. */
  adopt(copies: readonly FilledCopy[]): Promise<readonly IndexEntry[]> {
    return this.#serial.run(async () => {
      const changes: IndexChange[] = [];
      const others = new Map<string, AliasTable>();
      for (const { target, restore } of copies) {
        const { spec, aliases } = this.checkAdoption(restore, others);
        others.set(restore.name, aliases);
        const present = this.#options.catalog.index(restore.name);
        if (present !== undefined) changes.push({ drop: present });
        changes.push({ create: spec, restore: target.number });
      }
      return this.#changes.apply(changes);
    });
  }

  async #create(name: string, requested: JsonObject): Promise<IndexEntry> {
    return one(await this.#changes.apply([{ create: this.#specOf(name, requested) }]));
  }

  /** Keys of `requested` other than settings, mappings and aliases are allowed and ignored. */
  #specOf(name: string, requested: JsonObject, extras: NewIndexExtras = {}): JsonObject {
    const { templates } = this.#options;
    this.#checkNewName(name);
    const body = templates.applied(name, requested);
    const settings = createSettings(section(body, 'settings'));
    const own = readAliasTable(section(body, 'aliases'));
    const aliases = new Map([...own, ...(extras.aliases ?? [])]);
    this.#checkNewAliases(name, aliases, extras.others ?? new Map());
    const shards = numberOfShards(settings);
    this.#checkShards(shards);
    return {
      name,
      number_of_shards: shards,
      creation_date: this.#options.nowMs(),
      analysis_version: ANALYSIS_VERSION,
      state: 'open',
      settings: nest(settings),
      aliases: printAliasTable(aliases),
      mappings: this.#options.completeMappings(section(body, 'mappings')),
    };
  }

  #checkShards(more: number): void {
    const { catalog, rules } = this.#options;
    const open = (): number => {
      let sum = 0;
      for (const { state, shards } of catalog.indexes()) if (state === 'open') sum += shards;
      return sum;
    };
    rules.checkShards(open, more);
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

  #checkNewAliases(name: string, aliases: AliasTable, others: AliasTables): void {
    refuseAliasName(name, others);
    // The code below copies the tables of all indexes; most new indexes have no aliases.
    if (aliases.size === 0) return;
    const { catalog } = this.#options;
    const tables = new Map([...catalog.aliasTables(), ...others, [name, aliases]]);
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
}

/** Throws if an index of the same change has an alias of that name. */
function refuseAliasName(name: string, others: AliasTables): void {
  for (const table of others.values()) {
    if (table.has(name)) throw invalidIndexName(name, 'already exists as alias');
  }
}

function one(entries: readonly IndexEntry[]): IndexEntry {
  const [entry] = entries;
  if (entry === undefined) throw new Error('a change of one index came to none');
  return entry;
}
