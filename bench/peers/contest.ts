// A contest: the same questions to this project and to others, alternately, and the results for the
// scorecard.
import { ratioOfMedians, type Samples } from '../gate/statistics.ts';
import { quantile } from '../tools/figures.ts';

/** Ids of the best documents, best first. */
export type Best = readonly string[];

export interface Contender {
  readonly name: string;
  /** Answers question number `at` of the task; the order is the same for all contenders. */
  ask(at: number): Best | Promise<Best>;
}

export interface Task {
  readonly name: string;
  readonly questions: number;
  /**
   * Checks the response of every contender once before anything is timed: throws if our own is
   * wrong.
   */
  verify?(at: number, found: Best): void;
  /**
   * The correct response, if it is known: the share that is found is reported for every contender.
   */
  right?(at: number): Best;
}

/** One line of the scorecard: a comparison with one peer in one task. */
export interface Line {
  readonly task: string;
  readonly peer: string;
  readonly unit: string;
  readonly ours: number;
  readonly theirs: number;
  /** Our performance relative to the peer: below 1 is a loss. */
  readonly ratio: number;
  /** The interval that contains the ratio in 99 of 100 runs; undefined: it was measured once. */
  readonly interval: readonly [low: number, high: number] | undefined;
  /** The share of the ten best documents that both found; undefined if nothing is searched. */
  readonly overlap: number | undefined;
  /** Share of the correct results, ours and theirs. */
  readonly recall: readonly [ours: number, theirs: number] | undefined;
}

const PASSES = 5;
const BEST = 10;

export function overlapOf(a: Best, b: Best): number {
  const [x, y] = [a.slice(0, BEST), new Set(b.slice(0, BEST))];
  const most = Math.max(x.length, y.size);
  return most === 0 ? 1 : x.filter((id) => y.has(id)).length / most;
}

export async function contest(
  task: Task,
  us: Contender,
  peers: readonly Contender[],
): Promise<readonly Line[]> {
  const all = [us, ...peers];
  const found: Best[][] = all.map(() => []);
  for (let at = 0; at < task.questions; at++) {
    for (const [i, one] of all.entries()) found[i]?.push(await one.ask(at));
    task.verify?.(at, found[0]?.[at] ?? []);
  }
  const times = await timeInterleaved(task, all);
  const [mine = []] = found;
  const [own = []] = times;
  return peers.map(({ name }, i) => {
    const [list, theirs] = [found[i + 1] ?? [], times[i + 1] ?? []];
    const { ratio, low, high } = ratioOfMedians(own, theirs);
    const shares = list.map((ids, at) => overlapOf(mine[at] ?? [], ids));
    return {
      task: task.name,
      peer: name,
      unit: 'us',
      ours: quantile(own.flat(), 0.5),
      theirs: quantile(theirs.flat(), 0.5),
      ratio,
      interval: [low, high],
      overlap: mean(shares),
      recall: task.right === undefined ? undefined : [recallOf(task, mine), recallOf(task, list)],
    };
  });
}

/** Microseconds by contender, pass and question; each contender is first equally often. */
async function timeInterleaved(task: Task, all: readonly Contender[]): Promise<readonly Samples[]> {
  const times = all.map(() => Array.from({ length: PASSES }, (): number[] => []));
  for (let pass = -1; pass < PASSES; pass++) {
    for (let at = 0; at < task.questions; at++) {
      for (let i = 0; i < all.length; i++) {
        const who = (i + at) % all.length;
        const started = performance.now();
        await all[who]?.ask(at);
        times[who]?.[pass]?.push((performance.now() - started) * 1000);
      }
    }
  }
  return times;
}

function recallOf(task: Task, found: readonly Best[]): number {
  return mean(found.map((ids, at) => overlapOf(task.right?.(at) ?? [], ids)));
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A line for a number that is better when it is larger (`more`) or smaller. */
export function figureLine(
  task: string,
  unit: string,
  more: boolean,
  [ours, peer, theirs]: readonly [ours: number, peer: string, theirs: number],
): Line {
  const ratio = more ? ours / theirs : theirs / ours;
  const none = { interval: undefined, overlap: undefined, recall: undefined };
  return { task, peer, unit, ours, theirs, ratio, ...none };
}
