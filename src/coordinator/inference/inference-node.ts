// The remote embedders of one node, built from its configuration: connections, registered
// endpoints, and their shutdown.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DamagedEntry } from '../../backend/index.js';
import type { EntryStore } from '../../base/entry-file.js';
import { AllowedHosts } from '../../embed/allowed-hosts.js';
import { AllowedKeys } from '../../embed/allowed-keys.js';
import type { Surroundings } from '../../embed/ask-service.js';
import { type LocalModelSettings, LocalModels } from '../../embed/local/local-models.js';
import { ModelStore } from '../../embed/local/model-store.js';
import { runtimeFolder } from '../../embed/local/runtime.js';
import { EndpointRegistry } from '../../embed/registry.js';
import { RemoteEmbedder, type RemoteSettings } from '../../embed/remote.js';
import { Reranker } from '../../embed/reranker.js';
import type { Addon } from '../../native/addon.js';
import type { LiveConfig } from '../../ops/live-config.js';
import type { Metrics } from '../../ops/metrics.js';
import { OutboundClient } from '../../remote/exchange.js';
import type { Catalog } from '../catalog/catalog.js';
import { Inference, type InferenceOptions } from './inference.js';

/** The name of the registry file in the data folder. */
const FILE = 'inference.json';

export interface InferenceNodeOptions {
  readonly addon: Addon;
  readonly catalog: Catalog;
  readonly live: LiveConfig;
  readonly metrics: Metrics;
  readonly alone: InferenceOptions['alone'];
  /** Where registered endpoints are stored; default: a file of the data folder. */
  readonly store?: EntryStore;
}

export class InferenceNode {
  readonly endpoints: Inference;
  readonly #registry: EndpointRegistry;
  readonly #client: OutboundClient;
  readonly #models: LocalModels;
  readonly #remote: RemoteEmbedder;
  readonly #reranker: Reranker;

  /** Throws illegal_argument_exception when the list of hosts is malformed. */
  constructor({ addon, catalog, live, metrics, alone, store }: InferenceNodeOptions) {
    const withKeys = live.get('auth.enabled');
    const hosts = new AllowedHosts(live.get('inference.allowed_hosts'), withKeys);
    const keys = new AllowedKeys(live.get('inference.api_key_envs'), withKeys);
    this.#registry = new EndpointRegistry(store ?? join(live.get('data_dir'), FILE));
    this.#client = new OutboundClient(hosts);
    const around: Surroundings = {
      post: (request) => this.#client.send(request),
      environment: (name) => (keys.allows(name) ? process.env[name] : undefined),
      nowMs: Date.now,
      now: () => performance.now(),
      random: Math.random,
      pause: (ms, signal) => waitUnlessAborted(ms, signal),
      observe: (outcome, seconds) => metrics.inferenceSeconds.observe({ outcome }, seconds),
    };
    const models = new ModelStore(live.get('data_dir'));
    this.#models = new LocalModels((model) => {
      const stored = models.find(model.name);
      return stored?.model.fingerprint === model.fingerprint ? stored : undefined;
    }, localSettingsOf(live));
    this.#remote = new RemoteEmbedder(settingsOf(live), around, this.#models);
    this.#reranker = new Reranker(settingsOf(live), around);
    const remote = this.#remote;
    const [registry, reranker] = [this.#registry, this.#reranker];
    this.endpoints = new Inference({
      catalog,
      registry,
      hosts,
      keys,
      remote,
      models,
      reranker,
      addon,
      alone,
    });
  }

  /** Reads the registered endpoints; the data folder must be locked. */
  load(): Promise<void> {
    return this.#registry.load();
  }
  damaged(): readonly DamagedEntry[] {
    return this.#registry.damaged();
  }
  /** Fails all requests that wait for a service. */
  giveUp(): void {
    this.#remote.close();
    this.#reranker.close();
    this.#models.close();
  }
  async close(): Promise<void> {
    this.giveUp();
    await this.#client.close();
  }
}

function localSettingsOf(live: LiveConfig): LocalModelSettings {
  const threads = live.get('inference.local_threads');
  return {
    runtimeDir: runtimeFolder(live.get('inference.runtime_dir')),
    threads: threads > 0 ? threads : Math.max(1, availableParallelism() >> 1),
    timeoutMs: () => live.get('inference.timeout_ms'),
    memoryBytes: () => live.get('inference.local_memory_bytes'),
  };
}

function settingsOf(live: LiveConfig): RemoteSettings {
  return {
    timeoutMs: () => live.get('inference.timeout_ms'),
    batchSize: () => live.get('inference.batch_size'),
    maxConcurrent: () => live.get('inference.max_concurrent'),
    maxRetries: () => live.get('inference.max_retries'),
    tellsWhy: () => !live.get('auth.enabled'),
    cacheBytes: () => live.get('inference.cache_bytes'),
    maxPendingTexts: () => live.get('inference.max_pending_texts'),
    maxPendingBytes: () => live.get('inference.max_pending_bytes'),
  };
}

async function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
