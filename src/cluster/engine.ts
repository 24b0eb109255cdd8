// Which engine answers, and whether it is new enough.
import type { Json, JsonObject } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import { type PeerVersion, readVersion } from '../remote/peer-version.js';

export interface ClusterEngine {
  readonly kind: 'elasticsearch' | 'opensearch';
  readonly version: string;
  /** The same, in parts. */
  readonly parts: PeerVersion;
  readonly clusterName: string;
  readonly clusterUuid: string;
  /** OpenSearch with its plugin for vectors, whose indexes have to be made for them. */
  readonly hasKnnPlugin: boolean;
}

const FLOORS = {
  elasticsearch: { name: 'Elasticsearch', major: 8, minor: 12 },
  opensearch: { name: 'OpenSearch', major: 2, minor: 19 },
} as const;

/**
 * From the answers to `GET /` and, of OpenSearch, to `GET /_cat/plugins`; undefined: they are not
 * shown. Throws for what is no engine, or one that is too old.
 */
export function readEngine(answer: JsonObject, plugins?: Json): ClusterEngine {
  const version = readVersion(answer);
  if (version === undefined) {
    throw new QuarryError(
      'illegal_argument_exception',
      'what answers at [cluster.urls] is neither Elasticsearch nor OpenSearch: GET / has no [version.number]',
    );
  }
  const { product: kind, number } = version;
  const { name, major, minor } = FLOORS[kind];
  if (!isAtLeast({ version: number }, major, minor)) {
    throw new QuarryError(
      'illegal_argument_exception',
      `the cluster is ${name} [${number}], cluster mode needs ${name} ${major}.${minor} or later: upgrade the cluster`,
    );
  }
  return {
    kind,
    version: number,
    parts: version,
    clusterName: String(answer['cluster_name'] ?? ''),
    clusterUuid: String(answer['cluster_uuid'] ?? ''),
    hasKnnPlugin: kind === 'opensearch' && isListed(plugins, 'opensearch-knn'),
  };
}

/** The distribution of OpenSearch has all of its plugins. */
function isListed(plugins: Json | undefined, name: string): boolean {
  if (!Array.isArray(plugins)) return true;
  return (plugins as readonly JsonObject[]).some(({ component }) => component === name);
}

/** Whether the version is at least this one. */
export function isAtLeast(
  { version }: Pick<ClusterEngine, 'version'>,
  major: number,
  minor: number,
): boolean {
  const [had = 0, hadMinor = 0] = version.split('.').map(Number);
  return had > major || (had === major && hadMinor >= minor);
}
