// Draws stacks as a flame graph: the width of a frame is its share of all samples, its callees are
// above it, sorted by name from left to right.
import { escapeHtml } from '../lab/chart.ts';
import type { Stack } from './stacks.ts';

const WIDTH = 1200;
const ROW = 16;
/** Narrower frames are left out. */
const LEAST_WIDTH = 0.5;
const LETTER = 6.2;
const CORE = '#c2571a';
const SCRIPT = '#2563a8';
const OTHER = '#9aa5b1';

interface Node {
  readonly name: string;
  weight: number;
  readonly children: Map<string, Node>;
}

function newNode(name: string): Node {
  return { name, weight: 0, children: new Map() };
}

function treeOf(stacks: readonly Stack[]): Node {
  const root = newNode('all');
  for (const { frames, weight } of stacks) {
    root.weight += weight;
    let at = root;
    for (const frame of frames) {
      const child = at.children.get(frame) ?? newNode(frame);
      at.children.set(frame, child);
      child.weight += weight;
      at = child;
    }
  }
  return root;
}

function depthOf(node: Node): number {
  return 1 + Math.max(0, ...[...node.children.values()].map(depthOf));
}

function colorOf(name: string): string {
  if (name.startsWith('core: ')) return CORE;
  return / (dist|node_modules)\//.test(name) ? SCRIPT : OTHER;
}

export function toFlameGraph(stacks: readonly Stack[]): string {
  const root = treeOf(stacks);
  const height = depthOf(root) * ROW;
  const parts: string[] = [];
  const draw = (node: Node, left: number, level: number): void => {
    const width = (node.weight / root.weight) * WIDTH;
    if (!(width >= LEAST_WIDTH)) return;
    const y = height - (level + 1) * ROW;
    const share = ((node.weight / root.weight) * 100).toFixed(1);
    const label = node.name.slice(0, Math.max(0, Math.floor((width - 4) / LETTER)));
    parts.push(
      `<g><title>${escapeHtml(node.name)}, ${share} %</title><rect x="${left.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colorOf(node.name)}"/><text x="${(left + 2).toFixed(1)}" y="${y + 11}">${escapeHtml(label)}</text></g>`,
    );
    let at = left;
    for (const child of [...node.children.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      draw(child, at, level + 1);
      at += (child.weight / root.weight) * WIDTH;
    }
  };
  draw(root, 0, 0);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}">\n${parts.join('\n')}\n</svg>`;
}

/** The innermost frames with their share of the samples, in descending order. */
export function hottest(stacks: readonly Stack[], count: number): readonly [string, number][] {
  const all = stacks.reduce((sum, { weight }) => sum + weight, 0);
  const own = new Map<string, number>();
  for (const { frames, weight } of stacks) {
    const leaf = frames.at(-1) ?? 'none';
    own.set(leaf, (own.get(leaf) ?? 0) + weight / all);
  }
  return [...own].sort((a, b) => b[1] - a[1]).slice(0, count);
}
