// A node and what is around it: links in one order at every limit, the nodes they join, and an account of all that is
// not shown.
import type { Backend } from '../backend.js';
import { type Brain, findBrain } from './brains.js';
import type { Degrees } from './degrees.js';
import { type LinkView, viewAt } from './edge.js';
import { type Expansion, expand, farEnd, nearEnd, type Step, type Walk } from './expand.js';
import type { GraphDeps } from './graph.js';
import { checkId } from './names.js';
import { hasNode, type NodeView, viewNodes } from './node-views.js';
import { accountOf, type NotShown } from './not-shown.js';
import { withEvidence } from './read-edges.js';
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
  /** What was asked for, when it was clamped. */
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

const NOTHING: Expansion = { hops: [], exact: true };

export async function ego(
  { backend, nowMs }: GraphDeps,
  degrees: Degrees,
  name: string,
  request: EgoRequest,
): Promise<EgoAnswer> {
  const started = performance.now();
  checkId(request.node, 'node');
  // Nothing is known of a brain that nobody has written to, as of a namespace without memories.
  const brain = await findBrain(backend, name);
  const moment = momentOf(request, nowMs);
  const limit = Math.min(Math.max(request.limit, 1), MAX_LIMIT);
  const walk = toWalk({ ...request, limit }, moment);
  const expansion = brain.hasEdges ? await walkNow(backend, brain, walk) : NOTHING;
  const all = expansion.hops.flatMap(({ steps }) => steps);
  const shown = all.slice(0, limit);
  const [links, { exists, nodes }] = await Promise.all([
    withEvidence(backend, brain.edges, shown),
    describe(backend, degrees, brain, request, shown, moment),
  ]);
  return {
    brain: name,
    node: request.node,
    exists,
    as_of: moment.world,
    ...(moment.system === null ? {} : { known_at: moment.system }),
    hops: walk.hops,
    ...(request.hops > MAX_HOPS ? { hops_asked: request.hops } : {}),
    direction: request.direction,
    types: request.types ?? null,
    links: links.map((step) => toLink(step, moment)),
    nodes,
    reachable: reachableOver(shown, request.node),
    not_shown: accountOf(expansion, all.slice(limit)),
    took: Math.round(performance.now() - started),
  };
}

function toWalk(request: EgoRequest, moment: Moment): Walk {
  const { node, direction, types, includeExpired, limit } = request;
  return {
    seeds: [node],
    direction,
    hops: request.hops >= MAX_HOPS ? MAX_HOPS : 1,
    types,
    includeExpired,
    moment,
    limit,
  };
}

/** Sees every link that was asserted before. */
async function walkNow(backend: Backend, { edges }: Brain, walk: Walk): Promise<Expansion> {
  await backend.publish(edges);
  return expand(backend, edges, walk);
}

async function describe(
  backend: Backend,
  degrees: Degrees,
  brain: Brain,
  { node, includeNodes }: EgoRequest,
  shown: readonly Step[],
  moment: Moment,
): Promise<{ exists: boolean; nodes: EgoAnswer['nodes'] }> {
  if (!includeNodes) return { exists: await hasNode(backend, brain, node), nodes: {} };
  const ids = new Set([node]);
  for (const { src, dst } of shown) ids.add(src).add(dst);
  const nodes = await viewNodes(backend, degrees, brain, [...ids], moment);
  return { exists: nodes.get(node)?.exists ?? false, nodes: Object.fromEntries(nodes) };
}

function toLink(step: Step, moment: Moment): EgoLink {
  const { direction, hop } = step;
  return { ...viewAt(step, moment), direction, hop };
}

/** Every node but the first, with the hop and the neighbour by which it was reached first. */
function reachableOver(shown: readonly Step[], from: string): EgoAnswer['reachable'] {
  const reached = new Map<string, EgoAnswer['reachable'][number]>();
  for (const step of shown) {
    const id = farEnd(step);
    if (id !== from && !reached.has(id)) reached.set(id, { id, hop: step.hop, via: nearEnd(step) });
  }
  return [...reached.values()];
}
