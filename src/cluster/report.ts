// What `quarry doctor` says of a cluster: its engine, its health, nodes that do not answer, and how
// many namespaces fit.
import type { JsonObject } from '../backend/index.js';
import { ClusterClient } from './cluster-client.js';
import type { ClusterEngine } from './engine.js';
import { isObject } from './errors.js';
import { IndexNames } from './index-names.js';
import type { ClusterOptions } from './options.js';
import { ClusterTransport } from './transport.js';

export interface ClusterReport {
  readonly engine: ClusterEngine;
  readonly status: string;
  /** Addresses that do not answer, with the reason. */
  readonly silent: readonly { readonly url: string; readonly reason: string }[];
  readonly shards: number;
  /** The engine's limit for all data nodes together. */
  readonly mostShards: number;
  /** Further namespaces that fit, each of two indexes of one shard and one replica. */
  readonly namespaces: number;
}

/** The engine's default of cluster.max_shards_per_node. */
const USUAL_SHARDS = 1000;
const SHARDS_OF_NAMESPACE = 4;

/** Rejects with what is wrong where no node answers, or where the engine is too old. */
export async function clusterReport(options: ClusterOptions): Promise<ClusterReport> {
  const silent: { url: string; reason: string }[] = [];
  for (const url of options.urls) {
    const reason = await silenceOf({ ...options, urls: [url], maxRetries: 0 });
    if (reason !== undefined) silent.push({ url, reason });
  }
  return withClient(options, async (client) => {
    const engine = await client.greet();
    const health = await client.json('GET', '/_cluster/health', { repeatable: true });
    const limit = await shardLimit(client);
    const nodes = Math.max(1, Number(health['number_of_data_nodes'] ?? 1));
    const waiting = Number(health['unassigned_shards'] ?? 0);
    const shards = Number(health['active_shards'] ?? 0) + waiting;
    const mostShards = limit * nodes;
    const namespaces = Math.max(0, Math.floor((mostShards - shards) / SHARDS_OF_NAMESPACE));
    const status = String(health['status']);
    return { engine, status, silent, shards, mostShards, namespaces };
  });
}

async function silenceOf(options: ClusterOptions): Promise<string | undefined> {
  try {
    await withClient(options, (client) => client.greet());
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

async function shardLimit(client: ClusterClient): Promise<number> {
  const settings = await client.json('GET', '/_cluster/settings', {
    params: { include_defaults: true, flat_settings: true },
    repeatable: true,
  });
  for (const level of ['transient', 'persistent', 'defaults']) {
    const values: JsonObject[string] | undefined = settings[level];
    const value = isObject(values) ? values['cluster.max_shards_per_node'] : undefined;
    if (value !== undefined) return Number(value);
  }
  return USUAL_SHARDS;
}

async function withClient<T>(
  options: ClusterOptions,
  work: (client: ClusterClient) => Promise<T>,
): Promise<T> {
  const client = new ClusterClient(
    new ClusterTransport(options),
    new IndexNames(options.indexPrefix),
  );
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
