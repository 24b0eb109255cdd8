// Asserts many links at once: one bulk of creations, so that saying the same again changes nothing, whoever says it.
import type { Backend, JsonObject } from '../backend.js';
import { QuarryError } from '../errors.js';
import { type Edge, toSource } from './edge.js';
import { edgeId, type Hash128 } from './edge-id.js';
import { EDGES_BODY, ensureIndex } from './edges-index.js';
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
  /** `name@version` of what found it. */
  readonly detector?: string;
}

export interface Asserted {
  readonly edgeId: string;
  /** False: it was there before, and is as it was. */
  readonly created: boolean;
}

/** Bulk lines that create links, for who writes them together with other documents. */
export interface LinkOperations {
  readonly edgeIds: readonly string[];
  /** Action and source lines, each with its newline. */
  readonly ndjson: string;
}

interface Clocked {
  readonly hash128: Hash128;
  readonly nowMs: () => number;
}

/** Links of one bulk: some hundred kilobytes. */
const BATCH = 1000;

export function linkOperations(
  { hash128, nowMs }: Clocked,
  brain: string,
  links: readonly NewLink[],
): LinkOperations {
  checkBrain(brain);
  const now = nowMs();
  const edges = links.map((link) => toEdge(hash128, link, now));
  const index = edgesIndex(brain);
  const lines = edges.map(
    (edge) =>
      `${JSON.stringify({ create: { _index: index, _id: edge.edge_id } })}\n${toSource(edge)}\n`,
  );
  return { edgeIds: edges.map(({ edge_id }) => edge_id), ndjson: lines.join('') };
}

/** In the order of `links`. Rejects with the first fault of an item that is no repetition. */
export async function assertLinks(
  deps: Clocked & { readonly backend: Backend },
  brain: string,
  links: readonly NewLink[],
): Promise<readonly Asserted[]> {
  const answers: Asserted[] = [];
  for (let at = 0; at < links.length; at += BATCH) {
    const { edgeIds, ndjson } = linkOperations(deps, brain, links.slice(at, at + BATCH));
    await ensureIndex(deps.backend, edgesIndex(brain), EDGES_BODY);
    const body = Buffer.from(ndjson);
    const { items } = await deps.backend.bulk({ refresh: 'false', body });
    for (const [i, item] of items.entries()) {
      const there = 'error' in item;
      if (there && item.status !== 409)
        throw new QuarryError('illegal_argument_exception', item.error.reason);
      answers.push({ edgeId: edgeIds[i] ?? '', created: !there });
    }
  }
  return answers;
}

function toEdge(hash: Hash128, link: NewLink, now: number): Edge {
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
