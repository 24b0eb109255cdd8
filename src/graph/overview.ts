// A brain at a glance: how many links in which state, the nodes with the most of them, types, detectors, and a timeline.
import type { Backend } from '../backend.js';
import { type Brain, findBrain } from './brains.js';
import type { GraphDeps } from './graph.js';
import { readPreviews } from './node-views.js';
import type { CountedBrain, Summaries } from './summaries.js';
import type { Summary } from './summary.js';
import { type Timeline, timelineOf } from './timeline.js';

export interface OverviewRequest {
  /** Clamped to 1..50. */
  readonly top: number;
  readonly asOf: number | undefined;
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
    /** Of the live ones. */
    readonly asserted: number;
    readonly detected: number;
  };
  readonly nodes: {
    /** Ends of live links. */
    readonly linked: number;
    /** Documents. */
    readonly total: number;
    /** Documents without a live link. */
    readonly orphans: number;
    /** Linked, but without a document. */
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

const MAX_TOP = 50;

export async function overview(
  { backend, nowMs }: GraphDeps,
  summaries: Summaries,
  name: string,
  request: OverviewRequest,
): Promise<OverviewAnswer> {
  const brain = await findBrain(backend, name);
  const world = request.asOf ?? nowMs();
  const now = request.asOf === undefined;
  const counted = await summaries.of(backend, brain, { world, system: null }, now);
  const top = Math.min(Math.max(request.top, 1), MAX_TOP);
  const { summary } = counted;
  const types = typesOf(summary);
  const detectors = detectorsOf(summary);
  return {
    brain: name,
    exists: brain.exists,
    as_of: world,
    links: {
      live: summary.live,
      retired: summary.retired,
      future: summary.future,
      asserted: summary.live - summary.detected,
      detected: summary.detected,
    },
    nodes: nodesOf(counted),
    hubs: await hubsOf(backend, brain, summary, top),
    types: types.slice(0, top),
    detectors: detectors.slice(0, top),
    timeline: timelineOf(summary),
    not_shown: {
      hubs: Math.max(0, summary.degrees.size - top),
      types: Math.max(0, types.length - top),
      detectors: Math.max(0, detectors.length - top),
    },
  };
}

function nodesOf({ summary, nodes, missing }: CountedBrain): OverviewAnswer['nodes'] {
  const linked = summary.degrees.size;
  return { linked, total: nodes, orphans: Math.max(0, nodes - (linked - missing)), missing };
}

async function hubsOf(
  backend: Backend,
  brain: Brain,
  { degrees }: Summary,
  top: number,
): Promise<readonly Hub[]> {
  const best: Hub[] = [];
  let least = 0;
  for (const [id, side] of degrees) {
    const degree = side.in + side.out;
    if (best.length >= 2 * top && degree < least) continue;
    best.push({ id, title: null, degree, ...side });
    if (best.length < 4 * top) continue;
    best.sort(byDegree).splice(2 * top);
    least = best.at(-1)?.degree ?? 0;
  }
  const hubs = best.sort(byDegree).slice(0, top);
  const previews = await readPreviews(
    backend,
    brain,
    hubs.map(({ id }) => id),
  );
  return hubs.map((hub, i) => ({ ...hub, title: previews[i]?.title ?? null }));
}

function byDegree(a: Hub, b: Hub): number {
  return b.degree - a.degree || (a.id < b.id ? -1 : 1);
}

function typesOf({ types }: Summary): OverviewAnswer['types'] {
  return [...types]
    .map(([type, counts]) => ({ type, ...counts }))
    .sort((a, b) => b.live - a.live || b.retired - a.retired || (a.type < b.type ? -1 : 1));
}

function detectorsOf({ detectors }: Summary): OverviewAnswer['detectors'] {
  return [...detectors]
    .map(([detector, links]) => ({ detector, links }))
    .sort((a, b) => b.links - a.links || (a.detector < b.detector ? -1 : 1));
}
