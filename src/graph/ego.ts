// A node and its surroundings: links in the same order at every limit, the nodes that they join,
// and an account of everything that is not shown.
import type { Backend, LinkWalkResult, Waiter, WalkedLink } from '../backend/index.js';
import type { Brain } from './brains.js';
import { type LinkView, viewAt } from './edge.js';
import { evidenceOf } from './evidence.js';
import type { GraphDeps } from './graph.js';
import { checkId } from './names.js';
import { type NodeView, viewNodes } from './node-views.js';
import { accountOf, type NotShown } from './not-shown.js';
import type { Previews } from './previews.js';
import { type Moment, momentOf } from './times.js';
import type { Direction } from './visible.js';

export interface EgoRequest {
  readonly node: string;
  readonly direction: Direction;
  /** 1 or more; above 2 counts as 2. */
  readonly hops: number;
  readonly types: readonly string[] | undefined;
  readonly includeExpired: boolean;
  readonly includeNodes: boolean;
  /** Clamped to 1..1000. */
  readonly limit: number;
  readonly asOf: number | undefined;
  readonly knownAt: number | undefined;
  readonly waiter?: Waiter | undefined;
}

export interface EgoLink extends LinkView {
  readonly direction: 'out' | 'in';
  readonly hop: 1 | 2;
}

export interface EgoAnswer {
  readonly brain: string;
  readonly node: string;
  readonly exists: boolean;
  readonly as_of: number;
  readonly known_at?: number;
  readonly hops: 1 | 2;
  /** The requested number of hops, when it was clamped. */
  readonly hops_asked?: number;
  readonly direction: Direction;
  readonly types: readonly string[] | null;
  readonly links: readonly EgoLink[];
  readonly nodes: Readonly<Record<string, NodeView>>;
  readonly reachable: readonly { readonly id: string; readonly hop: 1 | 2; readonly via: string }[];
  readonly not_shown: NotShown;
  readonly took: number;
}

const MAX_HOPS = 2;
const MAX_LIMIT = 1000;
/**
 * Maximum number of nodes that a second hop starts from; those over the strongest links are taken.
 */
const MAX_FRONTIER = 1000;

const NOTHING: LinkWalkResult = { links: [], hops: [], complete: true, degrees: new Map() };

export async function ego(
  { backend, brains, previews, clock }: GraphDeps,
  name: string,
  request: EgoRequest,
): Promise<EgoAnswer> {
  const started = performance.now();
  checkId(request.node, 'node');
  // A request for links alone succeeds before the first link of a brain exists; a request with
  // nodes needs an existing brain.
  const brain = request.includeNodes ? await brains.known(name) : await brains.find(name);
  const moment = momentOf(request, await clock.now(name));
  const hops = request.hops >= MAX_HOPS ? MAX_HOPS : 1;
  const walked = brain.hasEdges ? await walkNow(backend, brain, request, hops, moment) : NOTHING;
  const [evidence, { exists, nodes }] = await Promise.all([
    evidenceOf(backend, brain.edges, walked.links),
    describe(previews, brain, request, walked),
  ]);
  return {
    brain: name,
    node: request.node,
    exists,
    as_of: moment.world,
    ...(moment.system === null ? {} : { known_at: moment.system }),
    hops,
    ...(request.hops > MAX_HOPS ? { hops_asked: request.hops } : {}),
    direction: request.direction,
    types: request.types ?? null,
    links: walked.links.map((link) => {
      const view = viewAt(link, evidence.get(link.edge_id) ?? null, moment);
      return Object.assign(view, { direction: link.direction, hop: link.hop });
    }),
    nodes,
    reachable: reachableOver(walked.links, request.node),
    not_shown: accountOf(walked),
    took: Math.round(performance.now() - started),
  };
}

/** Publishes the index first, so that every acknowledged link is visible. */
async function walkNow(
  backend: Backend,
  { edges }: Brain,
  { node, direction, types, includeExpired, includeNodes, limit, waiter }: EgoRequest,
  hops: 1 | 2,
  moment: Moment,
): Promise<LinkWalkResult> {
  await backend.publish(edges);
  return backend.walkLinks({
    index: edges,
    seeds: [node],
    direction,
    hops,
    types,
    includeExpired,
    moment,
    limit: Math.min(Math.max(limit, 1), MAX_LIMIT),
    frontier: MAX_FRONTIER,
    degrees: includeNodes,
    waiter,
  });
}

async function describe(
  previews: Previews,
  brain: Brain,
  { node, includeNodes }: EgoRequest,
  { links, degrees }: LinkWalkResult,
): Promise<{ exists: boolean; nodes: EgoAnswer['nodes'] }> {
  if (!includeNodes) {
    const [preview] = await previews.of(brain, [node]);
    return { exists: preview?.exists ?? false, nodes: {} };
  }
  const ids = new Set([node]);
  for (const { src, dst } of links) ids.add(src).add(dst);
  const nodes = await viewNodes(previews, brain, [...ids], degrees);
  return { exists: nodes.get(node)?.exists ?? false, nodes: Object.fromEntries(nodes) };
}

/** Every node except the first, with the hop and the node over which it was reached first. */
function reachableOver(links: readonly WalkedLink[], from: string): EgoAnswer['reachable'] {
  const reached = new Map<string, EgoAnswer['reachable'][number]>();
  for (const { src, dst, direction, hop } of links) {
    const [via, id] = direction === 'out' ? [src, dst] : [dst, src];
    if (id !== from && !reached.has(id)) reached.set(id, { id, hop, via });
  }
  return [...reached.values()];
}
