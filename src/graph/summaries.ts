// Summaries of brains, remembered while their links stay as they are. Counting a brain reads the columns of all its links
// page by page; asking again costs a look at the index's count of operations.
import type { Backend, Json } from '../backend.js';
import type { Brain } from './brains.js';
import { COUNTED, EdgeColumns, toColumns } from './edge-columns.js';
import { Summary } from './summary.js';
import type { Moment } from './times.js';

/** Brains whose summaries are remembered, the least recently asked for goes first. */
const REMEMBERED = 16;
/** Links of one page: about 10 ms of this thread. */
const PAGE = 10_000;
const ATTEMPTS = 3;
export interface CountedBrain {
  readonly summary: Summary;
  /** Documents of the nodes index. */
  readonly nodes: number;
  /** Nodes of live links without a document. */
  readonly missing: number;
}

/** What was counted, and the states of the indexes that it was counted in. */
interface Known {
  readonly edges: string;
  readonly nodes: string;
  readonly counted: CountedBrain;
}

export class Summaries {
  readonly #known = new Map<string, Known>();

  /** The brain as a whole. `now`: the moment is the present, so that what is remembered may serve. */
  async of(backend: Backend, brain: Brain, moment: Moment, now: boolean): Promise<CountedBrain> {
    for (let attempt = 1; ; attempt++) {
      const [edges, nodes] = await states(backend, brain);
      const known = now ? this.#known.get(brain.name) : undefined;
      const summary =
        known !== undefined && known.edges === edges && isCurrent(known.counted.summary, moment)
          ? known.counted.summary
          : await countLinks(backend, brain, new Summary(moment));
      const counted =
        known !== undefined && known.nodes === nodes && known.counted.summary === summary
          ? known.counted
          : { summary, ...(await countNodes(backend, brain, summary)) };
      if (counted === known?.counted) return this.#remember(brain.name, known);
      const [edgesAfter, nodesAfter] = await states(backend, brain);
      const steady = edges === edgesAfter && nodes === nodesAfter;
      if (steady && now) return this.#remember(brain.name, { edges, nodes, counted });
      if (steady || attempt === ATTEMPTS) return counted;
    }
  }

  #remember(name: string, known: Known): CountedBrain {
    this.#known.delete(name);
    this.#known.set(name, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    return known.counted;
  }
}

function isCurrent(summary: Summary, { world }: Moment): boolean {
  return summary.moment.world <= world && world < summary.changesAt;
}

/** Texts that are others as soon as anything was written. */
async function states(
  backend: Backend,
  { edges, hasEdges, nodes, hasNodes }: Brain,
): Promise<readonly [edges: string, nodes: string]> {
  return Promise.all([
    hasEdges ? stateOf(backend, edges) : '',
    hasNodes ? stateOf(backend, nodes) : '',
  ]);
}

async function stateOf(backend: Backend, index: string): Promise<string> {
  const numbers = backend.resolve(index, {}).map(({ number }) => number);
  const { detail } = await backend.stats(index);
  return `${numbers.join()}:${String(detail['seq_no_count'])}`;
}

async function countNodes(
  backend: Backend,
  { nodes: index, hasNodes }: Brain,
  { degrees }: Summary,
): Promise<{ readonly nodes: number; readonly missing: number }> {
  if (!hasNodes) return { nodes: 0, missing: degrees.size };
  await backend.publish(index);
  const { count: nodes } = await backend.count({ index, body: {} });
  const present = await countPresent(backend, index, [...degrees.keys()]);
  return { nodes, missing: degrees.size - present };
}

async function countLinks(
  backend: Backend,
  { edges: index, hasEdges }: Brain,
  summary: Summary,
): Promise<Summary> {
  if (!hasEdges) return summary;
  await backend.publish(index);
  let after: readonly Json[] | undefined;
  for (;;) {
    const { hits, columns } = await backend.columns({
      index,
      query: { match_all: {} },
      columns: ['_doc', ...toColumns(COUNTED)],
      size: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    const values = new EdgeColumns(columns.slice(1));
    for (let hit = 0; hit < hits; hit++) summary.add(values.counted(hit));
    if (hits < PAGE) return summary;
    // `_doc` alone decides: no two documents share it.
    after = [columns[0]?.(hits - 1) ?? 0, ...COUNTED.map(() => null)];
  }
}

/** How many of the ids have a document. */
async function countPresent(
  backend: Backend,
  index: string,
  ids: readonly string[],
): Promise<number> {
  let present = 0;
  for (let at = 0; at < ids.length; at += PAGE) {
    const body = { query: { ids: { values: ids.slice(at, at + PAGE) } } };
    present += (await backend.count({ index, body })).count;
  }
  return present;
}
