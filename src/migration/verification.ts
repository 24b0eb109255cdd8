// Compares an index of the service with the one that it was copied from: removes what was deleted
// at the source meanwhile, counts, and compares a sample of documents.
import { isDeepStrictEqual } from 'node:util';
import type { Json, SearchHit } from '../backend/index.js';
import { parseExact } from '../base/exact-json.js';
import { type Peer, repeated } from '../remote/peer.js';
import type { PeerVersion } from '../remote/peer-version.js';
import type { BulkTarget } from './bulk-target.js';
import { checkpointsOf, isObject, SequenceReader } from './sequence-reader.js';
import { presentHits } from './shard-copy.js';

export interface VerificationOptions {
  readonly source: Peer;
  readonly version: PeerVersion;
  readonly target: Peer;
  readonly targetVersion: PeerVersion;
  readonly writer: BulkTarget;
  readonly signal: AbortSignal;
}

export interface Verification {
  readonly source: number;
  readonly target: number;
  /** Documents of the source that were compared: a sample, or all. */
  readonly compared: number;
  /** Ids of compared documents that are missing or different at the service. */
  readonly different: readonly string[];
}

const TRIES = 8;
const SAMPLE = 200;
const IDS_AT_ONCE = 500;

/** Both sides must have been refreshed. */
export async function verify(
  index: string,
  target: string,
  options: VerificationOptions,
): Promise<Verification> {
  const [source, copied] = await Promise.all([
    countOf(options.source, index, options.signal),
    countOf(options.target, target, options.signal),
  ]);
  const sample = await sampleOf(index, options);
  const different: string[] = [];
  for (let from = 0; from < sample.length; from += 100) {
    const some = sample.slice(from, from + 100);
    const ids = some.map(({ id }) => id);
    const there = await presentHits(target, ids, {
      source: options.target,
      version: options.targetVersion,
      signal: options.signal,
    });
    const byId = new Map(there.map((hit) => [hit.id, hit]));
    for (const hit of some) if (!isSame(hit, byId.get(hit.id))) different.push(hit.id);
  }
  return { source, target: copied, compared: sample.length, different };
}

export async function countOf(peer: Peer, index: string, signal: AbortSignal): Promise<number> {
  const path = `/${encodeURIComponent(index)}/_count`;
  const answer = await repeated(() => peer.json({ method: 'GET', path, signal }), {
    tries: TRIES,
    signal,
  });
  if (typeof answer['count'] === 'number') return answer['count'];
  throw peer.unusable('a count without [count]');
}

/** Removes the documents that the source does not have any more. Resolves to their number. */
export async function removeDeleted(
  index: string,
  target: string,
  { source, target: peer, targetVersion, writer, signal }: VerificationOptions,
): Promise<number> {
  const reader = new SequenceReader({ peer, version: targetVersion, signal, withSource: false });
  let removed = 0;
  for (const [shard, until] of await checkpointsOf(peer, target, signal)) {
    for (let at = -1; at < until; ) {
      const { hits, upTo } = await reader.page({ index: target, shard }, at, until);
      at = upTo;
      for (let from = 0; from < hits.length; from += IDS_AT_ONCE) {
        const some = hits.slice(from, from + IDS_AT_ONCE);
        const gone = await missingAt(source, index, some, signal);
        if (gone.length === 0) continue;
        await writer.write(
          target,
          gone.map(({ id, routing }) => ({ id, routing, source: undefined })),
        );
        removed += gone.length;
      }
    }
  }
  return removed;
}

/** Those that the source has in no shard, read by id so that no refresh is awaited. */
async function missingAt(
  source: Peer,
  index: string,
  hits: readonly SearchHit[],
  signal: AbortSignal,
): Promise<readonly SearchHit[]> {
  const docs = hits.map(({ id, routing }) => ({
    _id: id,
    ...(routing === undefined ? {} : { routing }),
    _source: false,
  }));
  const path = `/${encodeURIComponent(index)}/_mget`;
  const answer = await repeated(
    () => source.json({ method: 'POST', path, body: { docs }, signal }),
    { tries: TRIES, signal },
  );
  const found = answer['docs'];
  if (!Array.isArray(found) || found.length !== hits.length) {
    throw source.unusable('a multi-get without an entry for each document');
  }
  return hits.filter((_, i) => {
    const one = (found as readonly Json[])[i];
    if (isObject(one) && typeof one['found'] === 'boolean') return !one['found'];
    throw source.unusable('an entry of a multi-get without [found]');
  });
}

/** Documents from all over the source, in equal distances of their sequence numbers. */
async function sampleOf(
  index: string,
  { source: peer, version, signal }: VerificationOptions,
): Promise<readonly SearchHit[]> {
  const shards = await checkpointsOf(peer, index, signal);
  const each = Math.max(1, Math.floor(SAMPLE / shards.size));
  const sample: SearchHit[] = [];
  for (const [shard, until] of shards) {
    const step = Math.max(1, Math.floor((until + 1) / each));
    for (let at = -1; at < until; at += step) {
      const reader = new SequenceReader({
        peer,
        version,
        signal,
        withSource: true,
        documents: 1,
      });
      const { hits } = await reader.page({ index, shard }, at, Math.min(until, at + step));
      sample.push(...hits.slice(0, 1));
    }
  }
  return sample;
}

function isSame(one: SearchHit, other: SearchHit | undefined): boolean {
  if (other === undefined || one.routing !== other.routing) return false;
  return isDeepStrictEqual(documentOf(one), documentOf(other));
}

function documentOf({ source }: SearchHit): Json {
  return parseExact(Buffer.from(source ?? '{}').toString('utf8'));
}
