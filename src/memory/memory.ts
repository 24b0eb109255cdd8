// The memory of agents: namespaces of memories, each an index of its own; one method a verb, each in a file of its own.
import type { JsonObject } from '../backend.js';
import { Census } from './census.js';
import { type DropAnswer, drop, type ForgetAnswer, forget } from './forget.js';
import { type ListAnswer, list } from './list.js';
import { checkNamespace } from './names.js';
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
import { Turns } from './turns.js';

export interface MemoryOptions
  extends Pick<MemoryDeps, 'backend' | 'graph' | 'hash128' | 'embed' | 'newId' | 'nowMs'> {
  /** Of namespaces that choose nothing else. */
  readonly defaults: SettingDefaults;
}

export interface PutAnswer {
  readonly acknowledged: true;
  readonly namespace: string;
  /** All of them, chosen or not. */
  readonly settings: NamespaceSettings;
}

export class Memory {
  /** Namespaces as lines of JSON, and back. */
  readonly transfer: Transfer;
  readonly #deps: MemoryDeps;

  constructor({ defaults, ...rest }: MemoryOptions) {
    this.#deps = {
      ...rest,
      settings: new SettingsStore(rest.backend, defaults),
      sessions: new Sessions(),
      census: new Census(rest.backend),
      turns: new Turns(),
    };
    const { backend } = rest;
    this.transfer = new Transfer({ backend, put: (name, settings) => this.put(name, settings) });
  }

  /** Settings of a namespace, made when it is not there. */
  async put(namespace: string, body: JsonObject): Promise<PutAnswer> {
    checkNamespace(namespace);
    const asked = readSettingsBody(body);
    const { settings, turns } = this.#deps;
    const chosen = await turns.take(namespace, () => settings.put(namespace, asked));
    return { acknowledged: true, namespace, settings: chosen };
  }
  async store(namespace: string, body: JsonObject): Promise<StoreAnswer> {
    checkNamespace(namespace);
    return store(this.#deps, namespace, readStoreBody(body));
  }
  async recall(namespace: string, body: JsonObject): Promise<RecallAnswer> {
    checkNamespace(namespace);
    return recall(this.#deps, namespace, readRecallBody(body));
  }
  async list(namespace: string): Promise<ListAnswer> {
    checkNamespace(namespace);
    return list(this.#deps.backend, namespace, this.#deps.nowMs);
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
