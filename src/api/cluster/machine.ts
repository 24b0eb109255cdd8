// Resource usage of the machine and this process (memory, disk, load), as the operating system
// reports it.
import { readdirSync, statfsSync } from 'node:fs';
import { freemem, loadavg, networkInterfaces, totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { wildcardMatch } from '../../base/wildcard.js';
import type { ApiDeps } from '../kit/routes.js';

export interface Usage {
  readonly total: number;
  readonly used: number;
  readonly free: number;
  /** Percent in use, rounded. */
  readonly percent: number;
}

function usage(total: number, free: number): Usage {
  const used = total - free;
  return { total, used, free, percent: total === 0 ? 0 : Math.round((100 * used) / total) };
}

export function memoryUsage(): Usage {
  return usage(totalmem(), freemem());
}

/** The JavaScript heap only; documents and segments are outside it. */
export function heapUsage(): Usage {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return usage(limit, limit - used);
}

/** Usage of the file system that holds the data; undefined if it cannot be read. */
export function diskUsage(deps: ApiDeps): Usage | undefined {
  try {
    const { bsize, blocks, bavail } = statfsSync(deps.live.get('data_dir'));
    return usage(blocks * bsize, bavail * bsize);
  } catch {
    return undefined;
  }
}

/** Load averages over 1, 5 and 15 minutes, rounded to two decimals. */
export function loadAverages(): {
  readonly '1m': number;
  readonly '5m': number;
  readonly '15m': number;
} {
  const [one = 0, five = 0, fifteen = 0] = loadavg().map((load) => Math.round(load * 100) / 100);
  return { '1m': one, '5m': five, '15m': fifteen };
}

/** Open file descriptors of this process; undefined if the system does not list them. */
export function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}

/**
 * The address at which clients that discover nodes reach this one. If the server listens on all
 * addresses, it is an external IPv4 address of the machine.
 */
export function publishHost(deps: ApiDeps): string {
  const host = deps.live.get('server.host');
  if (host !== '0.0.0.0' && host !== '::') return host;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return (
    addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
  );
}

/**
 * Whether a node filter matches this node by id, name, host or role; the first three may be
 * patterns.
 */
export function isThisNode(deps: ApiDeps, name: string): boolean {
  if (['_all', '_local', '_master'].includes(name)) return true;
  const [role, wanted] = name.split(':');
  if (['master', 'data', 'ingest'].includes(role ?? '')) return wanted === 'true';
  const names = [deps.node.nodeId, deps.node.name, deps.live.get('server.host')];
  return names.some((own) => wildcardMatch(name, own));
}
