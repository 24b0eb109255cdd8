// The links around nodes, hop by hop: one search of the edges index a hop, whatever the number of nodes. What is not
// returned is counted, so that an answer can say what it leaves out.
import type { Backend } from '../backend.js';
import { type Edge, strength } from './edge.js';
import { readEdges } from './read-edges.js';
import { type Moment, stateAt } from './times.js';
import { aroundQuery, type Direction } from './visible.js';

/** Links read of one hop; more are only counted. */
const MAX_READ = 10_000;
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
  /** Retired links that were not asked for. */
  readonly retired: readonly Edge[];
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
  const complete = frontier.size === reached.size;
  return { hops: [first, second], exact: complete && first.unread + second.unread === 0 };
}

const EMPTY: Hop = { steps: [], retired: [], unread: 0 };

export function nearEnd(step: Step): string {
  return step.direction === 'out' ? step.src : step.dst;
}
export function farEnd(step: Step): string {
  return step.direction === 'out' ? step.dst : step.src;
}

async function oneHop(
  backend: Backend,
  index: string,
  { seeds, direction, types, includeExpired, moment }: Walk,
  from: ReadonlySet<string>,
  hop: 1 | 2,
): Promise<Hop> {
  const except = hop === 1 ? {} : { except: seeds };
  const query = aroundQuery({ nodes: [...from], direction, types, ...except }, moment);
  const { edges, total } = await readEdges(backend, index, query, MAX_READ);
  const steps: Step[] = [];
  const retired: Edge[] = [];
  for (const edge of edges) {
    if (!includeExpired && stateAt(edge, moment) === 'retired') retired.push(edge);
    else steps.push(Object.assign(edge, { hop, direction: wayOf(edge, from, direction) }));
  }
  return { steps: steps.sort(byStrength), retired, unread: total - edges.length };
}

/** A link between two nodes that the hop starts from is walked as it points. */
function wayOf(edge: Edge, from: ReadonlySet<string>, direction: Direction): 'out' | 'in' {
  if (direction !== 'both') return direction;
  return from.has(edge.src) ? 'out' : 'in';
}

export function byStrength(a: Edge, b: Edge): number {
  return (
    strength(b) - strength(a) ||
    (b.valid_at ?? 0) - (a.valid_at ?? 0) ||
    (a.edge_id < b.edge_id ? -1 : 1)
  );
}
