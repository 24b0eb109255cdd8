// The memory of agents: namespaces of memories, each an index of its own; one method per operation,
// each implemented in a file of its own.
import type { Backend, Json, JsonObject } from '../backend/index.js';
import { KeyedQueue, type Turns } from '../base/keyed-queue.js';
import { MemoryFields } from './context/memory-fields.js';
import { DEFAULT_NAMES, type MetadataNames } from './context/said.js';
import { Expiry, type ExpiryOptions } from './expiry.js';
import { type DropAnswer, drop, type ForgetAnswer, forget } from './forget.js';
import { Intents } from './intents.js';
import { type ListAnswer, list } from './list.js';
import { type AuditAnswer, audit, readAuditBody } from './manage/audit.js';
import { type BulkStoreAnswer, storeMany } from './manage/bulk.js';
import { type ChangesAnswer, changesOf, readChangesBody } from './manage/changes.js';
import { type EditAnswer, editMemory, readEditBody } from './manage/edit.js';
import {
  type ForgetMatchingAnswer,
  forgetMatching,
  readForgetBody,
} from './manage/forget-matching.js';
import { type GetAnswer, getMemory } from './manage/get.js';
import {
  ALL_NAMESPACES,
  listNamespaces,
  type NamespaceAccess,
  type NamespacesAnswer,
  readNamespacesBody,
} from './manage/namespaces.js';
import { readPageBody } from './manage/pages.js';
import { type KeyQuota, Quotas } from './manage/quotas.js';
import { RecallCounts, type RecallCountsOptions } from './manage/recall-counts.js';
import {
  namesOf,
  type RecallManyAnswer,
  readRecallManyBody,
  recallMany,
} from './manage/recall-many.js';
import { checkNamespace } from './names.js';
import { NamespaceStats } from './namespace-stats.js';
import { type RecallAnswer, type RecallDeps, recall } from './recall.js';
import { readRecallBody } from './recall-body.js';
import { Sessions } from './sessions.js';
import {
  type NamespaceSettings,
  readSettingsBody,
  type SettingDefaults,
  SettingsStore,
} from './settings.js';
import { type MemoryDeps, type StoreAnswer, store } from './store.js';
import { readStoreBody } from './store-body.js';
import { Transfer } from './transfer.js';
import { presentMoment } from './visible.js';

export interface MemoryOptions
  extends Pick<MemoryDeps, 'backend' | 'graph' | 'hash128' | 'embed' | 'newId' | 'nowMs'>,
    Pick<RecallDeps, 'rerank'> {
  /** Settings of namespaces that choose none. */
  readonly defaults: SettingDefaults;
  /** Members of the metadata that have a meaning. Default: DEFAULT_NAMES. */
  readonly names?: MetadataNames;
  /** Default: timers that do not keep the process alive, every minute; errors are ignored. */
  readonly expiry?: Partial<Pick<ExpiryOptions, 'later' | 'pauseMs' | 'onError'>>;
  /** Forgotten ids of a namespace that its changes report. Default: MAX_LOGGED. */
  readonly maxForgotten?: number;
  /** Default: recalls are not counted. */
  /** Turns of namespaces; default: those of this process. */
  readonly turns?: Turns;
  /** Runs a sweep unless another process runs one; default: always. */
  readonly sweepAlone?: ExpiryOptions['sweepAlone'];
  /** Other processes store too, so that nothing that they may change is remembered. */
  readonly isShared?: boolean;
  readonly recallCounts?: Partial<Pick<RecallCountsOptions, 'isOn' | 'later' | 'onError'>>;
  /**
   * Receives intents of an earlier process that cannot be settled at the start. Default: they are
   * ignored.
   */
  readonly onUnsettled?: (error: unknown) => void;
}

export interface PutAnswer {
  readonly acknowledged: true;
  readonly namespace: string;
  /** All settings, chosen or default. */
  readonly settings: NamespaceSettings;
}

const UNATTENDED: Pick<ExpiryOptions, 'later' | 'pauseMs' | 'onError'> = {
  later: (work, ms) => {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
  pauseMs: () => 60_000,
  onError: () => {},
};

export class Memory {
  /** Export to and import from lines of JSON. */
  readonly transfer: Transfer;
  readonly #deps: MemoryDeps & Pick<RecallDeps, 'rerank'>;
  readonly #onUnsettled: (error: unknown) => void;

  constructor({
    defaults,
    names = DEFAULT_NAMES,
    expiry = {},
    recallCounts: counting = {},
    onUnsettled = () => {},
    turns = new KeyedQueue(),
    isShared = false,
    sweepAlone,
    ...rest
  }: MemoryOptions) {
    this.#onUnsettled = onUnsettled;
    const sessions = new Sessions(!isShared);
    const intents = new Intents(rest.backend, turns, () => this.#deps);
    const { later, onError } = UNATTENDED;
    const recallCounts = new RecallCounts({
      ...{ later, onError, isOn: () => false },
      ...rest,
      ...counting,
    });
    this.#deps = {
      ...rest,
      names,
      fields: new MemoryFields(rest.backend),
      settings: new SettingsStore(rest.backend, defaults, !isShared),
      sessions,
      namespaceStats: new NamespaceStats(rest.backend),
      expiry: new Expiry({
        ...{ ...UNATTENDED, ...expiry, ...rest },
        ...{ sessions, intents, turns, recallCounts, isShared },
        ...(sweepAlone === undefined ? {} : { sweepAlone }),
      }),
      intents,
      turns,
      quotas: new Quotas(rest),
      recallCounts,
    };
    const { backend } = rest;
    this.transfer = new Transfer({
      backend,
      names,
      note: (name, at) => this.#deps.expiry.note(name, at),
      put: (name, settings) => this.put(name, settings),
    });
  }

  /**
   * Must be called once the data is readable: settles what an earlier process left and starts the
   * deletion of expired memories.
   */
  async start(): Promise<void> {
    await this.#deps.intents.recover(this.#onUnsettled);
    await this.#deps.expiry.start();
  }
  /** Must be called after a restore from a snapshot: plans the expiry of the restored memories. */
  restored(): Promise<void> {
    return this.#deps.expiry.start();
  }
  async close(): Promise<void> {
    await Promise.all([this.#deps.expiry.close(), this.#deps.recallCounts.close()]);
  }
  /** Writes the counts of recalls that wait to be written. */
  writeRecallCounts(): Promise<void> {
    return this.#deps.recallCounts.write();
  }
  /** Deletes a bounded number of expired memories and returns how many were deleted. */
  sweep(): Promise<number> {
    return this.#deps.expiry.sweep();
  }

  /** Sets the settings of a namespace, which is created if it does not exist. */
  async put(namespace: string, body: JsonObject): Promise<PutAnswer> {
    checkNamespace(namespace);
    const requested = readSettingsBody(body);
    const { settings, turns } = this.#deps;
    const chosen = await turns.take(namespace, () => settings.put(namespace, requested));
    return { acknowledged: true, namespace, settings: chosen };
  }
  /** Stores many memories; each has a result of its own. `key`: the client's, with its quota. */
  async bulk(namespace: string, items: readonly Json[], key?: KeyQuota): Promise<BulkStoreAnswer> {
    checkNamespace(namespace);
    return storeMany(this.#deps, namespace, items, key);
  }
  /** `key`: the client's, with its quota. */
  async store(namespace: string, body: JsonObject, key?: KeyQuota): Promise<StoreAnswer> {
    checkNamespace(namespace);
    return store(this.#deps, namespace, readStoreBody(body, this.#deps.names), key);
  }
  /**
   * `backend`: for the search, including lookups in the filter, with the privileges of the client;
   * absent: all privileges.
   */
  async recall(namespace: string, body: JsonObject, backend?: Backend): Promise<RecallAnswer> {
    const answer = await this.#recall(namespace, body, backend);
    this.#deps.recallCounts.note(answer.hits.map(({ id }) => ({ namespace, id })));
    return answer;
  }
  async #recall(namespace: string, body: JsonObject, backend?: Backend): Promise<RecallAnswer> {
    checkNamespace(namespace);
    const deps = backend === undefined ? this.#deps : { ...this.#deps, backend };
    return recall(deps, namespace, readRecallBody(body));
  }
  /** Recalls several namespaces, which must be among those that the client may use. */
  async recallMany(
    body: JsonObject,
    access: NamespaceAccess = ALL_NAMESPACES,
    backend?: Backend,
  ): Promise<RecallManyAnswer> {
    const request = readRecallManyBody(body);
    const names = namesOf(this.#deps.backend, request, access);
    const answer = await recallMany(names, request.body, (name, one) =>
      this.#recall(name, one, backend),
    );
    this.#deps.recallCounts.note(answer.hits);
    return answer;
  }
  /**
   * Without a body the newest memories; with one, a page. `backend`: for the search with the filter,
   * with the privileges of the client.
   */
  async list(namespace: string, body: JsonObject = {}, backend?: Backend): Promise<ListAnswer> {
    checkNamespace(namespace);
    const page = readPageBody(body);
    const moment = await presentMoment(this.#deps, namespace);
    return list(this.#deps, namespace, moment, page, backend);
  }
  /** The namespaces that the client may use. */
  async namespaces(
    body: JsonObject,
    access: NamespaceAccess = ALL_NAMESPACES,
  ): Promise<NamespacesAnswer> {
    return listNamespaces(this.#deps, readNamespacesBody(body), access);
  }
  async get(namespace: string, id: string): Promise<GetAnswer> {
    checkNamespace(namespace);
    return getMemory(this.#deps, namespace, id);
  }
  /** Changes a memory; the earlier version is kept. */
  async edit(namespace: string, id: string, body: JsonObject): Promise<EditAnswer> {
    checkNamespace(namespace);
    return editMemory(this.#deps, namespace, id, readEditBody(body));
  }
  async forget(namespace: string, id: string): Promise<ForgetAnswer> {
    checkNamespace(namespace);
    return forget(this.#deps, namespace, id);
  }
  /** What may be worth tidying. */
  async audit(namespace: string, body: JsonObject): Promise<AuditAnswer> {
    checkNamespace(namespace);
    return audit(this.#deps, namespace, readAuditBody(body));
  }
  /** What changed since a position, in the order of the writes. */
  async changes(namespace: string, body: JsonObject): Promise<ChangesAnswer> {
    checkNamespace(namespace);
    return changesOf(this.#deps, namespace, readChangesBody(body));
  }
  /** Forgets what matches a filter. `backend`: for the search, with the privileges of the client. */
  async forgetMatching(
    namespace: string,
    body: JsonObject,
    backend?: Backend,
  ): Promise<ForgetMatchingAnswer> {
    checkNamespace(namespace);
    return forgetMatching(this.#deps, namespace, readForgetBody(body), backend);
  }
  async drop(namespace: string): Promise<DropAnswer> {
    checkNamespace(namespace);
    return drop(this.#deps, namespace);
  }
}
