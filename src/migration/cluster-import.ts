// Copies indexes of a running Elasticsearch or OpenSearch into the service, see index-copy.ts.
import { OutboundClient } from '../remote/exchange.js';
import { Peer } from '../remote/peer.js';
import { type PeerVersion, versionOf } from '../remote/peer-version.js';
import {
  type CopyOptions,
  type CopyReport,
  copyIndexes,
  type ImportedIndex,
  type ImportProgress,
} from './index-copy.js';

export type { ImportedIndex, ImportProgress };

export interface Credentials {
  readonly apiKey: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

export interface ClusterImportOptions
  extends Pick<
    CopyOptions,
    'indexes' | 'to' | 'stateFolder' | 'dryRun' | 'intoExisting' | 'signal' | 'onProgress'
  > {
  readonly from: PeerVersion['product'];
  /** Without a slash at the end, like `to`. */
  readonly url: string;
  readonly credentials: Credentials;
  readonly apiKey: string | undefined;
}

export interface ImportReport extends CopyReport {
  readonly source: string;
}

const IDLE_TIMEOUT_MS = 60_000;
/** Elasticsearch shows sequence numbers in searches from 6.7 on. */
const FIRST_MAJOR = 7;
const PLAIN_HTTP = { objection: () => undefined };

/** Rejects with PeerError, or with the signal's reason. */
export async function importCluster(options: ClusterImportOptions): Promise<ImportReport> {
  const { url, to, signal } = options;
  const client = new OutboundClient(PLAIN_HTTP);
  try {
    const source = new Peer({
      url,
      ...authorization(options.credentials),
      client,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
    });
    const service = servicePeer({ url: to, apiKey: options.apiKey, client });
    const version = await versionOf(source, signal);
    checkVersion(version, options);
    const report = await copyIndexes({
      ...options,
      source,
      version,
      service,
      serviceVersion: await versionOf(service, signal),
      from: url,
      kind: 'import',
    });
    return { source: productOf(version), ...report };
  } finally {
    await client.close();
  }
}

function checkVersion(version: PeerVersion, { from, url }: ClusterImportOptions): void {
  if (version.product !== from) {
    throw new Error(`[${url}] is ${productOf(version)}: use --from ${version.product}`);
  }
  if (from === 'elasticsearch' && version.major < FIRST_MAJOR) {
    throw new Error(
      `[${url}] is ${productOf(version)}, versions before ${FIRST_MAJOR} cannot be imported: copy its indexes with _reindex from [remote]`,
    );
  }
}

export interface ServiceOptions {
  readonly url: string;
  /** What messages call it, if not by its address. */
  readonly shown?: string | undefined;
  readonly apiKey: string | undefined;
  readonly client: OutboundClient;
}

/** A client of the service itself. */
export function servicePeer({ url, shown, apiKey, client }: ServiceOptions): Peer {
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const secrets = apiKey === undefined ? [] : [apiKey];
  return new Peer({ url, shown, headers, secrets, client, idleTimeoutMs: IDLE_TIMEOUT_MS });
}

function authorization({ apiKey, username, password }: Credentials) {
  if (apiKey !== undefined) {
    return { headers: { authorization: `ApiKey ${apiKey}` }, secrets: [apiKey] };
  }
  if (username === undefined) return { headers: {}, secrets: [] };
  const basic = Buffer.from(`${username}:${password ?? ''}`).toString('base64');
  return { headers: { authorization: `Basic ${basic}` }, secrets: [basic, password ?? ''] };
}

function productOf({ product, number }: PeerVersion): string {
  return `${product} ${number}`;
}
