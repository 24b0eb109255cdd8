// How many live links nodes have, counted anew for every answer. The links of ordinary nodes are read together, a column
// of ends for each side; a hub is counted by itself, once it is known to be one, because counting reads no ends.
import type { Backend } from '../backend.js';
import type { Brain } from './brains.js';
import { toColumns } from './edge-columns.js';
import type { Moment } from './times.js';
import { liveAroundQuery } from './visible.js';

/** Links of one side from which a node is worth a search of its own. */
const HUB = 256;
/** Hubs that are remembered, of all brains. */
const REMEMBERED = 10_000;
/** Links that are read for one answer: more than there are. */
const ALL = 0x7fff_ffff;

export interface Degree {
  in: number;
  out: number;
}

type Side = keyof Degree;

export class Degrees {
  /** Which nodes were hubs when they were last counted: it decides how to count, never what is answered. */
  readonly #hubs = new Set<string>();

  /** Links of every type. */
  async of(
    backend: Backend,
    { edges, hasEdges }: Brain,
    ids: readonly string[],
    moment: Moment,
  ): Promise<ReadonlyMap<string, Degree>> {
    const degrees = new Map(ids.map((id): [string, Degree] => [id, { in: 0, out: 0 }]));
    if (!hasEdges || ids.length === 0) return degrees;
    const count = async (nodes: readonly string[], side: Side): Promise<void> => {
      if (nodes.length === 0) return;
      const query = liveAroundQuery({ nodes, direction: side, types: undefined }, moment);
      const columns = ['_doc', ...toColumns([side === 'out' ? 'src' : 'dst'])];
      const found = await backend.columns({ index: edges, query, columns, size: ALL });
      const end = found.columns[1];
      for (let hit = 0; hit < found.hits; hit++) {
        const degree = degrees.get(end?.(hit) as string);
        if (degree !== undefined) degree[side] += 1;
      }
    };
    const countHub = async (id: string, side: Side): Promise<void> => {
      const query = liveAroundQuery({ nodes: [id], direction: side, types: undefined }, moment);
      const { total } = await backend.columns({ index: edges, query, columns: ['_doc'], size: 0 });
      const degree = degrees.get(id);
      if (degree !== undefined) degree[side] = total;
    };
    const sides: readonly Side[] = ['out', 'in'];
    await Promise.all(
      sides.flatMap((side) => {
        const isHub = (id: string): boolean => this.#hubs.has(keyOf(edges, id, side));
        const hubs = ids.filter(isHub).map((id) => countHub(id, side));
        return [
          count(
            ids.filter((id) => !isHub(id)),
            side,
          ),
          ...hubs,
        ];
      }),
    );
    for (const [id, degree] of degrees) {
      for (const side of sides) this.#learn(keyOf(edges, id, side), degree[side] >= HUB);
    }
    return degrees;
  }

  #learn(key: string, isHub: boolean): void {
    if (!isHub) this.#hubs.delete(key);
    else {
      if (this.#hubs.size >= REMEMBERED) this.#hubs.clear();
      this.#hubs.add(key);
    }
  }
}

function keyOf(index: string, id: string, side: Side): string {
  return `${side}\0${index}\0${id}`;
}
