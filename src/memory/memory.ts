// The memory of agents: namespaces of memories, each an index of its own; one method a verb, each in a file of its own.
import type { Backend, JsonObject } from '../backend/index.js';
import { KeyedQueue } from '../base/keyed-queue.js';
import { Expiry, type ExpiryOptions } from './expiry.js';
import { type DropAnswer, drop, type ForgetAnswer, forget } from './forget.js';
import { Intents } from './intents.js';
import { type ListAnswer, list } from './list.js';
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
  /** Of namespaces that choose nothing else. */
  readonly defaults: SettingDefaults;
  /** Default: timers that keep no process alive, every minute; failures are not told. */
  readonly expiry?: Partial<Pick<ExpiryOptions, 'later' | 'pauseMs' | 'onError'>>;
  /** What an earlier process began to store and cannot be settled at the start. Default: it is not told. */
  readonly onUnsettled?: (error: unknown) => void;
}

export interface PutAnswer {
  readonly acknowledged: true;
  readonly namespace: string;
  /** All of them, chosen or not. */
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
  /** Namespaces as lines of JSON, and back. */
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
      census: new NamespaceStats(rest.backend),
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

  /** Once the data can be read: settles what an earlier process left; from now on what expires is taken away. */
  async start(): Promise<void> {
    await this.#deps.intents.recover(this.#onUnsettled);
    await this.#deps.expiry.start();
  }
  /** Indexes came back from a snapshot: what expires in them is looked for anew. */
  restored(): Promise<void> {
    return this.#deps.expiry.start();
  }
  close(): Promise<void> {
    return this.#deps.expiry.close();
  }
  /** Takes away what has expired, a bounded number of memories; how many. */
  sweep(): Promise<number> {
    return this.#deps.expiry.sweep();
  }

  /** Settings of a namespace, made when it is not there. */
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
  /** `backend`: what lookups in the filter read by; absent: everything. */
  async recall(namespace: string, body: JsonObject, backend?: Backend): Promise<RecallAnswer> {
    checkNamespace(namespace);
    const deps = backend === undefined ? this.#deps : { ...this.#deps, backend };
    return recall(deps, namespace, readRecallBody(body));
  }
  async list(namespace: string): Promise<ListAnswer> {
    checkNamespace(namespace);
    return list(this.#deps.backend, namespace, await presentMoment(this.#deps, namespace));
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
