// Which engine answers, and whether it is new enough.
import type { JsonObject } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import { isObject } from './errors.js';

export interface ClusterEngine {
  readonly kind: 'elasticsearch' | 'opensearch';
  readonly version: string;
  readonly clusterName: string;
  readonly clusterUuid: string;
}

const FLOORS = {
  elasticsearch: { name: 'Elasticsearch', major: 8, minor: 12 },
  opensearch: { name: 'OpenSearch', major: 2, minor: 19 },
} as const;

/** From the answer to `GET /`; throws for what is no engine, or one that is too old. */
export function readEngine(answer: JsonObject): ClusterEngine {
  const version = isObject(answer['version']) ? answer['version'] : {};
  const number = version['number'];
  if (typeof number !== 'string') {
    throw new QuarryError(
      'illegal_argument_exception',
      'what answers at [cluster.urls] is neither Elasticsearch nor OpenSearch: GET / has no [version.number]',
    );
  }
  const kind = version['distribution'] === 'opensearch' ? 'opensearch' : 'elasticsearch';
  const { name, major, minor } = FLOORS[kind];
  const [had = 0, hadMinor = 0] = number.split('.').map(Number);
  if (had < major || (had === major && hadMinor < minor)) {
    throw new QuarryError(
      'illegal_argument_exception',
      `the cluster is ${name} [${number}], cluster mode needs ${name} ${major}.${minor} or later: upgrade the cluster`,
    );
  }
  return {
    kind,
    version: number,
    clusterName: String(answer['cluster_name'] ?? ''),
    clusterUuid: String(answer['cluster_uuid'] ?? ''),
  };
}

/** Whether the version is at least this one. */
export function isAtLeast({ version }: ClusterEngine, major: number, minor: number): boolean {
  const [had = 0, hadMinor = 0] = version.split('.').map(Number);
  return had > major || (had === major && hadMinor >= minor);
}
