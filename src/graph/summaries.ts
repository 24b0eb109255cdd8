// Counts of brains, cached as long as their links and nodes do not change. Counting reads every
// link once, in the core; a repeated request only compares the write marks of the indexes.

import type { Backend, LinkCounts, Waiter } from '../backend/index.js';
import { BoundedMap } from '../base/bounded-map.js';
import type { Brain } from './brains.js';
import { markOf } from './fresh.js';
import type { Moment } from './times.js';

/** Brains whose counts are cached; the least recently requested is dropped first. */
const REMEMBERED = 256;
/** Number of hubs that are counted: the maximum that a request may ask for. */
export const MAX_TOP = 50;
const ATTEMPTS = 3;

/** Counts with the moment they are of and the write marks of the indexes they were read from. */
interface CachedCounts {
  readonly states: string;
  readonly world: number;
  readonly counts: LinkCounts;
}

const NO_LINKS: Omit<LinkCounts, 'nodes'> = {
  live: 0,
  retired: 0,
  future: 0,
  detected: 0,
  changesAt: Number.POSITIVE_INFINITY,
  linked: 0,
  missing: 0,
  hubs: [],
  types: new Map(),
  detectors: new Map(),
  created: new Map(),
  ended: new Map(),
};

export class Summaries {
  readonly #known = new BoundedMap<string, CachedCounts>(REMEMBERED);

  /**
   * Counts over the whole brain. `now`: the moment is the present, so that cached counts may be
   * used.
   */
  async of(
    backend: Backend,
    brain: Brain,
    moment: Moment,
    now: boolean,
    waiter?: Waiter,
  ): Promise<LinkCounts> {
    const { world } = moment;
    for (let attempt = 1; ; attempt++) {
      const states = statesOf(backend, brain);
      const known = now && states !== undefined ? this.#known.get(brain.name) : undefined;
      if (
        known !== undefined &&
        known.states === states &&
        known.world <= world &&
        world < known.counts.changesAt
      )
        return this.#remember(brain.name, known);
      const counts = await count(backend, brain, moment, waiter);
      const steady = states === statesOf(backend, brain);
      if (steady && now && states !== undefined)
        return this.#remember(brain.name, { states, world, counts });
      if (steady || attempt === ATTEMPTS) return counts;
    }
  }

  #remember(name: string, known: CachedCounts): LinkCounts {
    this.#known.set(name, known);
    return known.counts;
  }
}

/** A string that changes with every write to the brain; undefined: there is no such string. */
function statesOf(
  backend: Backend,
  { edges, hasEdges, nodes, hasNodes }: Brain,
): string | undefined {
  const marks = [hasEdges ? markOf(backend, edges) : '', hasNodes ? markOf(backend, nodes) : ''];
  return marks.includes(undefined) ? undefined : marks.join(' ');
}

async function count(
  backend: Backend,
  { edges, hasEdges, nodes, hasNodes }: Brain,
  moment: Moment,
  waiter: Waiter | undefined,
): Promise<LinkCounts> {
  if (hasNodes) await backend.publish(nodes);
  if (!hasEdges) {
    const documents = hasNodes ? (await backend.count({ index: nodes, body: {} })).count : 0;
    return { ...NO_LINKS, nodes: documents };
  }
  await backend.publish(edges);
  return backend.countLinks({
    index: edges,
    nodes: hasNodes ? nodes : undefined,
    moment,
    top: MAX_TOP,
    waiter,
  });
}
