// Which node of the cluster a request goes to: the next of those that answer. One that failed is
// left out until it has answered a probe, which the transport sends after a time that grows with its
// failures: a request that tried it might wait for as long as a request may take.

export interface ClusterNode {
  readonly url: string;
}

interface State extends ClusterNode {
  failures: number;
  /** Monotonic time from which it is probed; 0: it answers. */
  probedFrom: number;
  /** Monotonic time of its last answer to anything; 0: none since its connection has failed. */
  heardAt: number;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export class ClusterNodes {
  readonly #nodes: readonly State[];
  readonly #now: () => number;
  #next = 0;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(urls: readonly string[], now: () => number) {
    this.#nodes = urls.map((url) => ({ url, failures: 0, probedFrom: 0, heardAt: 0 }));
    this.#now = now;
  }

  get size(): number {
    return this.#nodes.length;
  }

  /**
   * The next node that answers and is not in `tried`. If there is none, the one among the others
   * that has answered anything last, or is probed first; undefined if all were tried.
   */
  pick(tried: ReadonlySet<ClusterNode>): ClusterNode | undefined {
    let best: State | undefined;
    for (let step = 0; step < this.#nodes.length; step++) {
      const at = (this.#next + step) % this.#nodes.length;
      const node = this.#nodes[at];
      if (node === undefined || tried.has(node)) continue;
      if (node.probedFrom === 0) {
        this.#next = at + 1;
        return node;
      }
      if (best === undefined || isBetter(node, best)) best = node;
    }
    return best;
  }

  answered(node: ClusterNode): void {
    const state = this.#stateOf(node);
    if (state === undefined) return;
    state.failures = 0;
    state.probedFrom = 0;
  }

  /** It has answered something, which does not bring it back: without a master it answers reads. */
  heard(node: ClusterNode): void {
    const state = this.#stateOf(node);
    if (state !== undefined) state.heardAt = this.#now();
  }

  /** Its connection has failed: what it answered before says nothing. */
  lost(node: ClusterNode): void {
    const state = this.#stateOf(node);
    if (state !== undefined) state.heardAt = 0;
  }

  /** Leaves the node out; returns the milliseconds until it is to be probed. */
  failed(node: ClusterNode): number {
    const state = this.#stateOf(node);
    if (state === undefined) return LONGEST_PAUSE_MS;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(state.failures, 10));
    state.probedFrom = this.#now() + pause;
    state.failures += 1;
    return pause;
  }

  isLeftOut(node: ClusterNode): boolean {
    return (this.#stateOf(node)?.probedFrom ?? 0) > 0;
  }

  /** The nodes that are left out at present. */
  dead(): readonly string[] {
    return this.#nodes.filter(({ probedFrom }) => probedFrom > 0).map(({ url }) => url);
  }

  #stateOf(node: ClusterNode): State | undefined {
    return this.#nodes.find((one) => one === node);
  }
}

/** Of two nodes that are left out: in a cluster without a master all are. */
function isBetter(one: State, other: State): boolean {
  if (one.heardAt !== other.heardAt) return one.heardAt > other.heardAt;
  return one.probedFrom < other.probedFrom;
}
