// The parts of cluster mode that the composition root needs, loaded only in that mode.
import type { Config } from '../config/schema.js';
import { ClusterBackend, type ClusterBackendOptions } from './cluster-backend.js';
import { ClusterTurns } from './leases.js';
import { readClusterOptions } from './options.js';
import { type ClusterReport, clusterReport } from './report.js';

export interface ClusterParts {
  readonly backend: ClusterBackend;
  readonly turns: ClusterTurns;
}

/** Throws what is wrong with the configuration. */
export function createCluster(
  config: Config,
  options: Omit<ClusterBackendOptions, 'cluster'>,
): ClusterParts {
  const backend = new ClusterBackend({ ...options, cluster: readClusterOptions(config) });
  return { backend, turns: new ClusterTurns(backend.leases) };
}

/** For `quarry doctor`. */
export function reportCluster(config: Config): Promise<ClusterReport> {
  return clusterReport(readClusterOptions(config));
}
