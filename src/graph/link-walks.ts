// What recalls need of the links of a brain. It needs nothing but a backend that searches, so that
// every thread with one can have it.
import type { Backend } from '../backend/index.js';
import { checkBrain, edgesIndex } from './names.js';
import {
  linksAround,
  type ReachedNodes,
  type ReachRequest,
  reachable,
  type Strengths,
  strengthsOf,
  type WalkedLink,
} from './reach.js';

export class LinkWalks {
  readonly #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** True once the brain has an index of links. */
  hasEdges(brain: string): boolean {
    checkBrain(brain);
    return this.#backend.exists(edgesIndex(brain), {});
  }
  /** Nodes within reach of the seeds. */
  async reachable(brain: string, request: ReachRequest): Promise<ReachedNodes> {
    if (!this.hasEdges(brain)) return { nodes: new Map(), links: 0 };
    await this.#backend.publish(edgesIndex(brain));
    return reachable(this.#backend, edgesIndex(brain), request);
  }
  /** The strength with which nodes are joined to each seed. */
  async strengths(brain: string, request: ReachRequest): Promise<Strengths> {
    if (!this.hasEdges(brain)) return { pairs: [], unread: 0 };
    await this.#backend.publish(edgesIndex(brain));
    return strengthsOf(this.#backend, edgesIndex(brain), request);
  }
  /** The live links of the seeds, the strongest first and at most `most`. */
  async linksAround(
    brain: string,
    request: ReachRequest,
    most: number,
  ): Promise<readonly WalkedLink[]> {
    if (!this.hasEdges(brain)) return [];
    await this.#backend.publish(edgesIndex(brain));
    return linksAround(this.#backend, edgesIndex(brain), request, most);
  }
}
