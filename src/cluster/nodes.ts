// Which node of the cluster a request goes to: the next of those that answer. One that failed is
// left out for a time that grows with its failures, and is then tried again by one request.

export interface ClusterNode {
  readonly url: string;
}

interface State extends ClusterNode {
  failures: number;
  /** Monotonic time from which it may be tried again; 0: it answers. */
  deadUntil: number;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export class ClusterNodes {
  readonly #nodes: readonly State[];
  readonly #now: () => number;
  #next = 0;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(urls: readonly string[], now: () => number) {
    this.#nodes = urls.map((url) => ({ url, failures: 0, deadUntil: 0 }));
    this.#now = now;
  }

  get size(): number {
    return this.#nodes.length;
  }

  /**
   * The next node that answers and is not in `tried`. If there is none, the one among the others
   * whose pause ends first; undefined if all were tried.
   */
  pick(tried: ReadonlySet<ClusterNode>): ClusterNode | undefined {
    const now = this.#now();
    let best: State | undefined;
    for (let step = 0; step < this.#nodes.length; step++) {
      const at = (this.#next + step) % this.#nodes.length;
      const node = this.#nodes[at];
      if (node === undefined || tried.has(node)) continue;
      if (node.deadUntil === 0 || node.deadUntil <= now) {
        // While one request tries it again, the others leave it out.
        if (node.deadUntil > 0) node.deadUntil = now + pauseOf(node.failures);
        this.#next = at + 1;
        return node;
      }
      if (best === undefined || node.deadUntil < best.deadUntil) best = node;
    }
    return best;
  }

  answered(node: ClusterNode): void {
    const state = this.#stateOf(node);
    if (state === undefined) return;
    state.failures = 0;
    state.deadUntil = 0;
  }

  failed(node: ClusterNode): void {
    const state = this.#stateOf(node);
    if (state === undefined) return;
    state.deadUntil = this.#now() + pauseOf(state.failures);
    state.failures += 1;
  }

  /** The nodes that are left out at present. */
  dead(): readonly string[] {
    const now = this.#now();
    return this.#nodes.filter(({ deadUntil }) => deadUntil > now).map(({ url }) => url);
  }

  #stateOf(node: ClusterNode): State | undefined {
    return this.#nodes.find((one) => one === node);
  }
}

function pauseOf(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10));
}
