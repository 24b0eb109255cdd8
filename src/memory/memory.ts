// The memory of agents: namespaces of memories, each an index of its own; one method per operation,
// each implemented in a file of its own.
import type { Backend, JsonObject } from '../backend/index.js';
import { KeyedQueue } from '../base/keyed-queue.js';
import { Expiry, type ExpiryOptions } from './expiry.js';
import { type DropAnswer, drop, type ForgetAnswer, forget } from './forget.js';
import { Intents } from './intents.js';
import { type ListAnswer, list } from './list.js';
import { type EditAnswer, editMemory, readEditBody } from './manage/edit.js';
import { type GetAnswer, getMemory } from './manage/get.js';
import { checkNamespace } from './names.js';
import { NamespaceStats } from './namespace-stats.js';
import { type RecallAnswer, recall } from './recall.js';
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
  extends Pick<MemoryDeps, 'backend' | 'graph' | 'hash128' | 'embed' | 'newId' | 'nowMs'> {
  /** Settings of namespaces that choose none. */
  readonly defaults: SettingDefaults;
  /** Default: timers that do not keep the process alive, every minute; errors are ignored. */
  readonly expiry?: Partial<Pick<ExpiryOptions, 'later' | 'pauseMs' | 'onError'>>;
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
  readonly #deps: MemoryDeps;
  readonly #onUnsettled: (error: unknown) => void;

  constructor({ defaults, expiry = {}, onUnsettled = () => {}, ...rest }: MemoryOptions) {
    this.#onUnsettled = onUnsettled;
    const [sessions, turns] = [new Sessions(), new KeyedQueue()];
    const intents = new Intents(rest.backend, turns, () => this.#deps);
    this.#deps = {
      ...rest,
      settings: new SettingsStore(rest.backend, defaults),
      sessions,
      namespaceStats: new NamespaceStats(rest.backend),
      expiry: new Expiry({ ...UNATTENDED, ...expiry, ...rest, sessions, intents, turns }),
      intents,
      turns,
    };
    const { backend } = rest;
    this.transfer = new Transfer({
      backend,
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
  close(): Promise<void> {
    return this.#deps.expiry.close();
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
  async store(namespace: string, body: JsonObject): Promise<StoreAnswer> {
    checkNamespace(namespace);
    return store(this.#deps, namespace, readStoreBody(body));
  }
  /**
   * `backend`: for the search, including lookups in the filter, with the privileges of the client;
   * absent: all privileges.
   */
  async recall(namespace: string, body: JsonObject, backend?: Backend): Promise<RecallAnswer> {
    checkNamespace(namespace);
    const deps = backend === undefined ? this.#deps : { ...this.#deps, backend };
    return recall(deps, namespace, readRecallBody(body));
  }
  async list(namespace: string): Promise<ListAnswer> {
    checkNamespace(namespace);
    return list(this.#deps.backend, namespace, await presentMoment(this.#deps, namespace));
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
  async drop(namespace: string): Promise<DropAnswer> {
    checkNamespace(namespace);
    return drop(this.#deps, namespace);
  }
}
