// Copies indexes of a running Elasticsearch or OpenSearch into the service: settings, mappings and
// aliases as far as they are taken, documents by their sequence numbers, then what changed
// meanwhile, and a comparison of both sides. A run that was killed goes on; a run after the last one
// writes what changed since.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { lockRun } from '../base/run-lock.js';
import { OutboundClient } from '../remote/exchange.js';
import { Peer, PeerError, repeated } from '../remote/peer.js';
import { type PeerVersion, versionOf } from '../remote/peer-version.js';

import { BulkTarget } from './bulk-target.js';
import { ImportJournal, type RefusedDocument } from './journal.js';
import { checkpointsOf, SequenceReader } from './sequence-reader.js';
import { copyShard, retryRefused, type ShardCopyOptions, type StoreOptions } from './shard-copy.js';
import { type SourceIndex, sourceIndexes, TargetIndexes } from './target-index.js';
import type { Change } from './translation.js';
import { countOf, removeDeleted, type Verification, verify } from './verification.js';

export interface Credentials {
  readonly apiKey: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

export interface ClusterImportOptions {
  readonly from: PeerVersion['product'];
  /** Without a slash at the end, like `to`. */
  readonly url: string;
  readonly credentials: Credentials;
  /** Names and patterns of indexes, between commas. */
  readonly indexes: string;
  readonly to: string;
  readonly apiKey: string | undefined;
  readonly stateFolder: string;
  /** Reports what would be left out, and copies nothing. */
  readonly dryRun: boolean;
  /** Writes into indexes that are there already, as they are. */
  readonly intoExisting: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  readonly index: string;
  readonly documents: number;
  readonly ofDocuments: number;
  readonly bytes: number;
}

export interface ImportedIndex {
  readonly index: string;
  /** Documents that this run has copied, and those of them that were changed during the run. */
  readonly copied: number;
  readonly changed: number;
  readonly removed: number;
  readonly refused: readonly RefusedDocument[];
  readonly verification: Verification | undefined;
}

export interface ImportReport {
  readonly source: string;
  readonly indexes: readonly ImportedIndex[];
  readonly changes: readonly Change[];
}

const IDLE_TIMEOUT_MS = 60_000;
const SHARDS_AT_ONCE = 2;
/** Passes over what changed during the pass before, until one finds few documents. */
const MOST_PASSES = 5;
const FEW_DOCUMENTS = 1000;
/** Elasticsearch shows sequence numbers in searches from 6.7 on. */
const FIRST_MAJOR = 7;
const PLAIN_HTTP = { objection: () => undefined };

/** The peers of one run, and what both copying and comparing need. */
interface Sides extends StoreOptions {
  readonly service: Peer;
  readonly serviceVersion: PeerVersion;
  readonly targets: TargetIndexes;
}

/** Rejects with PeerError, or with the signal's reason. */
export async function importCluster(options: ClusterImportOptions): Promise<ImportReport> {
  const client = new OutboundClient(PLAIN_HTTP);
  const { url, to, indexes } = options;
  const name = createHash('sha256')
    .update(JSON.stringify([url, to]))
    .digest('hex')
    .slice(0, 24);
  const unlock = lockRun(join(options.stateFolder, `${name}.lock`), 'import from there');
  const journal = new ImportJournal(join(options.stateFolder, `${name}.ndjson`), { url, to });
  const changes: Change[] = [];
  try {
    const sides = await sidesOf(options, client, journal, changes);
    const sources = await sourceIndexes(sides.source, indexes, options.signal);
    if (sources.length === 0) throw new Error(`[${url}] has no open index [${indexes}]`);
    if (options.dryRun) {
      for (const source of sources) await tryOut(source, sides);
      return { source: productOf(sides.version), indexes: [], changes };
    }
    const missing = await missingTargets(sources, sides, options);
    for (const source of missing) await createTarget(source, sides, options);
    return {
      source: productOf(sides.version),
      indexes: await copyAll(sources, sides, options),
      changes,
    };
  } finally {
    journal.close();
    await client.close();
    unlock();
  }
}

async function sidesOf(
  options: ClusterImportOptions,
  client: OutboundClient,
  journal: ImportJournal,
  changes: Change[],
): Promise<Sides> {
  const { signal, from, url } = options;
  const source = new Peer({
    url,
    ...authorization(options.credentials),
    client,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
  });
  const service = servicePeer(options.to, options.apiKey, client);
  const version = await versionOf(source, signal);
  if (version.product !== from) {
    throw new Error(`[${url}] is ${productOf(version)}: use --from ${version.product}`);
  }
  if (from === 'elasticsearch' && version.major < FIRST_MAJOR) {
    throw new Error(
      `[${url}] is ${productOf(version)}, versions before ${FIRST_MAJOR} cannot be imported: copy its indexes with _reindex from [remote]`,
    );
  }
  return {
    source,
    version,
    service,
    serviceVersion: await versionOf(service, signal),
    target: new BulkTarget({ peer: service, signal }),
    targets: new TargetIndexes({ peer: service, signal, onChange: (one) => changes.push(one) }),
    journal,
    signal,
  };
}

/** A client of the service itself. */
export function servicePeer(url: string, apiKey: string | undefined, client: OutboundClient): Peer {
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const secrets = apiKey === undefined ? [] : [apiKey];
  return new Peer({ url, headers, secrets, client, idleTimeoutMs: IDLE_TIMEOUT_MS });
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

/** Creates and removes an index of another name, which reports what would be left out. */
async function tryOut(source: SourceIndex, { targets, service, signal }: Sides): Promise<void> {
  const name = `import-trial-${createHash('sha256').update(source.name).digest('hex').slice(0, 16)}`;
  try {
    await targets.create(source, name);
    await targets.addAliases({ ...source, aliases: {} }, name);
  } finally {
    await service.json({ method: 'DELETE', path: `/${name}`, signal }).catch(() => {});
  }
}

/**
 * The indexes that have to be created. Rejects, before anything is written, if one is there that
 * this import has not created, or if one of the source was created again.
 */
async function missingTargets(
  sources: readonly SourceIndex[],
  sides: Sides,
  { intoExisting, url, signal }: ClusterImportOptions,
): Promise<readonly SourceIndex[]> {
  const { journal, targets } = sides;
  const missing: SourceIndex[] = [];
  for (const source of sources) {
    const { name, uuid } = source;
    const known = journal.indexes.get(name);
    const there = await targets.uuidOf(name);
    if (there === undefined) missing.push(source);
    else if (known?.targetUuid === '' && (await isEmpty(name, sides))) {
      // A run was killed while it created the index.
      await sides.service.json({ method: 'DELETE', path: `/${encodeURIComponent(name)}`, signal });
      missing.push(source);
    } else if (known?.targetUuid === there && known.uuid === uuid) continue;
    else if (known?.targetUuid === there) {
      throw new Error(
        `the index [${name}] of [${url}] was created again since it was imported: delete it at the service, and run again`,
      );
    } else if (intoExisting) {
      journal.write(
        [{ index: { name, uuid, target: name, targetUuid: there, adopted: true } }],
        true,
      );
    } else {
      throw new Error(
        `the service has an index [${name}] that this import has not created: delete it, or use --into-existing to write into it as it is`,
      );
    }
  }
  return missing;
}

async function isEmpty(index: string, { service, signal }: Sides): Promise<boolean> {
  await refresh(service, index, signal);
  return (await countOf(service, index, signal)) === 0;
}

async function createTarget(
  source: SourceIndex,
  { journal, targets }: Sides,
  { url }: ClusterImportOptions,
): Promise<void> {
  const { name, uuid } = source;
  // Durable before the index is there, so that a later run knows whose it is.
  journal.write([{ index: { name, uuid, target: name, targetUuid: '' } }], true);
  try {
    await targets.create(source, name);
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    throw new Error(
      `${error.message}; create it as it should be and use --into-existing, or leave it out with --index (from [${url}])`,
    );
  }
  const targetUuid = (await targets.uuidOf(name)) ?? '';
  journal.write([{ index: { name, uuid, target: name, targetUuid } }], true);
}

async function copyAll(
  sources: readonly SourceIndex[],
  sides: Sides,
  options: ClusterImportOptions,
): Promise<readonly ImportedIndex[]> {
  const { signal, onProgress } = options;
  const counts: number[] = [];
  for (const { name } of sources) {
    await refresh(sides.source, name, signal);
    counts.push(await countOf(sides.source, name, signal));
  }
  const ofDocuments = counts.reduce((sum, count) => sum + count, 0);
  let documents = 0;
  let bytes = 0;
  const imported: ImportedIndex[] = [];
  for (const source of sources) {
    const onStored = (more: number, moreBytes: number): void => {
      documents += more;
      bytes += moreBytes;
      onProgress({ index: source.name, documents, ofDocuments, bytes });
    };
    imported.push(await copyIndex(source, sides, onStored));
  }
  return imported;
}

async function copyIndex(
  source: SourceIndex,
  sides: Sides,
  onStored: ShardCopyOptions['onStored'],
): Promise<ImportedIndex> {
  const { journal, signal } = sides;
  const { name } = source;
  let copied = 0;
  let changed = 0;
  await retryRefused(name, name, sides);
  for (let pass = 1; pass <= MOST_PASSES; pass++) {
    const some = await copyChanges(name, sides, onStored);
    copied += some;
    if (pass > 1) changed += some;
    if (some <= FEW_DOCUMENTS && pass > 1) break;
  }
  if (!journal.aliased.has(name)) {
    await sides.targets.addAliases(source, name);
    journal.write([{ aliased: name }], true);
  }
  await Promise.all([refresh(sides.source, name, signal), refresh(sides.service, name, signal)]);
  const comparison = {
    source: sides.source,
    version: sides.version,
    target: sides.service,
    targetVersion: sides.serviceVersion,
    writer: sides.target,
    signal,
  };
  const removed = await removeSurplus(name, sides, comparison);
  return {
    index: name,
    copied,
    changed,
    removed,
    refused: journal.refusedOf(name),
    verification: await verify(name, name, comparison),
  };
}

/** One pass over the documents with numbers above the positions of the journal. */
async function copyChanges(
  index: string,
  sides: Sides,
  onStored: ShardCopyOptions['onStored'],
): Promise<number> {
  const { source, version, signal } = sides;
  const left = [...(await checkpointsOf(source, index, signal))];
  let copied = 0;
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [shard, until] = next;
      const reader = new SequenceReader({ peer: source, version, signal, withSource: true });
      const some = await copyShard({ index, shard }, index, until, { ...sides, reader, onStored });
      copied += some;
    }
  };
  await Promise.all(Array.from({ length: SHARDS_AT_ONCE }, work));
  return copied;
}

/**
 * All documents of the source are at the service now, but for those that it refused: if it has more,
 * some were deleted at the source.
 */
async function removeSurplus(
  index: string,
  { source, service, journal, signal }: Sides,
  comparison: Parameters<typeof removeDeleted>[2],
): Promise<number> {
  if (journal.indexes.get(index)?.adopted === true) return 0;
  const [there, here] = await Promise.all([
    countOf(source, index, signal),
    countOf(service, index, signal),
  ]);
  if (here === there - journal.refusedOf(index).length) return 0;
  const removed = await removeDeleted(index, index, comparison);
  if (removed > 0) await refresh(service, index, signal);
  return removed;
}

async function refresh(peer: Peer, index: string, signal: AbortSignal): Promise<void> {
  const path = `/${encodeURIComponent(index)}/_refresh`;
  await repeated(() => peer.json({ method: 'POST', path, signal }), { tries: 8, signal });
}
