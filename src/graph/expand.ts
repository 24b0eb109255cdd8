// The links around nodes, hop by hop: one search of the edges index a hop, whatever the number of nodes. What is not
// returned is counted, so that an answer can say what it leaves out.
import type { Backend } from '../backend.js';
import type { Edge } from './edge.js';
import { readEdges } from './read-edges.js';
import { type Moment, stateAt } from './times.js';
import { aroundQuery, type Direction } from './visible.js';

/** Links read of each hop; more are only counted. */
const MAX_READ = { 1: 10_000, 2: 4000 } as const;
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
  /** Links beyond MAX_READ, of any state. */
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
  { seeds, direction, types, includeExpired, moment, limit }: Walk,
  from: ReadonlySet<string>,
  hop: 1 | 2,
): Promise<Hop> {
  const except = hop === 1 ? {} : { except: seeds };
  const query = aroundQuery({ nodes: [...from], direction, types, ...except }, moment);
  const { edges, order, total } = await readEdges(backend, index, query, MAX_READ[hop]);
  const wanted = hop === 1 ? Math.max(limit, MAX_FRONTIER) : limit;
  const steps: Step[] = [];
  const beyond = new Map<string, number>();
  const retired = new Map<string, number>();
  for (const hit of order) {
    if (!includeExpired && stateAt(edges.times(hit), moment) === 'retired') {
      countOne(retired, edges.type(hit));
    } else if (steps.length < wanted) {
      const edge = edges.edge(hit);
      steps.push({ ...edge, hop, direction: wayOf(edge, from, direction) });
    } else countOne(beyond, edges.type(hit));
  }
  return { steps, beyond, retired, unread: total - order.length };
}

function countOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** A link between two nodes that the hop starts from is walked as it points. */
function wayOf(edge: Edge, from: ReadonlySet<string>, direction: Direction): 'out' | 'in' {
  if (direction !== 'both') return direction;
  return from.has(edge.src) ? 'out' : 'in';
}
