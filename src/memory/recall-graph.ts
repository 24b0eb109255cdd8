// The graph in a recall: as a pre-filter (what can be reached from the seeds), or as a summand of
// the score (what is linked to the best hits).
import type { Backend } from '../backend/index.js';
import {
  type CooperativeTask,
  ITEMS_PER_YIELD,
  runCooperatively,
} from '../base/cooperative-task.js';
import { type GraphShare, graphShares, overBest, type SeedLink } from '../fusion/graph-blend.js';
import type { LinkWalks } from '../graph/link-walks.js';
import { blended, type Candidate, findCandidates } from './candidates.js';
import type { FusedPool } from './context/fused-pool.js';
import { type Scope, scoringOf } from './modes.js';
import { BEST_HITS, type GraphRequest, poolOf, type RecallRequest } from './recall-body.js';
import type { RecallMoment } from './visible.js';

/** The account of the graph in the response. */
export interface GraphPart {
  readonly mode: GraphRequest['mode'];
  readonly seeds: readonly string[];
  readonly hops: 1 | 2;
  /** The requested number of hops, when it was clamped. */
  readonly hops_asked?: number;
  readonly as_of: number;
  /** Reached nodes, without the seeds. */
  readonly reachable: number;
  readonly not_shown: {
    /** The weakest links of hubs, which exceed the number of links that are read. */
    readonly links: number;
    /** The nodes with the smallest shares, which exceed the number that is looked up. */
    readonly nodes: number;
    /** Nodes that are no memory, or none that this recall may return. */
    readonly hidden: number;
  };
}

/** Maximum number of memories that only the graph finds. */
const MAX_BROUGHT = 1000;
/** Above this number, documents are read only for the memories that are shown. */
const MAX_READ = 50;
const MAX_HOPS = 2;

export interface Walker {
  readonly backend: Backend;
  readonly graph: LinkWalks;
  readonly namespace: string;
  readonly index: string;
  readonly request: RecallRequest;
  readonly moment: RecallMoment;
}

/** The ids to which the recall is restricted, and the account. */
export async function restriction(
  { graph, namespace, request, moment }: Walker,
  requested: GraphRequest,
): Promise<{ readonly ids: readonly string[]; readonly part: GraphPart }> {
  const seeds = requested.seeds ?? [];
  const { nodes } = await graph.reachable(namespace, reachOf(requested, seeds, request, moment));
  const part = partOf(requested, seeds, request, moment, nodes.size);
  return { ids: [...seeds, ...nodes.keys()], part };
}

/** The base hits and the memories that the graph adds, ranked together. */
export async function blend(
  walker: Walker,
  requested: GraphRequest,
  base: readonly Candidate[],
  scope: Scope,
  score?: FusedPool['score'],
): Promise<{ readonly candidates: readonly Candidate[]; readonly part: GraphPart }> {
  const { graph, namespace, request, moment } = walker;
  const seeds = seedsOf(requested, base);
  const ids = [...seeds.keys()];
  const reach = reachOf(requested, ids, request, moment);
  const { pairs, unread } = ids.length === 0 ? NOTHING : await graph.strengths(namespace, reach);
  const shares = await runCooperatively(graphShares(seeds, pairs, requested.weight));
  const there = new Set(base.map(({ id }) => id));
  const others = [...shares]
    .filter(([id]) => !there.has(id))
    .sort(([, a], [, b]) => b.share - a.share)
    .map(([id]) => id);
  // Seeds that the request names are candidates, too.
  const named = (requested.seeds ?? []).filter((id) => !there.has(id) && !shares.has(id));
  const wanted = [...others.slice(0, MAX_BROUGHT), ...named];
  const found = await bring(walker, scope, [...wanted, ...unreadOf(request, base, shares)], score);
  const entries = new Map(found.map((one) => [one.id, one.entry]));
  const brought = found.filter(({ id }) => !there.has(id));
  const read = base.map((one) => ({ ...one, entry: one.entry ?? entries.get(one.id) ?? null }));
  const reached = await runCooperatively(nodesOf(pairs, seeds));
  return {
    candidates: blended([...read, ...brought], shares),
    part: {
      ...partOf(requested, ids, request, moment, reached.size),
      not_shown: {
        links: unread,
        nodes: Math.max(0, others.length - MAX_BROUGHT),
        hidden: wanted.length - brought.length,
      },
    },
  };
}

/** The nodes of the pairs without the seeds. */
function* nodesOf(
  pairs: readonly SeedLink[],
  seeds: ReadonlyMap<string, number>,
): CooperativeTask<ReadonlySet<string>> {
  const nodes = new Set<string>();
  for (const [i, { node }] of pairs.entries()) {
    if (!seeds.has(node)) nodes.add(node);
    if (i % ITEMS_PER_YIELD === 0) yield;
  }
  return nodes;
}

const NOTHING: { readonly pairs: readonly SeedLink[]; readonly unread: number } = {
  pairs: [],
  unread: 0,
};

/** Named seeds have the weight 1; the best hits have their score relative to the best. */
function seedsOf(requested: GraphRequest, base: readonly Candidate[]): ReadonlyMap<string, number> {
  if (requested.seeds !== undefined) return new Map(requested.seeds.map((id) => [id, 1]));
  const worth = overBest(base.map(({ score }) => score ?? 1));
  return new Map(base.slice(0, BEST_HITS).map(({ id }, i) => [id, worth[i] ?? 0]));
}

/**
 * Memories by id with the score of the mode, 0 where the mode would not find them. `score` is that
 * of a pool, if the mode has one.
 */
async function bring(
  { backend, index, request }: Walker,
  scope: Scope,
  ids: readonly string[],
  score: FusedPool['score'] | undefined,
): Promise<readonly Candidate[]> {
  if (ids.length === 0) return [];
  const { mode } = request;
  if (score !== undefined || mode.kind === 'hybrid') return (await score?.(ids)) ?? [];
  const body = scoringOf(mode, scope, ids);
  const few = ids.length <= MAX_READ + request.k;
  const brings = few ? 'documents' : poolOf(request).brings === 'times' ? 'times' : 'ids';
  const wanted = { ranked: false, counted: false, brings } as const;
  const { candidates } = await findCandidates(backend, index, body, wanted);
  return candidates;
}

/**
 * Ids of base hits whose documents are read together with the linked ones: the first k, unless
 * recency ranks afterwards.
 */
function unreadOf(
  { k, recencyWeight }: RecallRequest,
  base: readonly Candidate[],
  shares: ReadonlyMap<string, GraphShare>,
): readonly string[] {
  if (recencyWeight > 0 || base.every(({ entry }) => entry !== null)) return [];
  const first = blended(base, shares).slice(0, k);
  return first.filter(({ entry }) => entry === null).map(({ id }) => id);
}

function reachOf(
  { hops, types, asOf }: GraphRequest,
  seeds: readonly string[],
  request: RecallRequest,
  moment: RecallMoment,
) {
  return {
    seeds,
    hops: hops >= MAX_HOPS ? (MAX_HOPS as 2) : (1 as const),
    types,
    moment: { world: worldOf(asOf, request, moment), system: request.knownAt ?? null },
  };
}

export function worldOf(
  asOf: number | undefined,
  request: RecallRequest,
  { present }: RecallMoment,
): number {
  return asOf ?? request.asOf ?? request.knownAt ?? present;
}

function partOf(
  { mode, hops, asOf }: GraphRequest,
  seeds: readonly string[],
  request: RecallRequest,
  moment: RecallMoment,
  reachable: number,
): GraphPart {
  return {
    mode,
    seeds,
    hops: hops >= MAX_HOPS ? 2 : 1,
    ...(hops > MAX_HOPS ? { hops_asked: hops } : {}),
    as_of: worldOf(asOf, request, moment),
    reachable,
    not_shown: { links: 0, nodes: 0, hidden: 0 },
  };
}
