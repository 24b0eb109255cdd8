// Draws a graph on a canvas. It keeps 20 frames a second with 2,000 nodes and 5,000 links where the
// browser has no graphics card: what moves is drawn with hairlines and squares, which cost a tenth of
// wide lines and circles, and what rests is drawn once as it is meant. Links of one colour and width
// are stroked together in short paths, and few nodes have their names written.
import type { GraphNode } from './graph-model.js';

export interface DrawnLink {
  readonly from: GraphNode;
  readonly to: GraphNode;
  /** Number of its colour. */
  readonly color: number;
  /** 0 to 1. */
  readonly strength: number;
  readonly id: string;
}

export interface Drawing {
  readonly nodes: readonly GraphNode[];
  readonly links: readonly DrawnLink[];
  readonly selectedNode: string | undefined;
  readonly selectedLink: string | undefined;
  /** Nodes without a visible link are drawn faintly. */
  readonly isLinked: (node: GraphNode) => boolean;
}

export interface Camera {
  /** The point of the graph in the middle of the canvas. */
  x: number;
  y: number;
  /** Pixels for each unit of the graph. */
  scale: number;
}

export interface Colors {
  readonly links: readonly string[];
  readonly node: string;
  readonly missing: string;
  readonly selected: string;
  readonly text: string;
  readonly ground: string;
}

const HAIRLINE = 1;
const WIDTHS = [0.6, 1.2, 2.2, 3.6];
/** A path of many segments is slow to fill: it is begun again after so many. */
const SEGMENTS = 100;
/** The same for nodes. */
const SHAPES = 50;
const MAX_NAMES = 30;
/** Below this radius a node is a square. */
const SMALL = 3;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** What one frame is drawn with; `x` and `y` project a point of the graph on the canvas. */
interface Frame extends Size {
  readonly context: CanvasRenderingContext2D;
  readonly colors: Colors;
  readonly camera: Camera;
  readonly isMoving: boolean;
  readonly x: (x: number) => number;
  readonly y: (y: number) => number;
}

/** `isMoving`: more frames follow at once. */
export function draw(
  context: CanvasRenderingContext2D,
  { width, height }: Size,
  camera: Camera,
  drawing: Drawing,
  colors: Colors,
  isMoving: boolean,
): void {
  context.globalAlpha = 1;
  context.fillStyle = colors.ground;
  context.fillRect(0, 0, width, height);
  const frame: Frame = {
    ...{ context, colors, camera, isMoving, width, height },
    x: (x) => (x - camera.x) * camera.scale + width / 2,
    y: (y) => (y - camera.y) * camera.scale + height / 2,
  };
  drawLinks(frame, drawing);
  drawNames(frame, drawing, drawNodes(frame, drawing));
}

function drawLinks(frame: Frame, { links, selectedLink }: Drawing): void {
  const { context, colors, width, height, isMoving, x: toX, y: toY } = frame;
  const groups = new Map<number, DrawnLink[]>();
  for (const link of links) {
    const step = Math.min(WIDTHS.length - 1, Math.floor(link.strength * WIDTHS.length));
    const key = link.color * WIDTHS.length + step;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [link]);
    else group.push(link);
  }
  for (const [key, group] of groups) {
    context.strokeStyle = colors.links[Math.floor(key / WIDTHS.length)] ?? colors.node;
    const step = key % WIDTHS.length;
    context.lineWidth = isMoving ? HAIRLINE : (WIDTHS[step] ?? HAIRLINE);
    context.globalAlpha = isMoving ? 0.4 + 0.15 * step : 0.7;
    let segments = 0;
    context.beginPath();
    for (const { from, to } of group) {
      const [ax, ay, bx, by] = [toX(from.x), toY(from.y), toX(to.x), toY(to.y)];
      if (Math.max(ax, bx) < 0 || Math.min(ax, bx) > width) continue;
      if (Math.max(ay, by) < 0 || Math.min(ay, by) > height) continue;
      context.moveTo(ax, ay);
      context.lineTo(bx, by);
      segments += 1;
      if (segments % SEGMENTS === 0) {
        context.stroke();
        context.beginPath();
      }
    }
    context.stroke();
  }
  context.globalAlpha = 1;
  const selected = links.find(({ id }) => id === selectedLink);
  if (selected === undefined) return;
  context.strokeStyle = colors.selected;
  context.lineWidth = 4;
  context.beginPath();
  context.moveTo(toX(selected.from.x), toY(selected.from.y));
  context.lineTo(toX(selected.to.x), toY(selected.to.y));
  context.stroke();
}

export function radiusOf({ view }: GraphNode): number {
  return 3 + Math.min(9, Math.sqrt(view.in + view.out));
}

/** How much nodes grow and shrink with the graph. */
function growthOf({ scale }: Camera): number {
  return Math.min(1.5, Math.max(0.4, scale));
}

/** Returns the nodes in view that have a link, the most linked ones first. */
function drawNodes(frame: Frame, { nodes, isLinked }: Drawing): readonly GraphNode[] {
  const { context, colors, width, height, camera, isMoving, x: toX, y: toY } = frame;
  const grow = growthOf(camera);
  const named: GraphNode[] = [];
  for (const kind of ['missing', 'node', 'faint'] as const) {
    context.fillStyle = colors[kind === 'faint' ? 'node' : kind];
    context.globalAlpha = kind === 'faint' ? 0.25 : 1;
    context.beginPath();
    let shapes = 0;
    for (const node of nodes) {
      if (kindOf(node, isLinked) !== kind) continue;
      const [x, y] = [toX(node.x), toY(node.y)];
      const radius = radiusOf(node) * grow;
      if (x < -radius || y < -radius || x > width + radius || y > height + radius) continue;
      if (isMoving || radius < SMALL) context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
      else {
        context.moveTo(x + radius, y);
        context.arc(x, y, radius, 0, 2 * Math.PI);
      }
      shapes += 1;
      if (shapes % SHAPES === 0) {
        context.fill();
        context.beginPath();
      }
      if (kind !== 'faint') named.push(node);
    }
    context.fill();
  }
  context.globalAlpha = 1;
  return named.sort((a, b) => b.view.in + b.view.out - a.view.in - a.view.out);
}

function kindOf(node: GraphNode, isLinked: Drawing['isLinked']): 'missing' | 'node' | 'faint' {
  if (!isLinked(node)) return 'faint';
  return node.view.exists ? 'node' : 'missing';
}

function drawNames(frame: Frame, { selectedNode }: Drawing, nodes: readonly GraphNode[]): void {
  const { context, colors, camera, isMoving, x: toX, y: toY } = frame;
  const grow = growthOf(camera);
  const selected = nodes.find(({ id }) => id === selectedNode);
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'middle';
  const most = isMoving ? MAX_NAMES / 3 : MAX_NAMES;
  const named = new Set([...(selected === undefined ? [] : [selected]), ...nodes.slice(0, most)]);
  for (const node of named) {
    const [x, y] = [toX(node.x), toY(node.y)];
    const radius = radiusOf(node) * grow;
    if (node === selected) {
      context.strokeStyle = colors.selected;
      context.lineWidth = 3;
      context.beginPath();
      context.arc(x, y, radius + 3, 0, 2 * Math.PI);
      context.stroke();
    }
    const name = (node.view.title ?? node.id).replace(/\s+/g, ' ').slice(0, 40);
    if (!isMoving) {
      context.lineWidth = 3;
      context.strokeStyle = colors.ground;
      context.strokeText(name, x + radius + 3, y);
    }
    context.fillStyle = colors.text;
    context.fillText(name, x + radius + 3, y);
  }
}

/** The node at a point of the canvas, undefined if there is none. */
export function nodeAt(
  nodes: readonly GraphNode[],
  { width, height }: Size,
  camera: Camera,
  x: number,
  y: number,
): GraphNode | undefined {
  const grow = growthOf(camera);
  let nearest: GraphNode | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const dx = (node.x - camera.x) * camera.scale + width / 2 - x;
    const dy = (node.y - camera.y) * camera.scale + height / 2 - y;
    const distance = Math.hypot(dx, dy) - radiusOf(node) * grow;
    if (distance < 4 && distance < least) {
      least = distance;
      nearest = node;
    }
  }
  return nearest;
}

/** The link at a point of the canvas, undefined if there is none. */
export function linkAt(
  links: readonly DrawnLink[],
  { width, height }: Size,
  camera: Camera,
  x: number,
  y: number,
): DrawnLink | undefined {
  const px = (x - width / 2) / camera.scale + camera.x;
  const py = (y - height / 2) / camera.scale + camera.y;
  let nearest: DrawnLink | undefined;
  let least = 5 / camera.scale;
  for (const link of links) {
    const [dx, dy] = [link.to.x - link.from.x, link.to.y - link.from.y];
    const length = dx * dx + dy * dy || 1;
    const along = ((px - link.from.x) * dx + (py - link.from.y) * dy) / length;
    const at = Math.min(1, Math.max(0, along));
    const distance = Math.hypot(px - link.from.x - at * dx, py - link.from.y - at * dy);
    if (distance < least) {
      least = distance;
      nearest = link;
    }
  }
  return nearest;
}

/** A camera that shows all nodes. */
export function cameraFor(nodes: readonly GraphNode[], { width, height }: Size): Camera {
  if (nodes.length === 0) return { x: 0, y: 0, scale: 1 };
  let [left, right, top, bottom] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (const { x, y } of nodes) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const margin = 60;
  const scale = Math.min(
    (width - margin) / Math.max(1, right - left),
    (height - margin) / Math.max(1, bottom - top),
  );
  return {
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    scale: Math.min(3, Math.max(0.01, scale)),
  };
}
