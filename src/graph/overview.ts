// Summarizes a brain: numbers of links by state, the nodes with the most links, types, detectors,
// and a timeline.
import type { LinkCounts, Waiter } from '../backend/index.js';
import type { Brain } from './brains.js';
import type { GraphDeps } from './graph.js';
import type { Previews } from './previews.js';
import { MAX_TOP, type Summaries } from './summaries.js';
import { type Timeline, timelineOf } from './timeline.js';

export interface OverviewRequest {
  /** Clamped to 1..50. */
  readonly top: number;
  readonly asOf: number | undefined;
  readonly waiter?: Waiter | undefined;
}

export interface Hub {
  readonly id: string;
  readonly title: string | null;
  readonly degree: number;
  readonly in: number;
  readonly out: number;
}

export interface OverviewAnswer {
  readonly brain: string;
  readonly exists: boolean;
  readonly as_of: number;
  readonly links: {
    readonly live: number;
    readonly retired: number;
    readonly future: number;
    /** Of the live links. */
    readonly asserted: number;
    readonly detected: number;
  };
  readonly nodes: {
    /** Nodes that are an end of a live link. */
    readonly linked: number;
    /** Documents. */
    readonly total: number;
    /** Documents without a live link. */
    readonly orphans: number;
    /** Linked nodes without a document. */
    readonly missing: number;
  };
  readonly hubs: readonly Hub[];
  readonly types: readonly {
    readonly type: string;
    readonly live: number;
    readonly retired: number;
  }[];
  readonly detectors: readonly { readonly detector: string; readonly links: number }[];
  readonly timeline: Timeline;
  readonly not_shown: { readonly hubs: number; readonly types: number; readonly detectors: number };
}

export async function overview(
  { backend, brains, previews, clock }: GraphDeps,
  summaries: Summaries,
  name: string,
  request: OverviewRequest,
): Promise<OverviewAnswer> {
  const brain = await brains.find(name);
  const world = request.asOf ?? (await clock.now(name));
  const now = request.asOf === undefined;
  const counts = await summaries.of(backend, brain, { world, system: null }, now, request.waiter);
  const top = Math.min(Math.max(request.top, 1), MAX_TOP);
  const { live, retired, future, detected, nodes, linked, missing } = counts;
  const types = typesOf(counts);
  const detectors = detectorsOf(counts);
  return {
    brain: name,
    exists: brain.exists,
    as_of: world,
    links: { live, retired, future, asserted: live - detected, detected },
    nodes: { linked, total: nodes, orphans: Math.max(0, nodes - (linked - missing)), missing },
    hubs: await hubsOf(previews, brain, counts, top),
    types: types.slice(0, top),
    detectors: detectors.slice(0, top),
    timeline: timelineOf(counts),
    not_shown: {
      hubs: Math.max(0, linked - top),
      types: Math.max(0, types.length - top),
      detectors: Math.max(0, detectors.length - top),
    },
  };
}

async function hubsOf(
  previews: Previews,
  brain: Brain,
  counts: LinkCounts,
  top: number,
): Promise<readonly Hub[]> {
  const hubs = counts.hubs.slice(0, top);
  const ids = hubs.map(({ id }) => id);
  const found = await previews.of(brain, ids);
  return hubs.map(({ id, ...degree }, i) => ({
    id,
    title: found[i]?.title ?? null,
    degree: degree.in + degree.out,
    ...degree,
  }));
}

function typesOf({ types }: LinkCounts): OverviewAnswer['types'] {
  return [...types]
    .map(([type, counts]) => ({ type, ...counts }))
    .sort((a, b) => b.live - a.live || b.retired - a.retired || (a.type < b.type ? -1 : 1));
}

function detectorsOf({ detectors }: LinkCounts): OverviewAnswer['detectors'] {
  return [...detectors]
    .map(([detector, links]) => ({ detector, links }))
    .sort((a, b) => b.links - a.links || (a.detector < b.detector ? -1 : 1));
}
