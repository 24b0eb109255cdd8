// The table of our indexes in the cluster. It is read again when the state of the cluster has
// another version, which is asked for before a request that depends on names; requests that ask at
// the same time share one question.
import type { JsonObject } from '../backend/index.js';
import { printExact } from '../base/exact-json.js';
import { Catalog, readIndex } from '../coordinator/catalog/catalog.js';
import type { ClusterClient } from './cluster-client.js';
import {
  fromClusterMappings,
  hasIdField,
  type MadeField,
  madeFields,
  ownFields,
  shownAnalysis,
} from './cluster-mappings.js';
import { isObject } from './errors.js';
import { withoutOwnSettings } from './own-settings.js';

/** What the catalog does not have of an index. */
export interface ClusterIndex {
  readonly mappings: JsonObject;
  readonly made: readonly MadeField[];
  /** Documents have ID_FIELD. */
  readonly hasId: boolean;
  /** See ownFields(). */
  readonly own: Readonly<Record<string, JsonObject>>;
  /** Settings as the cluster shows them. */
  readonly settings: JsonObject;
}

interface KnownIndex {
  readonly number: number;
  readonly text: string;
  readonly index: ClusterIndex;
}

const ALL_STATES = { expand_wildcards: 'all', ignore_unavailable: true, allow_no_indices: true };
const NO_FIELDS: ClusterIndex = { mappings: {}, made: [], hasId: false, own: {}, settings: {} };

export class ClusterCatalog {
  readonly catalog = new Catalog();
  readonly #client: ClusterClient;
  readonly #now: () => number;
  /** By uuid. A number is never used for another index. */
  readonly #known = new Map<string, KnownIndex>();
  #last = 0;
  #version: string | undefined;
  #reading: { readonly since: number; readonly done: Promise<void> } | undefined;
  #next: Promise<void> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(client: ClusterClient, now: () => number = () => performance.now()) {
    this.#client = client;
    this.#now = now;
  }

  /** The part of the index that the catalog does not have. */
  of(number: number): ClusterIndex {
    const uuid = this.catalog.byNumber(number)?.uuid;
    return (uuid === undefined ? undefined : this.#known.get(uuid)?.index) ?? NO_FIELDS;
  }

  /** Resolves when the table is as the cluster was at the time of the call, or later. */
  current(): Promise<void> {
    return this.#client.deadlines.wait(this.#reader());
  }

  #reader(): Promise<void> {
    // One that is under way may have asked before this call: the next one is shared.
    if (this.#reading === undefined) return this.#read();
    this.#next ??= this.#reading.done
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#read();
      });
    return this.#next;
  }

  /** Undefined where the table was read within `ms` and has all of `names`. */
  within(ms: number, names: readonly string[]): Promise<void> | undefined {
    const isKnown = (name: string): boolean =>
      /[*,<]/.test(name) ||
      name === '_all' ||
      this.catalog.index(name) !== undefined ||
      this.catalog.isAlias(name);
    if (this.#now() - this.#readAt < ms && names.every(isKnown)) return undefined;
    return this.current();
  }

  #read(): Promise<void> {
    const since = this.#now();
    const done = this.#client.deadlines
      .apart(() => this.#readNow())
      .then(() => {
        this.#readAt = since;
      })
      .finally(() => {
        this.#reading = undefined;
      });
    this.#reading = { since, done };
    return done;
  }

  async #readNow(): Promise<void> {
    const version = await this.#stateVersion();
    if (version !== undefined && version === this.#version) return;
    const expression = this.#client.names.all;
    const params = ALL_STATES;
    const [indexes, states] = await Promise.all([
      this.#client.json('GET', `/${expression}`, { params, repeatable: true }),
      this.#client.json('GET', `/_resolve/index/${expression}`, {
        params: { expand_wildcards: 'all' },
        repeatable: true,
      }),
    ]);
    this.#swap(indexes, closedIn(states));
    this.#version = version;
  }

  /** Undefined for an engine that does not count the versions of its state. */
  async #stateVersion(): Promise<string | undefined> {
    const state = await this.#client.json('GET', '/_cluster/state/version', {
      params: { local: this.#client.engine.kind === 'elasticsearch' ? true : undefined },
      repeatable: true,
    });
    const { state_uuid: id, cluster_uuid: cluster, version } = state;
    return id === undefined || id === cluster ? undefined : `${String(version)} ${String(id)}`;
  }

  #swap(indexes: JsonObject, closed: ReadonlySet<string>): void {
    const put: ReturnType<typeof readIndex>[] = [];
    const there = new Set<string>();
    for (const [clusterName, index] of Object.entries(indexes)) {
      const name = this.#client.names.shown(clusterName);
      if (name === undefined || !isObject(index)) continue;
      const settings = settingsOf(index);
      const uuid = String(settings['uuid'] ?? clusterName);
      there.add(uuid);
      const text = printExact([index, closed.has(clusterName)]);
      const known = this.#known.get(uuid);
      if (known?.text === text) continue;
      const number = known?.number ?? ++this.#last;
      const description = this.#describe(name, index, number, closed.has(clusterName));
      this.#known.set(uuid, { number, text, index: description.index });
      put.push(readIndex(printExact(description.stored)));
    }
    const removed: string[] = [];
    for (const { name, uuid } of this.catalog.indexes()) {
      if (there.has(uuid)) continue;
      removed.push(name);
      this.#known.delete(uuid);
    }
    if (put.length + removed.length > 0) this.catalog.change(put, removed);
  }

  #describe(
    name: string,
    index: JsonObject,
    number: number,
    isClosed: boolean,
  ): { readonly stored: JsonObject; readonly index: ClusterIndex } {
    const { names } = this.#client;
    const settings = settingsOf(index);
    const given = isObject(index['mappings']) ? index['mappings'] : {};
    const mappings = fromClusterMappings(given);
    const aliases = isObject(index['aliases']) ? index['aliases'] : {};
    const shown = Object.entries(aliases).flatMap(([alias, properties]) => {
      const own = names.shown(alias);
      return own === undefined ? [] : [[own, properties] as const];
    });
    return {
      stored: {
        name,
        number,
        uuid: String(settings['uuid'] ?? name),
        number_of_shards: Number(settings['number_of_shards'] ?? 1),
        creation_date: Number(settings['creation_date'] ?? 0),
        state: isClosed ? 'close' : 'open',
        settings: { index: shownSettings(settings) },
        aliases: Object.fromEntries(shown),
        mappings,
      },
      index: {
        mappings,
        made: madeFields(given),
        hasId: hasIdField(given),
        own: ownFields(given),
        settings,
      },
    };
  }
}

function settingsOf(index: JsonObject): JsonObject {
  const settings = isObject(index['settings']) ? index['settings'] : {};
  return isObject(settings['index']) ? settings['index'] : {};
}

/** Settings that the cluster adds to every index, and facts that are shown anyway. */
const CLUSTER_ONLY: ReadonlySet<string> = new Set([
  'routing',
  'version',
  'uuid',
  'creation_date',
  'provided_name',
  'verified_before_close',
  'replication',
  'resize',
  'history',
]);

function shownSettings(settings: JsonObject): JsonObject {
  const { analysis, ...rest } = withoutOwnSettings(settings);
  const kept = Object.entries(rest).filter(([name]) => !CLUSTER_ONLY.has(name));
  const shown = isObject(analysis) ? shownAnalysis(analysis) : undefined;
  return { ...Object.fromEntries(kept), ...(shown === undefined ? {} : { analysis: shown }) };
}

function closedIn({ indices }: JsonObject): ReadonlySet<string> {
  const closed = new Set<string>();
  if (!Array.isArray(indices)) return closed;
  for (const one of indices as readonly JsonObject[]) {
    const { name, attributes } = one;
    if (Array.isArray(attributes) && (attributes as readonly string[]).includes('closed')) {
      closed.add(String(name));
    }
  }
  return closed;
}
