// Copies indexes of one server to another, both with the REST API of Elasticsearch: settings,
// mappings and aliases as far as they are taken, documents by their sequence numbers, then what
// changed meanwhile, and a comparison of both sides. A run that was killed goes on; a run after the
// last one writes what changed since.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { lockRun } from '../base/run-lock.js';
import { type Peer, PeerError, repeated } from '../remote/peer.js';
import type { PeerVersion } from '../remote/peer-version.js';
import { BulkTarget } from './bulk-target.js';
import { compareAll } from './checksums.js';
import { ImportJournal, type RefusedDocument } from './journal.js';
import { checkpointsOf, SequenceReader } from './sequence-reader.js';
import { copyShard, retryRefused, type ShardCopyOptions, type StoreOptions } from './shard-copy.js';
import { type SourceIndex, sourceIndexes, TargetIndexes } from './target-index.js';
import type { Change } from './translation.js';
import { countOf, removeDeleted, type Verification, verify } from './verification.js';

export interface CopyOptions {
  readonly source: Peer;
  readonly version: PeerVersion;
  /** The server that is written to. */
  readonly service: Peer;
  readonly serviceVersion: PeerVersion;
  /** What the journal knows the two sides by, which need not be their addresses of this run. */
  readonly from: string;
  readonly to: string;
  /** A move makes the service like the source in everything, and compares every document. */
  readonly kind: 'import' | 'move';
  /** Names and patterns of indexes, between commas. */
  readonly indexes: string;
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

export interface CopyReport {
  readonly indexes: readonly ImportedIndex[];
  readonly changes: readonly Change[];
}

const SHARDS_AT_ONCE = 2;
/** Passes over what changed during the pass before, until one finds few documents. */
const MOST_PASSES = 5;
const FEW_DOCUMENTS = 1000;

/** The peers of one run, and what both copying and comparing need. */
interface Sides extends StoreOptions {
  readonly service: Peer;
  readonly serviceVersion: PeerVersion;
  readonly targets: TargetIndexes;
  readonly kind: CopyOptions['kind'];
}

/** Rejects with PeerError, or with the signal's reason. */
export async function copyIndexes(options: CopyOptions): Promise<CopyReport> {
  const { from, to, indexes, kind, signal } = options;
  const name = createHash('sha256')
    .update(JSON.stringify([from, to]))
    .digest('hex')
    .slice(0, 24);
  const unlock = lockRun(join(options.stateFolder, `${name}.lock`), `${kind} from there`);
  const path = join(options.stateFolder, `${name}.ndjson`);
  const journal = new ImportJournal(path, { url: from, to });
  const changes: Change[] = [];
  try {
    const sides = sidesOf(options, journal, changes);
    const sources = await sourceIndexes(sides.source, indexes, signal);
    if (sources.length === 0) throw new Error(`[${from}] has no open index [${indexes}]`);
    if (options.dryRun) {
      for (const source of sources) await tryOut(source, sides);
      return { indexes: [], changes };
    }
    const missing = await missingTargets(sources, sides, options);
    for (const source of sources) {
      if (missing.includes(source)) await createTarget(source, sides, options);
      else if (kind === 'move') await sides.targets.addFields(source, source.name);
    }
    return { indexes: await copyAll(sources, sides, options), changes };
  } finally {
    journal.close();
    unlock();
  }
}

function sidesOf(options: CopyOptions, journal: ImportJournal, changes: Change[]): Sides {
  const { source, version, service, serviceVersion, kind, signal } = options;
  return {
    source,
    version,
    service,
    serviceVersion,
    target: new BulkTarget({ peer: service, signal }),
    targets: new TargetIndexes({ peer: service, signal, onChange: (one) => changes.push(one) }),
    journal,
    kind,
    signal,
  };
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
  { intoExisting, from, to, kind, signal }: CopyOptions,
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
        `the index [${name}] of [${from}] was created again since it was copied: delete it at [${to}], and run again`,
      );
    } else if (intoExisting) {
      journal.write(
        [{ index: { name, uuid, target: name, targetUuid: there, adopted: true } }],
        true,
      );
    } else {
      throw new Error(
        kind === 'move'
          ? `[${to}] has an index [${name}] that this move has not created: delete it there, or leave it out with --index`
          : `the service has an index [${name}] that this import has not created: delete it, or use --into-existing to write into it as it is`,
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
  { from, kind }: CopyOptions,
): Promise<void> {
  const { name, uuid } = source;
  // Durable before the index is there, so that a later run knows whose it is.
  journal.write([{ index: { name, uuid, target: name, targetUuid: '' } }], true);
  try {
    await targets.create(source, name);
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    throw new Error(
      kind === 'move'
        ? `${error.message}; leave it out with --index (from [${from}])`
        : `${error.message}; create it as it should be and use --into-existing, or leave it out with --index (from [${from}])`,
    );
  }
  const targetUuid = (await targets.uuidOf(name)) ?? '';
  journal.write([{ index: { name, uuid, target: name, targetUuid } }], true);
}

async function copyAll(
  sources: readonly SourceIndex[],
  sides: Sides,
  options: CopyOptions,
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
  if (sides.kind === 'move') await sides.targets.replaceAliases(source, name);
  else if (!journal.aliased.has(name)) {
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
    verification: await (sides.kind === 'move' ? compareAll : verify)(name, name, comparison),
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
