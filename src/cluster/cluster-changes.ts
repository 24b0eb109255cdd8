// Changes of indexes in the cluster, for the administration that both modes share
// (coordinator/admin/index-admin.ts): checked here, made by the cluster, read back from it.
import type { Json, JsonObject } from '../backend/index.js';
import { printExact } from '../base/exact-json.js';
import type { AliasProperties, AliasTable } from '../coordinator/catalog/aliases.js';
import { readAliasTable } from '../coordinator/catalog/aliases.js';
import { type IndexEntry, readEntry } from '../coordinator/catalog/catalog.js';
import type { IndexChange, IndexChanges } from '../coordinator/catalog/catalog-change.js';
import { readSettings, type Settings } from '../coordinator/catalog/settings.js';
import { settingRow } from '../coordinator/catalog/settings-table.js';
import type { Addon, NativeErrors } from '../native/addon.js';
import type { ClusterCatalog } from './cluster-catalog.js';
import type { ClusterClient } from './cluster-client.js';
import { mappingsToCheck, toClusterMappings, WORDS_SETTINGS } from './cluster-mappings.js';
import { isObject } from './errors.js';
import { ownSettings } from './own-settings.js';

export interface ClusterChangesOptions {
  readonly client: ClusterClient;
  readonly names: ClusterCatalog;
  readonly addon: Pick<Addon, 'checkIndex'>;
  readonly errors: NativeErrors;
  /** Whether an index of that name has ID_FIELD: those of services. */
  readonly hasId: (name: string) => boolean;
}

/** First parts of settings that Elasticsearch does not have. */
const OPENSEARCH_ONLY: ReadonlySet<string> = new Set([
  'replication',
  'plugins',
  'knn',
  'opendistro',
  'remote_store',
]);
/** Placeholders for the number and uuid of an index that does not exist yet. */
const UNBORN = { number: 0, uuid: '' };

export class ClusterChanges implements IndexChanges {
  readonly #options: ClusterChangesOptions;

  constructor(options: ClusterChangesOptions) {
    this.#options = options;
  }

  async apply(changes: readonly IndexChange[]): Promise<readonly IndexEntry[]> {
    if (changes.length === 0) return [];
    for (const change of changes) this.#check(change);
    const { names } = this.#options;
    const isAlone = changes.length === 1;
    const actions: JsonObject[] = [];
    const dropped: string[] = [];
    for (const change of changes) {
      if ('drop' in change) dropped.push(change.drop.name);
      else if ('create' in change) actions.push(...(await this.#create(change.create, isAlone)));
      else if ('mappings' in change) await this.#putMapping(change.of, change.mappings);
      else actions.push(...(await this.#putMembers(change.of, change.members)));
    }
    await this.#finish(actions, dropped);
    await names.current();
    return changes.flatMap((change) => {
      if ('drop' in change) return [];
      const name = 'create' in change ? String(change.create['name']) : change.of.name;
      const entry = names.catalog.index(name);
      return entry === undefined ? [] : [entry];
    });
  }

  #check(change: IndexChange): void {
    if ('create' in change) {
      readEntry(printExact({ ...change.create, ...UNBORN }));
      this.#checkSpec(change.create);
    } else if ('mappings' in change) {
      const settings = this.#options.names.of(change.of.number).settings['analysis'];
      const analysis = settings === undefined ? {} : { analysis: settings };
      this.#checkSpec({ settings: { index: analysis }, mappings: change.mappings });
    }
  }

  #checkSpec({ settings = {}, mappings = {}, aliases = {} }: JsonObject): void {
    const { addon, errors, client } = this.#options;
    const known = mappingsToCheck(mappings as JsonObject, client.engine);
    try {
      addon.checkIndex(printExact({ settings, mappings: known, aliases }));
    } catch (thrown) {
      throw errors.fromThrown(thrown);
    }
  }

  /** The actions that give the index its aliases, if they are not given at once. */
  async #create(spec: JsonObject, isAlone: boolean): Promise<readonly JsonObject[]> {
    const { client } = this.#options;
    const name = String(spec['name']);
    const { mappings, hasWords } = toClusterMappings(objectAt(spec, 'mappings'), client.engine, {
      hasId: this.#options.hasId(name),
    });
    const settings = this.#known(objectAt(objectAt(spec, 'settings'), 'index'));
    const aliases = readAliasTable(objectAt(spec, 'aliases'));
    const body = {
      settings: {
        index: {
          ...ownSettings(client.engine),
          ...settings,
          number_of_shards: String(spec['number_of_shards']),
          ...(hasWords ? merged(settings) : {}),
        },
      },
      mappings,
      ...(isAlone ? { aliases: this.#aliasSection(aliases) } : {}),
    };
    await client.json('PUT', `/${client.names.path([name])}`, { body, repeatable: false });
    return isAlone ? [] : this.#aliasActions(name, new Map(), aliases);
  }

  /** Without settings that this service takes from the other engine and ignores. */
  #known(settings: JsonObject): JsonObject {
    if (this.#options.client.engine.kind === 'opensearch') return settings;
    return Object.fromEntries(
      Object.entries(settings).filter(([name]) => !OPENSEARCH_ONLY.has(name.split('.')[0] ?? '')),
    );
  }

  async #putMapping(of: IndexEntry, given: JsonObject): Promise<void> {
    const { client, names } = this.#options;
    const { mappings } = toClusterMappings(given, client.engine, names.of(of.number));
    const path = `/${client.names.path([of.name])}/_mapping`;
    await client.json('PUT', path, { body: mappings, repeatable: true });
  }

  /** Changes settings and state; returns the actions that change aliases. */
  async #putMembers(of: IndexEntry, members: JsonObject): Promise<readonly JsonObject[]> {
    const { client } = this.#options;
    const { settings, state, aliases } = members;
    const path = `/${client.names.path([of.name])}`;
    if (isObject(settings)) await this.#putSettings(of, readSettings(settings));
    if (state === 'open' || state === 'close') {
      await client.json('POST', `${path}/_${state}`, { repeatable: true });
    }
    return isObject(aliases)
      ? this.#aliasActions(of.name, of.aliases, readAliasTable(aliases))
      : [];
  }

  async #putSettings(of: IndexEntry, after: Settings): Promise<void> {
    const { client } = this.#options;
    const changed: Record<string, Json> = {};
    for (const [key, value] of after) {
      if (printExact(of.settings.get(key)) !== printExact(value)) changed[key] = value as Json;
    }
    for (const key of of.settings.keys()) if (!after.has(key)) changed[key] = null;
    const keys = Object.keys(changed);
    if (keys.length === 0) return;
    const isStatic = keys.some((key) => settingRow(key)?.scope === 'static');
    await client.json('PUT', `/${client.names.path([of.name])}/_settings`, {
      params: { reopen: isStatic && of.state === 'open' ? true : undefined },
      body: changed,
      repeatable: true,
    });
  }

  /** Aliases change in one step with the removal of indexes. */
  async #finish(actions: readonly JsonObject[], dropped: readonly string[]): Promise<void> {
    const { client } = this.#options;
    if (actions.length > 0) {
      const removals = dropped.map((name) => ({
        remove_index: { index: client.names.inCluster(name) },
      }));
      const body = { actions: [...removals, ...actions] };
      await client.json('POST', '/_aliases', { body, repeatable: true });
    } else if (dropped.length > 0) {
      // Of a repeated removal all that is left is that it is gone.
      await client.call('DELETE', `/${client.names.path(dropped)}`, {
        repeatable: true,
        expected: [404],
      });
    }
  }

  #aliasActions(index: string, before: AliasTable, after: AliasTable): readonly JsonObject[] {
    const { names } = this.#options.client;
    const actions: JsonObject[] = [];
    for (const alias of before.keys()) {
      if (after.has(alias)) continue;
      const place = { index: names.inCluster(index), alias: names.inCluster(alias) };
      actions.push({ remove: place });
    }
    for (const [alias, properties] of after) {
      if (printExact(before.get(alias)) === printExact(properties)) continue;
      const place = { index: names.inCluster(index), alias: names.inCluster(alias) };
      actions.push({ add: { ...place, ...printed(properties) } });
    }
    return actions;
  }

  #aliasSection(table: AliasTable): JsonObject {
    const { names } = this.#options.client;
    return Object.fromEntries(
      [...table].map(([alias, properties]) => [names.inCluster(alias), printed(properties)]),
    );
  }
}

function printed(properties: AliasProperties): JsonObject {
  return { ...properties } as JsonObject;
}

function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : {};
}

/** The settings of an analysis with those of fields that have words. */
function merged(settings: JsonObject): JsonObject {
  const ours = objectAt(WORDS_SETTINGS, 'analysis');
  const given = objectAt(settings, 'analysis');
  return {
    analysis: {
      ...given,
      analyzer: { ...objectAt(given, 'analyzer'), ...objectAt(ours, 'analyzer') },
      filter: { ...objectAt(given, 'filter'), ...objectAt(ours, 'filter') },
    },
  };
}
