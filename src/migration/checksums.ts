// Compares two indexes in whole: both sides are read once, each document is added to a checksum of
// its bucket, and only buckets that differ are read again to name the documents. The order in which
// documents come does not matter, and no list of them is kept.
import { createHash } from 'node:crypto';
import type { SearchHit } from '../backend/index.js';
import { parseExact, printExact } from '../base/exact-json.js';
import { inKeyOrder } from '../base/key-order.js';
import type { Peer } from '../remote/peer.js';
import type { PeerVersion } from '../remote/peer-version.js';
import { checkpointsOf, SequenceReader } from './sequence-reader.js';
import type { Verification, VerificationOptions } from './verification.js';

const BUCKETS = 1024;
/** Buckets whose documents are named, so that what is kept of them stays small. */
const MOST_NAMED = 16;
const MOST_DIFFERENT = 1000;

interface Side {
  readonly peer: Peer;
  readonly version: PeerVersion;
  readonly index: string;
  readonly signal: AbortSignal;
}

/** Counts and checksums of one side. */
export class Checksums {
  documents = 0;
  /** Two sums modulo 2^64 for each bucket, of the halves of the digests. */
  readonly #sums = new BigUint64Array(2 * BUCKETS);

  add(hit: SearchHit): void {
    const digest = digestOf(hit);
    const at = 2 * bucketOf(hit.id);
    this.documents += 1;
    for (const half of [0, 1]) {
      const sum = (this.#sums[at + half] ?? 0n) + digest.readBigUInt64LE(8 * half);
      this.#sums[at + half] = BigInt.asUintN(64, sum);
    }
  }

  /** The buckets in which the other side has other documents. */
  differing(other: Checksums): readonly number[] {
    return Array.from({ length: BUCKETS }, (_, bucket) => bucket).filter((bucket) =>
      [0, 1].some((half) => this.#sums[2 * bucket + half] !== other.#sums[2 * bucket + half]),
    );
  }
}

/** Both sides must have been refreshed, and should not be written to. */
export async function compareAll(
  index: string,
  target: string,
  { source, version, target: peer, targetVersion, signal }: VerificationOptions,
): Promise<Verification> {
  const sides: readonly Side[] = [
    { peer: source, version, index, signal },
    { peer, version: targetVersion, index: target, signal },
  ];
  const [there, here] = await Promise.all(sides.map(checksumsOf));
  if (there === undefined || here === undefined) throw new Error('two sides are compared');
  const differing = there.differing(here);
  return {
    source: there.documents,
    target: here.documents,
    compared: there.documents,
    different: differing.length === 0 ? [] : await namesIn(differing, sides),
  };
}

async function checksumsOf(side: Side): Promise<Checksums> {
  const sums = new Checksums();
  for await (const hits of pagesOf(side)) for (const hit of hits) sums.add(hit);
  return sums;
}

/** Ids of documents that only one side has, or that differ, in the first of the buckets. */
async function namesIn(
  buckets: readonly number[],
  sides: readonly Side[],
): Promise<readonly string[]> {
  const wanted = new Set(buckets.slice(0, MOST_NAMED));
  const [there, here] = await Promise.all(
    sides.map(async (side) => {
      const digests = new Map<string, string>();
      for await (const hits of pagesOf(side)) {
        for (const hit of hits) {
          if (!wanted.has(bucketOf(hit.id))) continue;
          const name = hit.routing === undefined ? hit.id : `${hit.id} (routing ${hit.routing})`;
          digests.set(name, digestOf(hit).toString('base64'));
        }
      }
      return digests;
    }),
  );
  const all = new Set([...(there?.keys() ?? []), ...(here?.keys() ?? [])]);
  return [...all].filter((name) => there?.get(name) !== here?.get(name)).slice(0, MOST_DIFFERENT);
}

async function* pagesOf({
  peer,
  version,
  index,
  signal,
}: Side): AsyncGenerator<readonly SearchHit[]> {
  for (const [shard, until] of await checkpointsOf(peer, index, signal)) {
    const reader = new SequenceReader({ peer, version, signal, withSource: true });
    for (let at = -1; at < until; ) {
      signal.throwIfAborted();
      const { hits, upTo } = await reader.page({ index, shard }, at, until);
      at = upTo;
      yield hits;
    }
  }
}

/**
 * Of id, routing and document; numbers by their value and members in one order, which servers spell in
 * several ways.
 */
function digestOf({ id, routing, source }: SearchHit): Buffer {
  const text = Buffer.from(source ?? '{}').toString('utf8');
  return createHash('sha256')
    .update(JSON.stringify([id, routing ?? null]))
    .update(printExact(inKeyOrder(parseExact(text))))
    .digest();
}

/** FNV-1a of the id. */
function bucketOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) {
    hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0) % BUCKETS;
}
