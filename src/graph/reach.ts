// Finds what can be reached from some nodes, for a caller that needs nodes and no links: the nodes
// with their hop, or the strength with which each is joined to each seed.
import type { Backend, JsonObject } from '../backend/index.js';
import {
  type CooperativeTask,
  ITEMS_PER_YIELD,
  runCooperatively,
} from '../base/cooperative-task.js';
import { STRONGEST_FIRST, toColumns } from './edge-columns.js';
import type { Moment } from './times.js';
import { type Direction, liveAroundQuery } from './visible.js';

export interface ReachRequest {
  readonly seeds: readonly string[];
  readonly hops: 1 | 2;
  /** Undefined: all. */
  readonly types?: readonly string[] | undefined;
  /** Default: both. */
  readonly direction?: Direction;
  readonly moment: Moment;
}

export interface ReachedNodes {
  /** Node -> the hop in which it was reached first; without the seeds. */
  readonly nodes: ReadonlyMap<string, 1 | 2>;
  /** Live links that were walked. */
  readonly links: number;
}

export interface Pair {
  readonly seed: string;
  /** May be another seed. */
  readonly node: string;
  readonly hop: 1 | 2;
  /**
   * Maximum over all paths: the product of confidence and weight of the links, halved in the second
   * hop.
   */
  readonly strength: number;
}

export interface Strengths {
  /** One for each pair of a seed and a node that it reaches; a seed is never paired with itself. */
  readonly pairs: readonly Pair[];
  /** Live links beyond the limit of links that are read: the weakest. */
  readonly unread: number;
}

/** Maximum number of links that are read per hop where strength counts, the strongest first. */
const MAX_READ = 10_000;
/** Nodes per search: as many as a terms clause may have. */
const MAX_NODES = 65_536;
const ALL = 0x7fff_ffff;
const SECOND_HOP = 0.5;

/** A live link. */
export interface WalkedLink {
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  /** confidence * weight. */
  readonly strength: number;
}

interface Ends {
  readonly src: string;
  readonly dst: string;
  readonly strength: number;
}

/** Every node that is within reach. */
export async function reachable(
  backend: Backend,
  index: string,
  request: ReachRequest,
): Promise<ReachedNodes> {
  const nodes = new Map<string, 1 | 2>();
  const seeds = new Set(request.seeds);
  let frontier = [...seeds];
  let links = 0;
  for (const hop of [1, 2] as const) {
    if (hop > request.hops) break;
    const next: string[] = [];
    const from = new Set(frontier);
    for (let at = 0; at < frontier.length; at += MAX_NODES) {
      const found = await readEnds(backend, index, request, frontier.slice(at, at + MAX_NODES));
      links += found.length;
      await runCooperatively(
        eachWalked(walked(found, from, request.direction), ({ node }) => {
          if (seeds.has(node) || nodes.has(node)) return;
          nodes.set(node, hop);
          next.push(node);
        }),
      );
    }
    frontier = next;
  }
  return { nodes, links };
}

/** Visits the walks as a cooperative task, because the links of a hub are unlimited. */
function* eachWalked(walks: Iterable<Walk>, visit: (walk: Walk) => void): CooperativeTask<void> {
  let count = 0;
  for (const walk of walks) {
    visit(walk);
    if (++count % ITEMS_PER_YIELD === 0) yield;
  }
}

/** The live links of the seeds, the strongest first and at most `most`. */
export async function linksAround(
  backend: Backend,
  index: string,
  request: ReachRequest,
  most: number,
): Promise<readonly WalkedLink[]> {
  const { ends } = await readStrongest(backend, index, request, request.seeds, most);
  return ends;
}

/** The strength with which nodes are joined to seeds. */
export async function strengthsOf(
  backend: Backend,
  index: string,
  request: ReachRequest,
): Promise<Strengths> {
  const best = new Map<string, Map<string, Pair>>();
  const put = (pair: Pair): void => {
    if (pair.seed === pair.node) return;
    const ofSeed = best.get(pair.seed) ?? new Map<string, Pair>();
    best.set(pair.seed, ofSeed);
    const there = ofSeed.get(pair.node);
    if (there === undefined || there.strength < pair.strength) ofSeed.set(pair.node, pair);
  };
  const seeds = new Set(request.seeds);
  const first = await readStrongest(backend, index, request, [...seeds]);
  for (const { from, node, strength } of walked(first.ends, seeds, request.direction))
    put({ seed: from, node, hop: 1, strength });
  let { unread } = first;
  if (request.hops === 2) {
    const reached = new Map<string, Pair[]>();
    for (const ofSeed of best.values())
      for (const pair of ofSeed.values())
        reached.set(pair.node, [...(reached.get(pair.node) ?? []), pair]);
    const frontier = [...reached.keys()].slice(0, MAX_NODES);
    const second = await readStrongest(backend, index, request, frontier);
    unread += second.unread;
    // Each of its ten thousand links may be on the path of a hundred seeds.
    await runCooperatively(
      eachWalked(
        walked(second.ends, new Set(frontier), request.direction),
        ({ from, node, strength }) => {
          for (const { seed, strength: near } of reached.get(from) ?? [])
            put({ seed, node, hop: 2, strength: near * strength * SECOND_HOP });
        },
      ),
    );
  }
  return { pairs: await runCooperatively(pairsOf(best.values())), unread };
}

function* pairsOf(all: Iterable<ReadonlyMap<string, Pair>>): CooperativeTask<readonly Pair[]> {
  const pairs: Pair[] = [];
  for (const ofSeed of all) {
    for (const pair of ofSeed.values()) if (pairs.push(pair) % ITEMS_PER_YIELD === 0) yield;
  }
  return pairs;
}

interface Walk {
  readonly from: string;
  readonly node: string;
  readonly strength: number;
}

/** Each link once per end that is in `from`, if the direction allows it. */
function* walked(
  links: readonly Ends[],
  from: ReadonlySet<string>,
  direction: Direction = 'both',
): Generator<Walk> {
  for (const { src, dst, strength } of links) {
    if (direction !== 'in' && from.has(src)) yield { from: src, node: dst, strength };
    if (direction !== 'out' && from.has(dst)) yield { from: dst, node: src, strength };
  }
}

async function readEnds(
  backend: Backend,
  index: string,
  request: ReachRequest,
  nodes: readonly string[],
): Promise<readonly Ends[]> {
  const columns = ['_doc', ...toColumns(['src', 'dst'])];
  const found = await backend.columns({
    index,
    query: queryOf(request, nodes),
    columns,
    size: ALL,
  });
  const [, src, dst] = found.columns;
  const ends: Ends[] = [];
  const read = function* (): CooperativeTask<readonly Ends[]> {
    for (let hit = 0; hit < found.hits; hit++) {
      ends.push({ src: String(src?.(hit) ?? ''), dst: String(dst?.(hit) ?? ''), strength: 1 });
      if (hit % ITEMS_PER_YIELD === 0) yield;
    }
    return ends;
  };
  return runCooperatively(read());
}

async function readStrongest(
  backend: Backend,
  index: string,
  request: ReachRequest,
  nodes: readonly string[],
  most = MAX_READ,
): Promise<{ readonly ends: readonly WalkedLink[]; readonly unread: number }> {
  if (nodes.length === 0) return { ends: [], unread: 0 };
  const found = await backend.columns({
    index,
    query: queryOf(request, nodes),
    columns: [...STRONGEST_FIRST, ...toColumns(['src', 'dst', 'type', 'confidence', 'weight'])],
    size: most,
  });
  const [src, dst, type, confidence, weight] = found.columns.slice(STRONGEST_FIRST.length);
  const ends = Array.from({ length: found.hits }, (_, hit) => ({
    src: String(src?.(hit) ?? ''),
    dst: String(dst?.(hit) ?? ''),
    type: String(type?.(hit) ?? ''),
    strength: Number(confidence?.(hit) ?? 1) * Number(weight?.(hit) ?? 1),
  }));
  return { ends, unread: found.total - found.hits };
}

function queryOf(
  { direction = 'both', types, moment }: ReachRequest,
  nodes: readonly string[],
): JsonObject {
  return liveAroundQuery({ nodes, direction, types }, moment);
}
