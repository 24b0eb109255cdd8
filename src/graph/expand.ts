// The links around nodes, hop by hop: a search for the links and one for the count of those that are over, whatever the
// number of nodes. What is not returned is counted, so that an answer can say what it leaves out.
import type { Backend, JsonObject } from '../backend.js';
import type { Edge } from './edge.js';
import { countOne, type EdgesRead, readEdges, readTypes } from './read-edges.js';
import type { Moment } from './times.js';
import { aroundQuery, type Direction, liveAroundQuery, retiredAroundQuery } from './visible.js';

/** Links read of the first hop; more are only counted. */
const MAX_READ = 10_000;
/** Of the second: as many as are wanted, or this many; all of them up to MAX_SECOND. */
const SECOND = 256;
const MAX_SECOND = 1000;
/** Nodes that a second hop starts from: those over the strongest links. */
const MAX_FRONTIER = 1000;

export interface Walk {
  readonly seeds: readonly string[];
  readonly direction: Direction;
  readonly hops: 1 | 2;
  /** Undefined: all. */
  readonly types: readonly string[] | undefined;
  /** Retired links are walked and returned, too. */
  readonly includeExpired: boolean;
  readonly moment: Moment;
  /** Links wanted of all hops together. */
  readonly limit: number;
}

/** A link with the way it was walked. */
export interface Step extends Edge {
  readonly hop: 1 | 2;
  /** Seen from where the walk came from. */
  readonly direction: 'out' | 'in';
}

export interface Hop {
  /** Strongest first, then the latest, then by id. */
  readonly steps: readonly Step[];
  /** Links read beyond those, and links that are over and were not asked for: type -> how many. */
  readonly beyond: ReadonlyMap<string, number>;
  readonly retired: ReadonlyMap<string, number>;
  /** Links that were not read. */
  readonly unread: number;
}

export interface Expansion {
  readonly hops: readonly Hop[];
  /** False: the second hop did not start from every node of the first, or links were not read. */
  readonly exact: boolean;
}

export async function expand(backend: Backend, index: string, walk: Walk): Promise<Expansion> {
  const first = await oneHop(backend, index, walk, new Set(walk.seeds), 1);
  if (walk.hops === 1) return { hops: [first], exact: first.unread === 0 };
  const reached = new Set(first.steps.map(farEnd));
  for (const seed of walk.seeds) reached.delete(seed);
  const frontier = new Set([...reached].slice(0, MAX_FRONTIER));
  if (frontier.size === 0) return { hops: [first, EMPTY], exact: first.unread === 0 };
  const second = await oneHop(backend, index, walk, frontier, 2);
  const complete = frontier.size === reached.size && first.beyond.size === 0;
  return { hops: [first, second], exact: complete && first.unread + second.unread === 0 };
}

const EMPTY: Hop = { steps: [], beyond: new Map(), retired: new Map(), unread: 0 };

export function nearEnd(step: Step): string {
  return step.direction === 'out' ? step.src : step.dst;
}
export function farEnd(step: Step): string {
  return step.direction === 'out' ? step.dst : step.src;
}

async function oneHop(
  backend: Backend,
  index: string,
  walk: Walk,
  from: ReadonlySet<string>,
  hop: 1 | 2,
): Promise<Hop> {
  const { direction, types, moment, limit, includeExpired } = walk;
  const except = hop === 1 ? {} : { except: walk.seeds };
  const around = { nodes: [...from], direction, types, ...except };
  const query = (includeExpired ? aroundQuery : liveAroundQuery)(around, moment);
  const [{ edges, order, total }, over] = await Promise.all([
    hop === 1
      ? readEdges(backend, index, query, MAX_READ)
      : readSecond(backend, index, query, limit),
    includeExpired ? NONE : readTypes(backend, index, retiredAroundQuery(around, moment), MAX_READ),
  ]);
  const wanted = hop === 1 ? Math.max(limit, MAX_FRONTIER) : limit;
  const steps = order.slice(0, wanted).map((hit): Step => {
    const edge = edges.edge(hit);
    return { ...edge, hop, direction: wayOf(edge, from, direction) };
  });
  const beyond = new Map<string, number>();
  for (const hit of order.slice(wanted)) countOne(beyond, edges.type(hit));
  const unread = total - order.length + over.unread;
  return { steps, beyond, retired: over.types, unread };
}

const NONE = { types: new Map<string, number>(), unread: 0 };

/** Around hubs there are ever so many: they are counted, and the first are read. */
async function readSecond(
  backend: Backend,
  index: string,
  query: JsonObject,
  limit: number,
): Promise<EdgesRead> {
  const some = await readEdges(backend, index, query, Math.max(limit, SECOND));
  if (some.order.length === some.total || some.total > MAX_SECOND) return some;
  return readEdges(backend, index, query, MAX_SECOND);
}

/** A link between two nodes that the hop starts from is walked as it points. */
function wayOf(edge: Edge, from: ReadonlySet<string>, direction: Direction): 'out' | 'in' {
  if (direction !== 'both') return direction;
  return from.has(edge.src) ? 'out' : 'in';
}
