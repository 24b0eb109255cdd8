// The configuration of cluster mode, read once at the start: every key needs a restart.
import { readFileSync } from 'node:fs';
import { trimEndOf } from '../base/trim-end.js';
import type { Config } from '../config/schema.js';

export interface ClusterOptions {
  /** Addresses of nodes without a trailing slash; a path in front of the API is kept. */
  readonly urls: readonly string[];
  /** The value of the header; undefined: none is sent. */
  readonly authorization: string | undefined;
  /** Certificates in PEM that are trusted; undefined: those of the system. */
  readonly ca: string | undefined;
  /** Stands in front of the name of every index and alias in the cluster. */
  readonly indexPrefix: string;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly maxRetries: number;
  readonly connections: number;
}

/** What the names of indexes begin with; no further character may be in a prefix. */
const PREFIX = /^[a-z0-9][a-z0-9_.-]*$/;

/** Throws an Error that names the key, the value and the remedy. */
export function readClusterOptions(config: Config): ClusterOptions {
  const urls = config['cluster.urls']
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '')
    .map(readUrl);
  if (urls.length === 0) {
    throw new Error(
      '[cluster.enabled] needs [cluster.urls], the addresses of nodes of the cluster',
    );
  }
  const prefix = config['cluster.index_prefix'];
  if (prefix !== '' && !PREFIX.test(prefix)) {
    throw new Error(
      `[cluster.index_prefix] is [${prefix}]: it may have lower-case letters, digits, [-], [_] and [.], and begins with a letter or digit`,
    );
  }
  return {
    urls,
    authorization: readAuthorization(config),
    ca: config['cluster.ca'] === '' ? undefined : readFileSync(config['cluster.ca'], 'utf8'),
    indexPrefix: prefix,
    timeoutMs: config['cluster.timeout_ms'],
    connectTimeoutMs: config['cluster.connect_timeout_ms'],
    maxRetries: config['cluster.max_retries'],
    connections: config['cluster.connections'],
  };
}

function readUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.search !== '') {
    throw new Error(`[cluster.urls] has [${url}]: give addresses like https://node-1:9200`);
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new Error(
      `[cluster.urls] has credentials in the address of [${parsed.host}]: give them as [cluster.username] and [cluster.password]`,
    );
  }
  return trimEndOf(url, '/');
}

function readAuthorization(config: Config): string | undefined {
  const key = config['cluster.api_key'];
  const [username, password] = [config['cluster.username'], config['cluster.password']];
  if (key !== '' && username !== '') {
    throw new Error('[cluster.api_key] and [cluster.username] are both given, give one of them');
  }
  if (key !== '') return `ApiKey ${key}`;
  if (username === '') return undefined;
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
