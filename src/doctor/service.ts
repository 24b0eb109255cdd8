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
  /** Of the shipped log; undefined if it is not shipped. Times in epoch milliseconds. */
  readonly shipping: ShippedState | undefined;
  readonly nowMs: number;
}

export interface ShippedState {
  readonly place: string;
  /** What was written until then is there; undefined: nothing yet. */
  readonly until: number | undefined;
  readonly failure: string | undefined;
  readonly intervalMs: number;
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
    ...(state.shipping === undefined ? [] : [shippingFinding(state.shipping, state.nowMs)]),
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

/** Intervals without success that are no more than a slow step. */
const LATE_INTERVALS = 3;

function shippingFinding(
  { place, until, failure, intervalMs }: ShippedState,
  nowMs: number,
): Finding {
  const what = 'shipped log';
  const moment = until === undefined ? 'nothing' : `what was written until ${isoOf(until)}`;
  const found = `${place} has ${moment}`;
  if (failure !== undefined) {
    return wrong(what, `${found}: ${failure}`, 'see snapshot.ship_log and the place');
  }
  if (until === undefined) {
    return warning(what, found, 'the first copy is under way: wait for it');
  }
  const late = nowMs - until;
  if (late <= LATE_INTERVALS * intervalMs + MIN_LATE_MS) return good(what, found);
  const behind = `${Math.round(late / 1000)} s behind`;
  return warning(what, `${found}, ${behind}`, 'the place or the network is too slow');
}

const MIN_LATE_MS = 10_000;

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

function keysFinding(keys: number | undefined): Finding {
  if (keys === undefined) return good('keys', 'none are required');
  if (keys > 0) return good('keys', `${keys} keys`);
  const remedy = 'make one on the machine of the service: quarry keys create';
  return warning('keys', 'there are none, every request is refused', remedy);
}
