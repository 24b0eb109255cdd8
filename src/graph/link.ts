// Asserts a link. Repeating an assertion changes nothing: the id is computed from the statement,
// and the first write creates the link.
import type { Backend } from '../backend/index.js';
import { isConflict } from './conflict.js';
import { type Edge, fromSource, type LinkView, toSource, viewOf } from './edge.js';
import { edgeId } from './edge-id.js';
import { EDGES_BODY, ensureIndex } from './edges-index.js';
import type { GraphDeps } from './graph.js';
import type { Assertion } from './link-body.js';
import { checkBrain, edgesIndex } from './names.js';

export interface LinkAnswer {
  readonly brain: string;
  readonly edge_id: string;
  readonly created: boolean;
  /** Set if the link was retired before it was asserted again: it remains retired. */
  readonly invalid_at?: number;
  readonly link: LinkView;
}

export async function link(
  deps: GraphDeps,
  brain: string,
  { validAt, ...said }: Assertion,
): Promise<LinkAnswer> {
  checkBrain(brain);
  const { backend, hash128, clock } = deps;
  const now = await clock.now(brain);
  const valid_at = validAt ?? now;
  const edge_id = edgeId(hash128, { ...said, validAt: valid_at });
  const edge: Edge = {
    ...said,
    edge_id,
    detector: null,
    evidenced: said.evidence !== null,
    valid_at,
    invalid_at: null,
    created_at: now,
    expired_at: null,
  };
  const index = edgesIndex(brain);
  await ensureIndex(backend, index, EDGES_BODY);
  const there = await create(backend, index, edge);
  const view = viewOf(there ?? edge, { world: await clock.now(brain), system: null });
  const { invalid_at } = view;
  return {
    brain,
    edge_id,
    created: there === undefined,
    ...(invalid_at === null ? {} : { invalid_at }),
    link: view,
  };
}

/** Undefined when the link was created, else the existing one. */
async function create(backend: Backend, index: string, edge: Edge): Promise<Edge | undefined> {
  const source = toSource(edge);
  try {
    const operation = { op: 'create', index, id: edge.edge_id, source } as const;
    await backend.write(operation, { refresh: 'false', repeatable: true });
    return undefined;
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
  const found = await backend.get({ index, id: edge.edge_id, source: true });
  // The link was removed between the two calls: create it again.
  return found.source === undefined
    ? create(backend, index, edge)
    : fromSource(edge.edge_id, found.source);
}
