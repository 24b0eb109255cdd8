// Names and ids of a node and its cluster.
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';

export interface NodeNames {
  readonly name: string;
  readonly clusterUuid: string;
  readonly nodeId: string;
}

/** Ids that are stable for a machine and data folder without being stored. */
export function nodeNames(dataDir: string): NodeNames {
  const folder = resolve(dataDir);
  const digest = (what: string): string =>
    createHash('sha256')
      .update(`${what}\0${hostname()}\0${folder}`)
      .digest('base64url')
      .slice(0, 22);
  return { name: hostname(), clusterUuid: digest('cluster'), nodeId: digest('node') };
}
