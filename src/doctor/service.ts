// Findings about a running service: its machine, its configuration, its data, memory and keys.
import { resolve } from 'node:path';
import type { DamagedEntry } from '../backend/index.js';
import { bytesText } from '../base/bytes-text.js';
import type { LoadedConfig } from '../config/load.js';
import { type Finding, good, warning, wrong } from './findings.js';
import {
  configurationFinding,
  descriptorFinding,
  folderFindings,
  processorFinding,
  programFinding,
} from './machine.js';

export interface ServiceState extends Pick<LoadedConfig, 'config' | 'origins'> {
  readonly version: string;
  readonly addonVersion: number;
  readonly damaged: readonly DamagedEntry[];
  /** Memory that counts against its limit, in bytes. */
  readonly memory: { readonly used: number; readonly limit: number };
  /** Number of keys; undefined if none is required. */
  readonly keys: number | undefined;
}

/** The share of the memory limit from which it counts as nearly reached. */
const NEAR_LIMIT = 0.9;

export function serviceFindings(state: ServiceState): readonly Finding[] {
  const { config, damaged, memory, keys } = state;
  return [
    programFinding(state.version),
    good('native core', `version ${state.addonVersion}`),
    processorFinding(),
    descriptorFinding(),
    configurationFinding(state),
    // In cluster mode the cluster has the data.
    ...(config['cluster.enabled'] ? [] : folderFindings(resolve(config['data_dir']))),
    ...damageFindings(damaged),
    memoryFinding(memory),
    keysFinding(keys),
  ];
}

export function damageFindings(damaged: readonly DamagedEntry[]): readonly Finding[] {
  if (damaged.length === 0) return [good('data', 'everything can be read')];
  return damaged.map(({ kind, name, reason }) => {
    const remedy = kind === 'index' ? 'stop the service and see quarry check' : 'then see its log';
    return wrong(`${kind} ${name}`, reason, remedy);
  });
}

function memoryFinding({ used, limit }: ServiceState['memory']): Finding {
  const found = `${bytesText(used)} of ${bytesText(limit)}`;
  if (used < NEAR_LIMIT * limit) return good('memory', found);
  const remedy = 'writes are answered 429 at the limit: add memory, or close indexes and contexts';
  return warning('memory', found, remedy);
}

function keysFinding(keys: number | undefined): Finding {
  if (keys === undefined) return good('keys', 'none are required');
  if (keys > 0) return good('keys', `${keys} keys`);
  const remedy = 'make one on the machine of the service: quarry keys create';
  return warning('keys', 'there are none, every request is refused', remedy);
}
