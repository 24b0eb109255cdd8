// The layout of the graph: sends it to the worker and moves the nodes towards what comes back, so
// that they glide where the worker is slower than the screen.
import type { GraphModel, GraphNode } from './graph-model.js';
import type { LayoutRequest, LayoutResult } from './layout-messages.js';

/** The share of the way that nodes move in one frame. */
const GLIDE = 0.35;
/** Less than this distance, in units of the graph, is no movement. */
const STILL = 0.05;

export class Layout {
  readonly #worker = new Worker(BRAIN_LAYOUT_WORKER, { type: 'module' });
  readonly #model: GraphModel;
  #version = 0;
  #target: Float32Array | undefined;
  #isComputing = false;

  constructor(model: GraphModel) {
    this.#model = model;
    this.#worker.onmessage = ({ data }: MessageEvent<LayoutResult>) => {
      if (data.version !== this.#version) return;
      this.#target = data.positions;
      this.#isComputing = !data.isDone;
    };
  }

  /** Computes from the present positions, with all links of the model. */
  start(rounds: number): void {
    const nodes = [...this.#model.nodes.values()];
    const links = [...this.#model.links.values()];
    const positions = new Float32Array(nodes.length * 2);
    for (const { at, x, y } of nodes) {
      positions[at * 2] = x;
      positions[at * 2 + 1] = y;
    }
    const ends = new Uint32Array(links.length * 2);
    const weights = new Float32Array(links.length);
    for (const [i, { src, dst, weight, confidence }] of links.entries()) {
      ends[i * 2] = this.#model.nodes.get(src)?.at ?? 0;
      ends[i * 2 + 1] = this.#model.nodes.get(dst)?.at ?? 0;
      weights[i] = 0.2 + weight * confidence;
    }
    this.#version += 1;
    this.#target = undefined;
    this.#isComputing = true;
    const request: LayoutRequest = { version: this.#version, positions, ends, weights, rounds };
    this.#worker.postMessage(request);
  }

  /** Moves the nodes for one frame; false once they are where they belong, and stay there. */
  glide(nodes: Iterable<GraphNode>): boolean {
    const target = this.#target;
    if (target === undefined) return this.#isComputing;
    let isMoving = false;
    for (const node of nodes) {
      const [x, y] = [target[node.at * 2], target[node.at * 2 + 1]];
      if (x === undefined || y === undefined) continue;
      const [dx, dy] = [x - node.x, y - node.y];
      if (Math.abs(dx) < STILL && Math.abs(dy) < STILL) continue;
      node.x += dx * GLIDE;
      node.y += dy * GLIDE;
      isMoving = true;
    }
    return isMoving || this.#isComputing;
  }

  close(): void {
    this.#worker.terminate();
  }
}
