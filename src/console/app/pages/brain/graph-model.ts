// The part of a brain that the page has loaded: nodes and links with their times, so that any moment
// can be shown without another request. It grows by the surroundings of nodes, up to its limits.
import type { EgoAnswer, LinkTimes, LinkView, NodeView } from './types.js';

export const MAX_NODES = 2000;
export const MAX_LINKS = 5000;

export interface GraphNode {
  readonly id: string;
  /** Its number, by which positions are addressed. */
  readonly at: number;
  view: NodeView;
  x: number;
  y: number;
  /** All its links were asked for. */
  isExpanded: boolean;
}

/** As in the service: what was true at `world`, as it was recorded by `known` (null: at present). */
export interface Moment {
  readonly world: number;
  readonly known: number | null;
}

export type LinkState = 'live' | 'retired' | 'future' | 'unknown';

/** Half-open intervals: an end counts once it is recorded. */
export function stateAt(link: LinkTimes, { world, known }: Moment): LinkState {
  const recorded = known ?? Number.POSITIVE_INFINITY;
  if (link.created_at !== null && link.created_at > recorded) return 'unknown';
  if (link.valid_at !== null && link.valid_at > world) return 'future';
  const isOver = link.invalid_at !== null && link.invalid_at <= world;
  return isOver && (link.expired_at === null || link.expired_at <= recorded) ? 'retired' : 'live';
}

export interface Merged {
  readonly nodes: number;
  readonly links: number;
  /** Links that were left out, because the limits of the page were reached. */
  readonly leftOut: number;
}

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const UNKNOWN: NodeView = { title: null, preview: null, exists: false, in: 0, out: 0 };

export class GraphModel {
  readonly nodes = new Map<string, GraphNode>();
  readonly links = new Map<string, LinkView>();
  /** Links that limits kept out so far. */
  leftOut = 0;

  /** Adds a node and its surroundings. `isWhole`: all links of the node were asked for. */
  merge({ node, links, nodes }: EgoAnswer, isWhole: boolean): Merged {
    const before = { nodes: this.nodes.size, links: this.links.size };
    const centre = this.#node(node, undefined, nodes);
    if (isWhole && centre !== undefined) centre.isExpanded = true;
    let leftOut = 0;
    for (const link of links) {
      if (this.links.has(link.edge_id)) {
        this.links.set(link.edge_id, link);
        continue;
      }
      const isFull = this.links.size >= MAX_LINKS;
      const from = isFull ? undefined : this.#node(link.src, this.nodes.get(link.dst), nodes);
      const to = from === undefined ? undefined : this.#node(link.dst, from, nodes);
      if (to === undefined) leftOut += 1;
      else this.links.set(link.edge_id, link);
    }
    for (const [id, view] of Object.entries(nodes)) {
      const known = this.nodes.get(id);
      if (known !== undefined) known.view = view;
    }
    this.leftOut += leftOut;
    return {
      nodes: this.nodes.size - before.nodes,
      links: this.links.size - before.links,
      leftOut,
    };
  }

  /** Undefined if there is no room. New nodes begin next to `near`. */
  #node(id: string, near: GraphNode | undefined, views: EgoAnswer['nodes']): GraphNode | undefined {
    const known = this.nodes.get(id);
    if (known !== undefined) return known;
    const at = this.nodes.size;
    if (at >= MAX_NODES) return undefined;
    const angle = at * GOLDEN_ANGLE;
    const distance = near === undefined ? 10 * Math.sqrt(at) : 20 + (at % 17);
    const node = {
      id,
      at,
      view: Object.hasOwn(views, id) ? (views[id] ?? UNKNOWN) : UNKNOWN,
      x: (near?.x ?? 0) + distance * Math.cos(angle),
      y: (near?.y ?? 0) + distance * Math.sin(angle),
      isExpanded: false,
    };
    this.nodes.set(id, node);
    return node;
  }

  /** The types of links with their numbers, the most frequent first. */
  types(): readonly { readonly type: string; readonly count: number }[] {
    const counts = new Map<string, number>();
    for (const { type } of this.links.values()) counts.set(type, (counts.get(type) ?? 0) + 1);
    return [...counts]
      .map(([type, count]) => ({ type, count }))
      .sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1));
  }

  /** The earliest and the latest moment at which something of it begins or ends. */
  span(): { readonly first: number; readonly last: number } | undefined {
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const link of this.links.values()) {
      for (const time of [link.valid_at, link.invalid_at, link.created_at, link.expired_at]) {
        if (time === null) continue;
        first = Math.min(first, time);
        last = Math.max(last, time);
      }
    }
    return first > last ? undefined : { first, last };
  }
}

export function nameOf({ id, view: { title } }: Pick<GraphNode, 'id' | 'view'>): string {
  return title ?? id;
}
