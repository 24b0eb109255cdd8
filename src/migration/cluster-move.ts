// Moves what a service holds into a cluster, through a service in front of that cluster
// (src/cluster/): so documents, mappings and memories have there the form in which cluster mode
// reads them. The copy is that of an import (index-copy.ts), with every document compared at the end.
import type { JsonObject } from '../backend/index.js';
import { OutboundClient } from '../remote/exchange.js';
import { type Peer, PeerError, repeated } from '../remote/peer.js';
import { versionOf } from '../remote/peer-version.js';
import { type ServiceOptions, servicePeer } from './cluster-import.js';
import { type CopyOptions, type CopyReport, copyIndexes } from './index-copy.js';
import { moveEndpoints, moveTemplates, type StateMove } from './move-state.js';
import { isObject } from './sequence-reader.js';
import type { Change } from './translation.js';

/** One side of a move. */
export type MoveSide = Omit<ServiceOptions, 'client' | 'shown'> & {
  /** What the journal and messages know it by. */
  readonly name: string;
};

export interface MoveOptions
  extends Pick<CopyOptions, 'indexes' | 'stateFolder' | 'dryRun' | 'signal' | 'onProgress'> {
  readonly from: MoveSide;
  /** The service in front of the cluster. */
  readonly to: MoveSide;
}

export interface MoveReport extends CopyReport {
  /** Inference endpoints and templates that the cluster has now. */
  readonly entries: number;
  /** Indexes that were left out because they are closed. */
  readonly closed: readonly string[];
}

const PLAIN_HTTP = { objection: () => undefined };
const TRIES = 8;

/** Rejects with PeerError, or with the signal's reason. */
export async function moveToCluster(options: MoveOptions): Promise<MoveReport> {
  const { from, to, signal, dryRun } = options;
  const client = new OutboundClient(PLAIN_HTTP);
  try {
    const [source, target] = [from, to].map(({ name, ...side }) =>
      servicePeer({ ...side, shown: name, client }),
    );
    if (source === undefined || target === undefined) throw new Error('there are two sides');
    await checkSource(source, signal);
    const changes: Change[] = [];
    const state: StateMove = { source, target, signal, onChange: (one) => changes.push(one) };
    const closed = await closedIndexes(source, options.indexes, signal);
    const endpoints = dryRun ? 0 : await moveEndpoints(state);
    const copied = await copyIndexes({
      ...options,
      source,
      version: await versionOf(source, signal),
      service: target,
      serviceVersion: await versionOf(target, signal),
      from: from.name,
      to: to.name,
      kind: 'move',
      intoExisting: false,
    });
    const templates = dryRun ? 0 : await moveTemplates(state);
    return {
      indexes: copied.indexes,
      changes: [...changes, ...copied.changes],
      entries: endpoints + templates,
      closed,
    };
  } finally {
    await client.close();
  }
}

/** Only a service that stores its data itself has something to move. */
async function checkSource(source: Peer, signal: AbortSignal): Promise<void> {
  let health: JsonObject;
  try {
    const path = '/v1/health/ready';
    health = await repeated(() => source.json({ method: 'GET', path, signal }), {
      tries: TRIES,
      signal,
    });
  } catch (error) {
    if (!(error instanceof PeerError) || error.again) throw error;
    throw new Error(
      `[${source.url}] is no Quarry: clusters and files of others come over with quarry import`,
    );
  }
  if (health['cluster'] === undefined) return;
  throw new Error(
    `[${source.url}] is itself in front of a cluster, which holds its data: copy that with quarry import --from, or with snapshots of the cluster`,
  );
}

async function closedIndexes(
  source: Peer,
  patterns: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const names = patterns.split(',').map((one) => encodeURIComponent(one.trim()));
  const path = `/_resolve/index/${names.join(',')}?expand_wildcards=all`;
  const { indices } = await repeated(() => source.json({ method: 'GET', path, signal }), {
    tries: TRIES,
    signal,
  });
  if (!Array.isArray(indices)) return [];
  return (indices as readonly JsonObject[])
    .filter(({ attributes }) => Array.isArray(attributes) && attributes.includes('closed'))
    .map((one) => (isObject(one) ? String(one['name']) : ''));
}
