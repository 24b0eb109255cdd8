// Asserts many links with one bulk of create operations. Asserting a link that exists already
// changes nothing, whichever client asserted it first.
import type { Backend, JsonObject } from '../backend/index.js';
import { plainJson } from '../base/json-text.js';
import { ERROR_STATUS, type ErrorType, QuarryError } from '../errors.js';
import { type Edge, toSource } from './edge.js';
import { edgeId, type Hash128 } from './edge-id.js';
import { EDGES_BODY, ensureIndex } from './edges-index.js';
import type { GraphDeps } from './graph.js';
import { checkBrain, checkId, edgesIndex, illegal } from './names.js';
import { shown } from './times.js';

export interface NewLink {
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  /** 0 to 1, default 1. */
  readonly confidence?: number;
  readonly weight?: number;
  readonly evidence?: JsonObject | null;
  /** Epoch milliseconds, default now. */
  readonly validAt?: number;
  /** `name@version` of the detector that found the link. */
  readonly detector?: string;
}

export interface AssertedLink {
  readonly edgeId: string;
  /** False: the link existed before and is unchanged. */
  readonly created: boolean;
}

/** Bulk lines that create links, for a caller that writes them together with other documents. */
export interface LinkOperations {
  readonly edgeIds: readonly string[];
  /** Action and source lines, each with its newline. */
  readonly ndjson: string;
}

/** Links per bulk; such a body has some hundred kilobytes. */
const BATCH = 1000;

export function linkOperations(
  hash128: Hash128,
  brain: string,
  links: readonly NewLink[],
  now: number,
): LinkOperations {
  checkBrain(brain);
  const edges = links.map((link) => toEdge(hash128, link, now));
  const documents = edges.map((edge) => ({ id: edge.edge_id, source: toSource(edge) }));
  return {
    edgeIds: edges.map(({ edge_id }) => edge_id),
    ndjson: creations(edgesIndex(brain), documents),
  };
}

/**
 * The answers are in the order of `links`. Rejects with the first error of an item that is not a
 * version conflict.
 */
export async function assertLinks(
  deps: Pick<GraphDeps, 'backend' | 'hash128' | 'clock'>,
  brain: string,
  links: readonly NewLink[],
): Promise<readonly AssertedLink[]> {
  checkBrain(brain);
  const now = await deps.clock.now(brain);
  const edges = links.map((link) => toEdge(deps.hash128, link, now));
  if (edges.length === 0) return [];
  const index = edgesIndex(brain);
  await ensureIndex(deps.backend, index, EDGES_BODY);
  const documents = edges.map((edge) => ({ id: edge.edge_id, source: toSource(edge) }));
  const created = await createAll(deps.backend, index, documents);
  return edges.map(({ edge_id }, i) => ({ edgeId: edge_id, created: created[i] ?? false }));
}

interface NewDocument {
  readonly id: string;
  readonly source: Uint8Array;
}

/** For each document, true if this call created it and false if it existed before. */
export async function createAll(
  backend: Backend,
  index: string,
  documents: readonly NewDocument[],
): Promise<readonly boolean[]> {
  const created: boolean[] = [];
  for (let at = 0; at < documents.length; at += BATCH) {
    const body = Buffer.from(creations(index, documents.slice(at, at + BATCH)));
    const { items } = await backend.bulk({ refresh: 'false', repeatable: true, body });
    for (const item of items) {
      if ('error' in item && item.status !== 409) throw itemFault(item.error);
      created.push(!('error' in item));
    }
  }
  return created;
}

function itemFault({
  type,
  reason,
}: {
  readonly type: string;
  readonly reason: string;
}): QuarryError {
  const known = type in ERROR_STATUS ? (type as ErrorType) : 'internal_server_error';
  return new QuarryError(known, reason);
}

function creations(index: string, documents: readonly NewDocument[]): string {
  return documents
    .map(
      ({ id, source }) =>
        `${plainJson({ create: { _index: index, _id: id } })}\n${Buffer.from(source).toString('utf8')}\n`,
    )
    .join('');
}

export function toEdge(hash: Hash128, link: NewLink, now: number): Edge {
  const { src, dst, type, confidence = 1, weight = 1, evidence = null, detector = null } = link;
  checkId(src, 'src');
  checkId(dst, 'dst');
  checkId(type, 'type');
  if (src === dst)
    throw illegal(`[src] and [dst] are both ${shown(src)}, a link must join two different nodes`);
  const valid_at = link.validAt ?? now;
  return {
    edge_id: edgeId(hash, { src, type, dst, validAt: valid_at }),
    src,
    dst,
    type,
    confidence,
    weight,
    detector,
    evidence,
    evidenced: evidence !== null,
    valid_at,
    invalid_at: null,
    created_at: now,
    expired_at: null,
  };
}
