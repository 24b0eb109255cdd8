// The product and version of another server, and what depends on them.
import type { Json, JsonObject } from '../backend/index.js';
import type { Peer } from './peer.js';

export interface PeerVersion {
  readonly product: 'elasticsearch' | 'opensearch';
  readonly major: number;
  readonly minor: number;
  /** As the server prints it. */
  readonly number: string;
}

/** Rejects with PeerError. */
export async function versionOf(peer: Peer, signal: AbortSignal): Promise<PeerVersion> {
  const version = readVersion(await peer.json({ method: 'GET', path: '/', signal }));
  if (version !== undefined) return version;
  throw peer.unusable('GET / without [version.number]: it is no Elasticsearch and no OpenSearch');
}

/** From the answer to `GET /`; undefined for another product. */
export function readVersion(answer: JsonObject): PeerVersion | undefined {
  const { number, distribution } = Object(answer['version']) as JsonObject;
  const [, major, minor] = /^(\d{1,4})\.(\d{1,4})/.exec(String(number)) ?? [];
  if (major === undefined || minor === undefined) return undefined;
  return {
    product: distribution === 'opensearch' ? 'opensearch' : 'elasticsearch',
    major: Number(major),
    minor: Number(minor),
    number: String(number),
  };
}

/** Elasticsearch leaves vectors out of documents from 9.2 on, unless they are requested. */
export function leavesVectorsOut({ product, major, minor }: PeerVersion): boolean {
  return product === 'elasticsearch' && (major > 9 || (major === 9 && minor >= 2));
}

/**
 * `_source` of a search body such that documents come with their vectors. */
export function sourceWithVectors(
  version: PeerVersion,
  source: Json | undefined,
): Json | undefined {
  if (!leavesVectorsOut(version)) return source;
  if (source === undefined || source === null || source === true) return { exclude_vectors: false };
  if (typeof source === 'string' || Array.isArray(source)) {
    return { includes: source, exclude_vectors: false };
  }
  return typeof source === 'object' ? { exclude_vectors: false, ...source } : source;
}
