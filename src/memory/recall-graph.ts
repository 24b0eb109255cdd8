// The graph in a recall: as a pre-filter (what can be reached from the seeds), or as a share of the score (what is linked to
// the best).
import type { Backend } from '../backend/index.js';
import {
  type CooperativeTask,
  ITEMS_PER_YIELD,
  runCooperatively,
} from '../base/cooperative-task.js';
import { type GraphShare, graphShares, overBest, type SeedLink } from '../fusion/graph-blend.js';
import type { Graph } from '../graph/graph.js';
import { blended, type Candidate, findCandidates } from './candidates.js';
import { type Scope, scoringOf } from './modes.js';
import { BEST_HITS, type GraphRequest, poolOf, type RecallRequest } from './recall-body.js';
import type { RecallMoment } from './visible.js';

/** What an answer says of the graph's part in it. */
export interface GraphPart {
  readonly mode: GraphRequest['mode'];
  readonly seeds: readonly string[];
  readonly hops: 1 | 2;
  /** What was asked for, when it was clamped. */
  readonly hops_asked?: number;
  readonly as_of: number;
  /** Nodes that links lead to, seeds aside. */
  readonly reachable: number;
  readonly not_shown: {
    /** The weakest links of hubs: too many to be read. */
    readonly links: number;
    /** The least linked nodes: too many to be looked up. */
    readonly nodes: number;
    /** Nodes that are no memory, or none that this recall may answer. */
    readonly hidden: number;
  };
}

/** Memories that the graph alone may bring. */
const MAX_BROUGHT = 1000;
/** Of more than these, documents are read of those alone that are shown. */
const MAX_READ = 50;
/** So few are looked up without another thread. */
const FEW = 30;
const MAX_HOPS = 2;

export interface Walker {
  readonly backend: Backend;
  readonly graph: Graph;
  readonly namespace: string;
  readonly index: string;
  readonly request: RecallRequest;
  readonly moment: RecallMoment;
}

/** The ids to which a recall is restricted, with the account of it. */
export async function restriction(
  { graph, namespace, request, moment }: Walker,
  requested: GraphRequest,
): Promise<{ readonly ids: readonly string[]; readonly part: GraphPart }> {
  const seeds = requested.seeds ?? [];
  const { nodes } = await graph.reachable(namespace, reachOf(requested, seeds, request, moment));
  const part = partOf(requested, seeds, request, moment, nodes.size);
  return { ids: [...seeds, ...nodes.keys()], part };
}

/** The base hits and what the graph brings beside them, ranked together. */
export async function blend(
  walker: Walker,
  requested: GraphRequest,
  base: readonly Candidate[],
  scope: Scope,
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
  // Seeds that the caller names are in the running, too.
  const named = (requested.seeds ?? []).filter((id) => !there.has(id) && !shares.has(id));
  const wanted = [...others.slice(0, MAX_BROUGHT), ...named];
  const found = await bring(walker, scope, [...wanted, ...unreadOf(request, base, shares)]);
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

/** The seeds aside. */
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

/** Named seeds are worth 1; the best hits what they score against the best. */
function seedsOf(requested: GraphRequest, base: readonly Candidate[]): ReadonlyMap<string, number> {
  if (requested.seeds !== undefined) return new Map(requested.seeds.map((id) => [id, 1]));
  const worth = overBest(base.map(({ score }) => score ?? 1));
  return new Map(base.slice(0, BEST_HITS).map(({ id }, i) => [id, worth[i] ?? 0]));
}

/** Memories by id with the score that the mode gives them, 0 where it would not find them. */
async function bring(
  { backend, index, request }: Walker,
  scope: Scope,
  ids: readonly string[],
): Promise<readonly Candidate[]> {
  if (ids.length === 0) return [];
  const body = scoringOf(request.mode, scope, ids);
  const few = ids.length <= MAX_READ + request.k;
  const brings = few ? 'documents' : poolOf(request).brings === 'times' ? 'times' : 'ids';
  // A filter of the caller's may be slow.
  const small = ids.length <= FEW && scope.filter.length === 0;
  const wanted = { ranked: false, counted: false, brings, small } as const;
  const { candidates } = await findCandidates(backend, index, body, wanted);
  return candidates;
}

/** Base hits whose documents come with those of the linked ones: the first, unless recency ranks once more. */
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

function worldOf(
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
